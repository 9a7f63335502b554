#ifndef LOCKSTEP_RUNTIME_EXECUTABLE_PROGRESS_CELL_H_
#define LOCKSTEP_RUNTIME_EXECUTABLE_PROGRESS_CELL_H_

#include <atomic>
#include <cstdint>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"

namespace lockstep::internal {

// How far one device is in one launch. Written by what runs the launch, read by
// the liveness reporter. Thread-safe.
class ProgressCell {
 public:
  enum class Phase {
    kQueued,     // behind earlier launches of the device
    kArguments,  // waits for arguments
    kPreparing,  // cliques, memory, the other local devices
    kRunning,
    kWaiting,  // in a collective
    kDone,
    kFailed,
  };
  struct Snapshot {
    Phase phase = Phase::kQueued;
    int64_t thunk_count = 0;  // executed so far
    // Number of the collective entered last, -1 before the first.
    int64_t collective = -1;
    std::string collective_name;  // "all_reduce #812"
  };

  void SetPhase(Phase phase);
  void CountThunk() { thunk_count_.fetch_add(1, std::memory_order_relaxed); }
  void EnterCollective(int64_t number, absl::string_view name);
  void LeaveCollective() { SetPhase(Phase::kRunning); }

  Snapshot Read() const;

 private:
  std::atomic<int64_t> thunk_count_{0};
  mutable absl::Mutex mutex_;
  Snapshot state_ ABSL_GUARDED_BY(mutex_);  // without the thunks
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_EXECUTABLE_PROGRESS_CELL_H_
