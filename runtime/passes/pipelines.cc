#include "runtime/passes/pipelines.h"

#include <vector>

#include "runtime/passes/import/import_gspmd.h"
#include "runtime/passes/import/import_shardings.h"
#include "runtime/passes/optimize/passes.h"
#include "runtime/passes/partition/passes.h"

namespace lockstep::internal {

namespace {

// Until little is left to find: each of them makes work for the others.
void AddSimplifications(PassManager& passes) {
  // Splats first: the rules of the others look for them.
  passes.Add(FoldConstants());
  passes.Add(SimplifyAlgebra());
  // Leaves one form of movement, which the canonical dots and reductions
  // look for.
  passes.Add(FoldDataMovement());
  passes.Add(CanonicalizeDots());
  passes.Add(CanonicalizeReductions());
  // Rewritten ops leave their originals behind, and the same op often twice.
  passes.Add(EliminateCommonSubexpressions());
  passes.Add(EliminateDeadCode());
}

}  // namespace

void AddOptimizationPasses(PassManager& passes,
                           const OptimizationOptions& options) {
  // Calls hide everything from the passes that follow.
  passes.Add(InlineCalls());
  // What is dead would cost the others time, and count as a user.
  passes.Add(EliminateDeadCode());
  AddSimplifications(passes);
  // Once loops are small, what they need from outside shows, and meets its
  // like there.
  passes.Add(HoistLoopInvariants());
  AddSimplifications(passes);
  // Before fusion: what waits for the collective moves behind it.
  passes.Add(CombineCollectives());
  // Behind the others, which would take the copies away again.
  passes.Add(SinkConstants());
  // Before fusion, where transposes become a part of what makes the operands;
  // several dots may have the same one.
  if (options.wants_batch_first) {
    passes.Add(LayOutDots(options.wants_batch_first));
    passes.Add(EliminateCommonSubexpressions());
    passes.Add(EliminateDeadCode());
  }
  // Before loops, which would take what follows a dot.
  if (options.can_fuse_dot) {
    passes.Add(FuseDotEpilogues({options.can_fuse, options.can_fuse_dot}));
  }
  // Last: the others do not look into fusions.
  passes.Add(FuseLoops(options.can_fuse));
  // The leaves that fusions have copied.
  passes.Add(EliminateDeadCode());
}

const Pass* FindPass(absl::string_view name) {
  static const auto& passes =
      *new std::vector<Pass>{InlineCalls(),
                             EliminateDeadCode(),
                             EliminateCommonSubexpressions(),
                             FoldConstants(),
                             SimplifyAlgebra(),
                             FoldDataMovement(),
                             CanonicalizeDots(),
                             CanonicalizeReductions(),
                             HoistLoopInvariants(),
                             CombineCollectives(),
                             SinkConstants(),
                             LayOutDots(),
                             ImportGspmd(),
                             ImportShardings(),
                             PropagateShardings(),
                             InsertReshards(),
                             LowerToShards(),
                             FuseDotEpilogues(),
                             FuseLoops()};
  for (const Pass& pass : passes) {
    if (pass.name == name) return &pass;
  }
  return nullptr;
}

}  // namespace lockstep::internal
