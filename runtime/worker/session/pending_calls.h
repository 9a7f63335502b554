#ifndef LOCKSTEP_RUNTIME_WORKER_SESSION_PENDING_CALLS_H_
#define LOCKSTEP_RUNTIME_WORKER_SESSION_PENDING_CALLS_H_

#include <cstdint>
#include <optional>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "proto/lockstep/coordinator.pb.h"
#include "runtime/base/cancellation.h"

namespace lockstep::internal {

// Requests that wait for their replies. Thread-safe.
class PendingCalls {
 public:
  // A new request; the number is its request_id. The status of Close when that
  // has been called.
  absl::StatusOr<uint64_t> Add();
  // The reply of a request that has been added. Ends with the reply's own
  // error, the cancellation's cause (null: none), the status of Close, or
  // DEADLINE_EXCEEDED.
  absl::StatusOr<proto::CoordinatorMessage> Await(
      uint64_t id, CancellationToken* cancellation,
      absl::Time deadline = absl::InfiniteFuture());
  // Ignored when nobody waits for it any more.
  void Answer(proto::CoordinatorMessage reply);
  // Ends all present and future calls. The first status stays.
  void Close(absl::Status status);
  absl::Status closed() const;

 private:
  mutable absl::Mutex mutex_;
  uint64_t last_id_ ABSL_GUARDED_BY(mutex_) = 0;
  absl::Status closed_ ABSL_GUARDED_BY(mutex_);
  absl::flat_hash_map<uint64_t, std::optional<proto::CoordinatorMessage>> calls_
      ABSL_GUARDED_BY(mutex_);
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_WORKER_SESSION_PENDING_CALLS_H_
