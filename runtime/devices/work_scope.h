#ifndef LOCKSTEP_RUNTIME_DEVICES_WORK_SCOPE_H_
#define LOCKSTEP_RUNTIME_DEVICES_WORK_SCOPE_H_

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"

namespace lockstep::internal {

// Operations on queues that fail together, such as those of one launch: after
// the first failure the later ones do nothing. The one place where its cause is
// kept. Outlives the operations. Thread-safe.
class WorkScope {
 public:
  virtual ~WorkScope() = default;
  // OK, or the first cause.
  virtual absl::Status status() const = 0;
  // `cause` is not OK. The first one is kept.
  virtual void Fail(const absl::Status& cause) = 0;
};

// A scope that only keeps the cause.
class FirstFailure final : public WorkScope {
 public:
  absl::Status status() const override {
    absl::MutexLock lock(&mutex_);
    return status_;
  }
  void Fail(const absl::Status& cause) override {
    absl::MutexLock lock(&mutex_);
    status_.Update(cause);
  }

 private:
  mutable absl::Mutex mutex_;
  absl::Status status_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_DEVICES_WORK_SCOPE_H_
