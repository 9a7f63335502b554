#include "runtime/worker/worker.h"

#include <utility>

#include "absl/synchronization/mutex.h"
#include "runtime/backends/backend_registry.h"
#include "runtime/base/directory.h"
#include "runtime/base/status.h"
#include "runtime/worker/host_worker.h"

namespace lockstep {

absl::StatusOr<std::unique_ptr<Worker>> Worker::Create(
    Options options, std::unique_ptr<ControlPlane> control_plane) {
  ASSIGN_OR_RETURN(Backend * backend, FindBackend(options.backend));
  if (!options.cache_directory.empty()) {
    RETURN_IF_ERROR(CreateWritableDirectory(options.cache_directory));
  }
  // Distributions build Abseil with its deadlock detector on, which takes a
  // third of the time of a launch.
  absl::SetMutexDeadlockDetectionMode(absl::OnDeadlockCycle::kIgnore);
  auto worker = std::make_unique<HostWorker>(std::move(options), backend,
                                             std::move(control_plane));
  RETURN_IF_ERROR(worker->Start());
  return std::unique_ptr<Worker>(std::move(worker));
}

}  // namespace lockstep
