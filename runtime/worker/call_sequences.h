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
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"
#include "absl/types/span.h"
#include "runtime/cluster/call.h"
#include "runtime/cluster/host_ref.h"
#include "runtime/worker/meeting_results.h"

namespace lockstep::internal {

// Numbers the calls that this host makes together with others (LaunchKey).
// Every host of a sequence makes the same calls in the same order, so numbers
// need no messages; what was called is kept for the reports by which the
// coordinator finds calls that differ. Thread-safe.
class CallSequences {
 public:
  // How many of a sequence's latest calls are kept, and told in one report.
  static constexpr size_t kKept = 1024;

  // Which sequence the calls of `hosts` under a name belong to now. The same on
  // every host.
  uint64_t DigestOf(absl::Span<const HostRef> hosts,
                    absl::string_view name) const;
  // These hosts may have made different numbers of calls under `name`, and
  // count anew from now on: what several of them do together belongs to other
  // sequences, whose digests hold `number`, which grows.
  void BeginAnew(const std::vector<HostRef>& hosts, absl::string_view name,
                 int64_t number);

  // What calls of a sequence hold, one after the other.
  std::shared_ptr<std::recursive_mutex> Order(uint64_t digest);
  // Of the meetings in calls of a sequence. Never null.
  std::shared_ptr<MeetingResults> ResultsOf(uint64_t digest);
  // The next call. `hosts` take part, ascending by id. The calling thread has
  // the sequence's order. `function`: see CallRequest. `program`: see
  // CallDigest.
  LaunchKey Begin(uint64_t digest, absl::Span<const HostRef> hosts,
                  const CallDescription& description,
                  absl::string_view function = "", uint64_t program = 0);
  // With whom this host called `function` last; empty: with nobody.
  std::vector<HostRef> HostsOf(absl::string_view function) const;

  // Threads that call at a time do so in an order that chance decides, another
  // one on every host, so equal calls that meet may be different ones. That is
  // seen when a thread finds another one in a call, which it tells here, or
  // calls again after another one that still lives (Begin). From then on the
  // sequence has no order, until RestoreOrder. Returns the latest call.
  LaunchKey SetDisordered(uint64_t digest);
  // FAILED_PRECONDITION: the sequence has no order; names both threads.
  absl::Status OrderStatus(uint64_t digest) const;
  void RestoreOrder(uint64_t digest);

  // What the latest call runs, once the hosts have agreed on it: reports tell
  // it from then on.
  void SetProgram(const LaunchKey& call, uint64_t fingerprint);
  // This host is done with the call, but for its launch.
  void SetOver(const LaunchKey& call);
  // The program that the latest launch of the sequence runs. Returns the last
  // three, newest first.
  std::array<uint64_t, 3> AddProgram(uint64_t digest, uint64_t fingerprint);

  // This host is done with the call, but perhaps for its launch.
  bool IsOver(const LaunchKey& call) const;
  // The text of a call; "": forgotten, or of another host.
  std::string TextOf(const LaunchKey& call) const;
  // Of sequences of several hosts, since the report before.
  std::vector<SequenceProgress> Report();
  // Drops sequences of lives that have ended.
  void DropEnded(absl::FunctionRef<bool(const HostRef& host)> is_current);

 private:
  // Lives as long as the thread.
  struct Thread {
    int64_t id;  // as the system counts
  };
  struct Sequence {
    std::vector<HostRef> hosts;
    LaunchNumber last;
    bool is_over = false;
    std::deque<CallDigest> digests;                    // up to `last`
    absl::flat_hash_map<uint64_t, std::string> texts;  // by digest
    LaunchNumber reported;
    std::array<uint64_t, 3> recent_programs = {0, 0, 0};
    std::weak_ptr<const Thread> caller;  // of the latest call
    std::vector<std::weak_ptr<const Thread>>
        earlier;  // threads that still live
    absl::Status order_status;
    std::shared_ptr<std::recursive_mutex> order =
        std::make_shared<std::recursive_mutex>();
    std::shared_ptr<MeetingResults> results =
        std::make_shared<MeetingResults>();
  };

  // When hosts have begun anew.
  struct Beginning {
    std::vector<HostRef> hosts;
    std::string name;
    int64_t number = 0;
    bool Concerns(absl::Span<const HostRef> some,
                  absl::string_view sequence) const;
  };

  uint64_t DigestNow(absl::Span<const HostRef> hosts,
                     absl::string_view name) const
      ABSL_SHARED_LOCKS_REQUIRED(mutex_);

  void Drop(absl::FunctionRef<bool(uint64_t digest, const Sequence& sequence)>
                is_over) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  static SequenceProgress ReportOf(uint64_t digest, Sequence& sequence);
  static const std::shared_ptr<const Thread>& CallingThread();
  // The calling thread makes the next call.
  static void TakeTurn(Sequence& sequence);
  static void LoseOrder(Sequence& sequence);

  mutable absl::Mutex mutex_;
  absl::flat_hash_map<uint64_t, Sequence> sequences_ ABSL_GUARDED_BY(mutex_);
  // None concerns all hosts of a later one.
  std::vector<Beginning> beginnings_ ABSL_GUARDED_BY(mutex_);
  // Of sequences that have ended with calls that were not reported.
  std::vector<SequenceProgress> last_reports_ ABSL_GUARDED_BY(mutex_);
  // The sequence in which each function was called last.
  absl::flat_hash_map<std::string, uint64_t> functions_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_WORKER_CALL_SEQUENCES_H_
