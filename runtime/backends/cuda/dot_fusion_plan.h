#ifndef LOCKSTEP_RUNTIME_BACKENDS_CUDA_DOT_FUSION_PLAN_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CUDA_DOT_FUSION_PLAN_H_

#include <cstdint>
#include <optional>

#include "runtime/backends/cuda/dot_plan.h"
#include "runtime/ir/op.h"
#include "runtime/ops/dot_epilogue.h"

namespace lockstep::internal {

// How long the columns of matrices may be, with what is between them, for an
// activation: KeepsNan needs memory for 64 of each.
inline constexpr int64_t kMaxActivationPitchBytes = int64_t{256} << 10;

// A fusion of kind dot as one product of cuBLASLt with an epilogue.
struct DotFusionPlan {
  DotEpilogue epilogue;
  DotPlan plan;
  // The operands of the fusion that are the dot's and the bias; -1: no bias.
  int lhs = 0;
  int rhs = 0;
  int bias = -1;
};

// Nothing where the library has no such epilogue, or one that computes
// something else:
//   - all that PlanDot refuses, several calls and batches;
//   - results that are not f32, f16 or bf16;
//   - a bias that is not as long as the contiguous rows of the result;
//   - gelu of f32: the library's is off by up to 6e-6. Of halves it is nearer
//   to
//     gelu than the program's ops, which are rounded one by one;
//   - activations on longer columns than kMaxActivationPitchBytes.
// The op is a lockstep.fusion.
std::optional<DotFusionPlan> PlanDotFusion(const Op& fusion);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CUDA_DOT_FUSION_PLAN_H_
