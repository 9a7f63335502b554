#ifndef LOCKSTEP_CLIENT_CLUSTER_ROSTER_FETCH_H_
#define LOCKSTEP_CLIENT_CLUSTER_ROSTER_FETCH_H_

#include <functional>
#include <optional>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "proto/lockstep/coordinator.grpc.pb.h"

namespace lockstep::internal {

// Brings whole rosters that are too large to come by themselves. Thread-safe.
class RosterFetch {
 public:
  // On a thread of gRPC, one at a time.
  using Callback = std::function<void(absl::StatusOr<proto::RosterUpdate>)>;
  // `stub` outlives this.
  RosterFetch(proto::Coordinator::Stub* stub, Callback callback)
      : stub_(*stub), callback_(std::move(callback)) {}
  // Waits for the last callback.
  ~RosterFetch();

  // Now or, when one is under way, once more after it. Waits for a coordinator
  // that cannot be reached.
  void Start();

 private:
  void StartCall() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void OnDone(const grpc::Status& status);

  proto::Coordinator::Stub& stub_;
  const Callback callback_;
  const proto::FetchRosterRequest request_;
  proto::RosterUpdate update_;  // of the call that is under way
  absl::Mutex mutex_;
  std::optional<grpc::ClientContext> context_ ABSL_GUARDED_BY(mutex_);
  bool is_running_ ABSL_GUARDED_BY(mutex_) = false;
  bool is_due_again_ ABSL_GUARDED_BY(mutex_) = false;
  bool is_ending_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_CLUSTER_ROSTER_FETCH_H_
