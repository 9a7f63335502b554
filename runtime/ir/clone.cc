#include "runtime/ir/clone.h"

#include <utility>

namespace lockstep::internal {
namespace {

// Recursion is bounded by the depth of regions.
void CloneInto(const Region& from, Region& to, ValueMap& map) {
  for (const auto& argument : from.arguments()) {
    map.Set(argument.get(), to.AddArgument(argument->type()));
  }
  for (const auto& op : from.ops()) to.Append(CloneOp(*op, map));
}

}  // namespace

OpState StateLike(const Op& op) {
  OpState state;
  state.name = op.name();
  state.def = op.def();
  state.location = op.location();
  state.attributes = op.attributes();
  return state;
}

std::unique_ptr<Region> CloneRegion(const Region& region, ValueMap& map) {
  auto clone = std::make_unique<Region>();
  CloneInto(region, *clone, map);
  return clone;
}

std::unique_ptr<Op> CloneOp(const Op& op, ValueMap& map) {
  OpState state = StateLike(op);
  state.operands.reserve(op.operands().size());
  for (Value* operand : op.operands()) {
    state.operands.push_back(map.Find(operand));
  }
  state.result_types.reserve(op.results().size());
  for (const auto& result : op.results()) {
    state.result_types.push_back(result->type());
  }
  for (const auto& region : op.regions()) {
    state.regions.push_back(CloneRegion(*region, map));
  }
  auto clone = std::make_unique<Op>(std::move(state));
  for (int i = 0; i < op.result_count(); ++i) {
    map.Set(op.result(i), clone->result(i));
  }
  return clone;
}

std::unique_ptr<Module> CloneModule(const Module& module) {
  auto clone = std::make_unique<Module>();
  clone->set_name(module.name());
  clone->attributes() = module.attributes();
  clone->meshes() = module.meshes();
  clone->opaque_ops() = module.opaque_ops();
  for (const auto& function : module.functions()) {
    Function& copy =
        *clone->AddFunction(function->name(), function->location());
    copy.set_is_private(function->is_private());
    copy.attributes() = function->attributes();
    ValueMap map;
    CloneInto(function->body(), copy.body(), map);
    copy.set_result_types(function->result_types());
    copy.result_attributes() = function->result_attributes();
    const int count = static_cast<int>(function->body().arguments().size());
    for (int i = 0; i < count; ++i) {
      copy.argument_attributes()[i] =
          static_cast<const Function&>(*function).argument_attributes(i);
    }
  }
  return clone;
}

}  // namespace lockstep::internal
