#ifndef LOCKSTEP_RUNTIME_PASSES_OPTIMIZE_PASSES_H_
#define LOCKSTEP_RUNTIME_PASSES_OPTIMIZE_PASSES_H_

#include <functional>

#include "runtime/ir/pass_manager.h"

namespace lockstep::internal {

// The optimisation passes, each in the file of its name. All of them
//   - need a verified module and leave one;
//   - give the same module for the same module, everywhere;
//   - keep the order of collectives and custom calls among themselves, all of
//     them, the entry function's signature and attributes, and locations;
//   - keep every bit of the results when the oracle evaluates them;
//   - take time linear in the number of ops.

// Puts the bodies of called functions in the place of the calls.
Pass InlineCalls();
// Removes ops that nothing needs, and functions that nothing reaches.
Pass EliminateDeadCode();
// Keeps the first of several ops that compute the same.
Pass EliminateCommonSubexpressions();
// Computes ops on constants, as far as the results are small.
Pass FoldConstants();
// x * 1, x - x of integers, select of a constant, ...: what holds exactly.
Pass SimplifyAlgebra();
// Brings chains of reshapes, broadcasts, transposes and slices to one form.
Pass FoldDataMovement();
// dot becomes dot_general; transposes of operands become dimension numbers.
Pass CanonicalizeDots();
// reduce without dims of size 1, and of what is transposed.
Pass CanonicalizeReductions();
// Moves what does not change in a while out of it; state that does not change
// is no longer state.
Pass HoistLoopInvariants();
// Makes one all_reduce of several of the same groups and body.
Pass CombineCollectives();
// Gives the bodies of reductions, sorts and the like copies of the scalar
// constants outside that they use, so that they can be compiled by themselves.
Pass SinkConstants();
// Transposes operands of dots so that their batching dims come first, as a
// library of batched products wants them. `wants`: of which dots; null: of all.
// Behind CanonicalizeDots, which would take the transposes away again.
Pass LayOutDots(std::function<bool(const Op&)> wants = nullptr);
// What a backend does with fusions of dots.
struct DotFusionSupport {
  // Whether kernels have code for an op; null: for all.
  std::function<bool(const Op&)> can_fuse;
  // Whether it takes a lockstep.fusion of kind dot, which is in no region yet;
  // null: all of them.
  std::function<bool(const Op&)> can_fuse_dot;
};
// Makes one lockstep.fusion of a dot, a bias and an activation, unless all who
// read the result are loops, which compute them for themselves.
Pass FuseDotEpilogues(DotFusionSupport support = {});
// Makes one lockstep.fusion of ops that can be one kernel. `can_fuse`: whether
// kernels have code for an op; null: for all.
Pass FuseLoops(std::function<bool(const Op&)> can_fuse = nullptr);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_PASSES_OPTIMIZE_PASSES_H_
