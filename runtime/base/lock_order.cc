#include "runtime/base/lock_order.h"

#include "absl/synchronization/mutex.h"

namespace lockstep::internal {

void DropLockOrderChecks() {
  absl::SetMutexDeadlockDetectionMode(absl::OnDeadlockCycle::kIgnore);
}

}  // namespace lockstep::internal
