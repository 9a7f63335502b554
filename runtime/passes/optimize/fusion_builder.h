#ifndef LOCKSTEP_RUNTIME_PASSES_OPTIMIZE_FUSION_BUILDER_H_
#define LOCKSTEP_RUNTIME_PASSES_OPTIMIZE_FUSION_BUILDER_H_

#include <memory>

#include "runtime/ir/clone.h"
#include "runtime/ir/op.h"
#include "runtime/passes/optimize/fusible_op.h"
#include "runtime/passes/optimize/fusion_plan.h"

namespace lockstep::internal {

// The region and the operands of one fusion. Leaves that members read are
// copied into it. Used once.
class FusionBuilder {
 public:
  // `outside` maps values to what stands for them. Both outlive the builder.
  FusionBuilder(const ValueMap& outside, FusionRoles& roles)
      : outside_(outside), roles_(roles), region_(std::make_unique<Region>()) {}

  // Members may be in any order in which operands come before users.
  std::unique_ptr<Op> Build(const PlannedFusion& fusion);

 private:
  void Provide(Value* operand);

  const ValueMap& outside_;
  FusionRoles& roles_;
  ValueMap inside_;
  OpState state_;
  std::unique_ptr<Region> region_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_PASSES_OPTIMIZE_FUSION_BUILDER_H_
