#include "runtime/executable/progress_cell.h"

namespace lockstep::internal {

void ProgressCell::SetPhase(Phase phase) {
  absl::MutexLock lock(&mutex_);
  state_.phase = phase;
}

void ProgressCell::EnterCollective(int64_t number, absl::string_view name) {
  absl::MutexLock lock(&mutex_);
  state_.phase = Phase::kWaiting;
  state_.collective = number;
  state_.collective_name = std::string(name);
}

ProgressCell::Snapshot ProgressCell::Read() const {
  Snapshot snapshot;
  {
    absl::MutexLock lock(&mutex_);
    snapshot = state_;
  }
  snapshot.thunk_count = thunk_count_.load(std::memory_order_relaxed);
  return snapshot;
}

}  // namespace lockstep::internal
