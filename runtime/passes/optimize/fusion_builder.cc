#include "runtime/passes/optimize/fusion_builder.h"

#include <string>
#include <utility>

#include "runtime/ir/op_def.h"
#include "runtime/ops/lockstep/fusion.h"

namespace lockstep::internal {

std::unique_ptr<Op> FusionBuilder::Build(const PlannedFusion& fusion) {
  for (const Op* member : fusion.members) {
    for (Value* operand : member->operands()) Provide(operand);
    region_->Append(CloneOp(*member, inside_));
  }
  const Op& root = *fusion.members.back();
  OpState end;
  end.name = "stablehlo.return";
  end.def = OpRegistry::Get().Find(end.name);
  end.location = root.location();
  state_.name = std::string(kFusionOp);
  state_.def = OpRegistry::Get().Find(kFusionOp);
  state_.location = root.location();
  state_.attributes.Set(
      "kind", Attribute::String{std::string(FusionKindName(fusion.kind))});
  for (const Op* output : fusion.outputs) {
    for (const auto& result : output->results()) {
      end.operands.push_back(inside_.Find(result.get()));
      state_.result_types.push_back(result->type());
    }
  }
  region_->Append(std::make_unique<Op>(std::move(end)));
  state_.regions.push_back(std::move(region_));
  return std::make_unique<Op>(std::move(state_));
}

void FusionBuilder::Provide(Value* operand) {
  if (inside_.Contains(operand)) return;
  if (roles_.IsLeaf(operand)) {
    region_->Append(CloneOp(*operand->defining_op(), inside_));
    return;
  }
  inside_.Set(operand, region_->AddArgument(operand->type()));
  state_.operands.push_back(outside_.Find(operand));
}

}  // namespace lockstep::internal
