#ifndef LOCKSTEP_RUNTIME_COLLECTIVES_HIERARCHICAL_LAUNCH_CALLS_H_
#define LOCKSTEP_RUNTIME_COLLECTIVES_HIERARCHICAL_LAUNCH_CALLS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "runtime/cluster/call.h"
#include "runtime/cluster/host_ref.h"
#include "runtime/collectives/launch_id.h"

namespace lockstep::internal {

// Which call each host makes under a launch: its own, and what first messages
// of others say. Launches of calls that differ must not exchange data (spec
// M-19). Remembers the latest `capacity` launches. Thread-safe.
class LaunchCalls {
 public:
  explicit LaunchCalls(size_t capacity = 1024) : capacity_(capacity) {}

  // This host makes `call` in `launch`. FAILED_PRECONDITION, a shared cause
  // that names both hosts and both calls, when another one makes a different
  // call there.
  absl::Status AddOwn(const LaunchId& launch, const HostRef& self,
                      const CallDescription& call);
  // Likewise for what a message of `host` says; `call.text` may be missing on
  // all but the first.
  absl::Status AddOther(const LaunchId& launch, const HostRef& host,
                        const CallDescription& call);
  // This host's call; digest 0: unknown.
  CallDescription Own(const LaunchId& launch) const;
  uint64_t OwnDigest(const LaunchId& launch) const;

 private:
  struct Side {
    HostRef host;
    CallDescription call;  // digest 0: nothing is known
  };
  struct Entry {
    Side own;
    // The first other hosts whose calls differ: of two that do, one differs
    // from this host's, whenever that becomes known.
    std::array<Side, 2> others;
  };
  Entry& Find(const LaunchId& launch) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  static absl::Status Compare(const LaunchId& launch, const Entry& entry);

  const size_t capacity_;
  mutable absl::Mutex mutex_;
  absl::flat_hash_map<LaunchId, Entry> entries_ ABSL_GUARDED_BY(mutex_);
  std::deque<LaunchId> order_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_COLLECTIVES_HIERARCHICAL_LAUNCH_CALLS_H_
