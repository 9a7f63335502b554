#ifndef LOCKSTEP_RUNTIME_EXECUTABLE_COLLECTIVE_TRACKER_H_
#define LOCKSTEP_RUNTIME_EXECUTABLE_COLLECTIVE_TRACKER_H_

#include "absl/status/status.h"
#include "runtime/collectives/communicator.h"
#include "runtime/executable/collective_ledger.h"
#include "runtime/executable/profile_recorder.h"
#include "runtime/executable/progress_cell.h"
#include "runtime/mesh/ids.h"

namespace lockstep::internal {

// Tells the progress cell and the ledger in which collective a device is. Of
// one device and one launch, whose collectives run one after the other.
class CollectiveTracker final : public CollectiveObserver {
 public:
  // Both outlive it. `counts_thunks`: whether a collective that has ended
  // counts as a thunk, where nobody else counts those.
  CollectiveTracker(GlobalDeviceId device, CollectiveLedger& ledger,
                    ProgressCell& progress, bool counts_thunks)
      : device_(device),
        ledger_(ledger),
        progress_(progress),
        counts_thunks_(counts_thunks) {}
  // Hears of them too, before any begins; null: nobody.
  void SetProfile(ProfileRecorder* profile) { profile_ = profile; }

  absl::Status OnEnter(const CliqueKey& clique,
                       const CollectiveCall& call) override;
  void OnLeave(const CollectiveCall& call, const absl::Status& status) override;

 private:
  const GlobalDeviceId device_;
  CollectiveLedger& ledger_;
  ProgressCell& progress_;
  const bool counts_thunks_;
  ProfileRecorder* profile_ = nullptr;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_EXECUTABLE_COLLECTIVE_TRACKER_H_
