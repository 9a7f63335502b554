#ifndef LOCKSTEP_RUNTIME_BACKENDS_BACKEND_OPTIMIZATIONS_H_
#define LOCKSTEP_RUNTIME_BACKENDS_BACKEND_OPTIMIZATIONS_H_

#include "runtime/backends/backend.h"
#include "runtime/ir/pass_manager.h"

namespace lockstep::internal {

// Adds the passes that a program goes through before `backend`, which outlives
// them, compiles it: none where it compiles no fusions.
void AddBackendOptimizations(PassManager& passes, const Backend& backend);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_BACKEND_OPTIMIZATIONS_H_
