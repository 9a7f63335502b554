#ifndef LOCKSTEP_RUNTIME_COLLECTIVES_RENDEZVOUS_H_
#define LOCKSTEP_RUNTIME_COLLECTIVES_RENDEZVOUS_H_

#include <functional>
#include <memory>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "absl/types/span.h"
#include "runtime/base/clock.h"
#include "runtime/collectives/arrival.h"
#include "runtime/collectives/call_mismatch.h"
#include "runtime/collectives/clique_key.h"
#include "runtime/collectives/collective_progress.h"
#include "runtime/collectives/launch_failures.h"

namespace lockstep::internal {

// Where the ranks of one clique that live in this process meet. Each rank
// comes on a thread of its own and parks, or several come on one; the last one
// runs the collective for all of them and wakes the others. Thread-safe.
//
// A rank that is in another call than the others fails its launch and theirs.
// When a launch fails, those who wait in it wake with the cause, those who
// come later for it get the cause at once, and the next launch starts afresh.
class Rendezvous : public LaunchFailures::Listener {
 public:
  // Runs one collective, of the local ranks in ascending order. May block; must
  // return soon after its launch has failed. No rank returns, and so no buffer
  // disappears, before this does.
  using Execute = std::function<absl::Status(absl::Span<const Arrival* const>)>;

  struct Options {
    CliqueKey key;
    std::vector<int> local_ranks;  // ascending
    Execute execute;
    FailLaunch fail_launch;
    // Both outlive this object.
    const LaunchFailures* failures = nullptr;
    Clock* clock = nullptr;
    CollectiveNames names;
    // Members of other processes that are awaited; null: none.
    std::function<std::vector<CliqueMember>()> remote_missing;
  };

  explicit Rendezvous(Options options);

  // Waits for the other local ranks and for the outcome. Several ranks that
  // come together, at least one, are in one call.
  absl::Status Meet(absl::Span<const Arrival> arrivals);

  void OnLaunchFailed(const LaunchId& launch,
                      const absl::Status& cause) override;

  // Appends the ranks that wait, with the local members they wait for.
  void AppendWaits(std::vector<CollectiveWait>* waits) const;

 private:
  // One collective's gathering. Shared by those in it, so that the next can
  // start while they leave. Guarded by mutex_, except `arrivals`, which does
  // not change while the collective executes.
  struct Gathering {
    LaunchId launch;
    std::vector<const Arrival*> arrivals;  // by slot
    std::vector<absl::Time> since;         // by slot
    const Arrival* first = nullptr;
    int count = 0;
    bool is_done = false;
    absl::Status outcome;
    mutable absl::CondVar done;
  };

  int SlotOf(int rank) const;
  // Joins the current meeting. Fills `clash` with the other member's launch
  // when the calls do not match.
  absl::Status Join(const Arrival& arrival, std::shared_ptr<Gathering>* meeting,
                    bool* is_last, std::unique_ptr<LaunchId>* clash)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status CheckMatches(const Arrival& first, const Arrival& arrival) const;
  absl::Status AwaitOutcome(const Gathering& meeting)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Status Lead(Gathering& meeting);
  void Finish(Gathering& meeting, const absl::Status& outcome)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void AppendMeetingWaits(const Gathering& meeting,
                          std::vector<CollectiveWait>* waits) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const Options options_;
  mutable absl::Mutex mutex_;
  // Being gathered; null between collectives.
  std::shared_ptr<Gathering> gathering_ ABSL_GUARDED_BY(mutex_);
  // All are there and one of them runs it; null otherwise.
  std::shared_ptr<Gathering> executing_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_COLLECTIVES_RENDEZVOUS_H_
