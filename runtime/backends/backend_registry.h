#ifndef LOCKSTEP_RUNTIME_BACKENDS_BACKEND_REGISTRY_H_
#define LOCKSTEP_RUNTIME_BACKENDS_BACKEND_REGISTRY_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/backends/backend.h"

namespace lockstep::internal {

// The backends linked into this program. A backend registers itself before
// main; its library needs alwayslink. A name twice is our bug.
bool RegisterBackend(std::unique_ptr<Backend> backend);

// NOT_FOUND names the backends there are.
absl::StatusOr<Backend*> FindBackend(absl::string_view name);

// Sorted.
std::vector<std::string> BackendNames();

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_BACKEND_REGISTRY_H_
