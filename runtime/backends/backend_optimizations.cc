#include "runtime/backends/backend_optimizations.h"

#include "runtime/passes/pipelines.h"

namespace lockstep::internal {

void AddBackendOptimizations(PassManager& passes, const Backend& backend) {
  if (!backend.compiles_fusions()) return;
  OptimizationOptions options;
  options.can_fuse = [&](const Op& op) { return backend.CanFuse(op); };
  options.can_fuse_dot = [&](const Op& op) { return backend.CanFuseDot(op); };
  options.wants_batch_first = [&](const Op& op) {
    return backend.WantsBatchFirst(op);
  };
  AddOptimizationPasses(passes, options);
}

}  // namespace lockstep::internal
