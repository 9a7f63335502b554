#ifndef LOCKSTEP_RUNTIME_PASSES_PIPELINES_H_
#define LOCKSTEP_RUNTIME_PASSES_PIPELINES_H_

#include <functional>

#include "runtime/ir/pass_manager.h"

namespace lockstep::internal {

// Adds the passes that a backend which compiles fusions wants before it
// compiles. For verified modules.
struct OptimizationOptions {
  // Whether the backend's kernels have code for an op; null: for all.
  std::function<bool(const Op&)> can_fuse = nullptr;
  // Whether the backend computes a lockstep.fusion of kind dot at once; null:
  // none is made.
  std::function<bool(const Op&)> can_fuse_dot = nullptr;
  // Whether a dot_general is faster with the batching dims of its operands
  // first, and a transpose for it; null: none is.
  std::function<bool(const Op&)> wants_batch_first = nullptr;
};
void AddOptimizationPasses(PassManager& passes,
                           const OptimizationOptions& options = {});

// The passes by name, as tests run them one by one; null when there is none.
const Pass* FindPass(absl::string_view name);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_PASSES_PIPELINES_H_
