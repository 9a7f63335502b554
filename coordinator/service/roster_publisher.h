#ifndef LOCKSTEP_COORDINATOR_SERVICE_ROSTER_PUBLISHER_H_
#define LOCKSTEP_COORDINATOR_SERVICE_ROSTER_PUBLISHER_H_

#include <deque>
#include <memory>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "proto/lockstep/coordinator.grpc.pb.h"
#include "runtime/cluster/roster.h"

namespace lockstep::internal {

// The wire form of the latest rosters, made once for all who get them.
// Thread-safe.
class RosterPublisher {
 public:
  using SharedRoster = std::shared_ptr<const Roster>;

  // What tells somebody who knows `known` (null: nothing) of `roster`, without
  // secrets: the change, the whole, or, when that is large, only that there is
  // one to be fetched.
  proto::RosterUpdate NewsOf(const SharedRoster& roster,
                             const SharedRoster& known);

  // A RosterUpdate, whole. Its bytes are shared by all who fetch it: copies
  // for each of many hosts would take more memory than there is.
  grpc::ByteBuffer Whole(const SharedRoster& roster);

 private:
  struct News {
    SharedRoster roster;
    SharedRoster known;
    proto::RosterUpdate update;
  };

  absl::Mutex mutex_;
  std::deque<News> news_ ABSL_GUARDED_BY(mutex_);  // the latest first
  SharedRoster roster_ ABSL_GUARDED_BY(mutex_);
  grpc::ByteBuffer whole_ ABSL_GUARDED_BY(mutex_);  // of roster_
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_COORDINATOR_SERVICE_ROSTER_PUBLISHER_H_
