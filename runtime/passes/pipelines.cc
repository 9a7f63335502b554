#include "runtime/passes/pipelines.h"

#include <vector>

#include "runtime/passes/optimize/passes.h"

namespace lockstep {

void AddOptimizationPasses(PassManager& passes) {
  // Calls hide everything from the passes that follow.
  passes.Add(InlineCalls());
  // What is dead would cost the others time, and count as a user.
  passes.Add(EliminateDeadCode());
  passes.Add(EliminateCommonSubexpressions());
  // Last: the others do not look into fusions.
  passes.Add(FuseLoops());
  // The leaves that fusions have copied.
  passes.Add(EliminateDeadCode());
}

const Pass* FindPass(absl::string_view name) {
  static const auto& passes =
      *new std::vector<Pass>{InlineCalls(), EliminateDeadCode(),
                             EliminateCommonSubexpressions(), FuseLoops()};
  for (const Pass& pass : passes) {
    if (pass.name == name) return &pass;
  }
  return nullptr;
}

}  // namespace lockstep
