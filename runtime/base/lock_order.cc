#include "runtime/base/lock_order.h"

#include "absl/synchronization/mutex.h"

namespace lockstep {

void DropLockOrderChecks() {
  absl::SetMutexDeadlockDetectionMode(absl::OnDeadlockCycle::kIgnore);
}

}  // namespace lockstep
