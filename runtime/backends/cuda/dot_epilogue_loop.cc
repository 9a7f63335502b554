#include "runtime/backends/cuda/dot_epilogue_loop.h"

#include <string>
#include <utility>

#include "runtime/ir/clone.h"
#include "runtime/ir/op_def.h"
#include "runtime/ops/lockstep/fusion.h"

namespace lockstep::internal {

std::unique_ptr<Op> LoopAfterDot(const DotEpilogue& epilogue) {
  Value* const sums = epilogue.dot->result();
  OpState state = StateLike(*epilogue.dot);
  state.name = std::string(kFusionOp);
  state.def = OpRegistry::Get().Find(kFusionOp);
  state.attributes = AttributeMap();
  state.attributes.Set(
      "kind",
      Attribute::String{std::string(FusionKindName(FusionKind::kLoop))});
  state.operands = {sums};
  state.result_types = {sums->type()};
  auto region = std::make_unique<Region>();
  ValueMap map;
  map.Set(sums, region->AddArgument(sums->type()));
  if (epilogue.bias != nullptr) {
    state.operands.push_back(epilogue.bias);
    map.Set(epilogue.bias, region->AddArgument(epilogue.bias->type()));
  }
  for (const Op* op : epilogue.ops) {
    if (op == epilogue.dot) continue;
    for (const Value* operand : op->operands()) {
      if (!map.Contains(operand)) {
        region->Append(CloneOp(*operand->defining_op(), map));
      }
    }
    region->Append(CloneOp(*op, map));
  }
  OpState end = StateLike(*epilogue.dot);
  end.name = "stablehlo.return";
  end.def = OpRegistry::Get().Find(end.name);
  end.attributes = AttributeMap();
  end.operands = {map.Find(epilogue.ops.back()->result())};
  region->Append(std::make_unique<Op>(std::move(end)));
  state.regions.push_back(std::move(region));
  return std::make_unique<Op>(std::move(state));
}

}  // namespace lockstep::internal
