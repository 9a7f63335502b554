#ifndef LOCKSTEP_RUNTIME_WORKER_CALL_SEQUENCES_H_
#define LOCKSTEP_RUNTIME_WORKER_CALL_SEQUENCES_H_

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"
#include "absl/types/span.h"
#include "runtime/cluster/call.h"
#include "runtime/cluster/host_ref.h"

namespace lockstep::internal {

// Numbers the calls that this host makes together with others (LaunchKey).
// Every host of a sequence makes the same calls in the same order, so numbers
// need no messages; what was called is kept for the reports by which the
// coordinator finds calls that differ. Thread-safe.
class CallSequences {
 public:
  // How many of a sequence's latest calls are kept, and told in one report.
  static constexpr size_t kKept = 1024;

  // The same on every host.
  static uint64_t DigestOf(absl::Span<const HostRef> hosts,
                           absl::string_view name);

  // What calls of a sequence hold, one after the other.
  std::shared_ptr<std::recursive_mutex> Order(uint64_t stream);
  // The next call. `hosts` take part, ascending by id.
  LaunchKey Begin(uint64_t stream, absl::Span<const HostRef> hosts,
                  const CallDescription& description);
  // This host is done with the call, but for its launch.
  void SetOver(const LaunchKey& call);
  // The program that the latest launch of the sequence runs. Returns the last
  // three, newest first.
  std::array<uint64_t, 3> AddProgram(uint64_t stream, uint64_t fingerprint);

  // The text of a call; "": forgotten, or of another host.
  std::string TextOf(const LaunchKey& call) const;
  // Of sequences of several hosts, since the report before.
  std::vector<SequenceProgress> Report();
  // Drops sequences of lives that have ended.
  void DropEnded(absl::FunctionRef<bool(const HostRef& host)> is_current);

 private:
  struct Sequence {
    std::vector<HostRef> hosts;
    LaunchNumber last;
    bool is_over = false;
    std::deque<uint64_t> digests;                      // up to `last`
    absl::flat_hash_map<uint64_t, std::string> texts;  // by digest
    LaunchNumber reported;
    std::array<uint64_t, 3> recent_programs = {0, 0, 0};
    std::shared_ptr<std::recursive_mutex> order =
        std::make_shared<std::recursive_mutex>();
  };

  mutable absl::Mutex mutex_;
  absl::flat_hash_map<uint64_t, Sequence> sequences_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_WORKER_CALL_SEQUENCES_H_
