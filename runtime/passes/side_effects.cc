#include "runtime/passes/side_effects.h"

#include "runtime/callbacks/host_call.h"
#include "runtime/ir/op_def.h"

namespace lockstep::internal {
namespace {

bool HasOwnEffect(const Op& op) {
  if (op.def() == nullptr) return true;
  switch (op.def()->kind()) {
    case OpKind::kCollective:
    case OpKind::kTerminator:
      return true;
    case OpKind::kCustomCall:
      return !IsHostCall(op) || HasHostEffect(op);
    default:
      return op.name() == "func.call" || op.name() == "stablehlo.composite" ||
             op.name() == "stablehlo.rng" ||
             op.name() == "sdy.sharding_group" || !op.def()->evaluate();
  }
}

}  // namespace

SideEffects::SideEffects(const Module& module) {
  for (const auto& function : module.functions()) Visit(function->body());
}

bool SideEffects::Visit(const Region& region) {
  bool any = false;
  for (const auto& op : region.ops()) {
    bool has = HasOwnEffect(*op);
    for (const auto& nested : op->regions()) has |= Visit(*nested);
    if (has) ops_.insert(op.get());
    any |= has && op.get() != region.terminator();
  }
  return any;
}

}  // namespace lockstep::internal
