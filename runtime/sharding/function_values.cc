#include "runtime/sharding/function_values.h"

namespace lockstep::internal {

FunctionValues::FunctionValues(const Function& function) {
  AddRegion(function.body());
  use_counts_.resize(values_.size());
  CountUses(function.body());
}

void FunctionValues::Add(const Value* value) {
  indices_.emplace(value, static_cast<int>(values_.size()));
  values_.push_back(value);
}

void FunctionValues::AddRegion(const Region& region) {
  for (const auto& argument : region.arguments()) Add(argument.get());
  for (const auto& op : region.ops()) {
    for (const auto& result : op->results()) Add(result.get());
    for (const auto& inner : op->regions()) AddRegion(*inner);
  }
}

void FunctionValues::CountUses(const Region& region) {
  for (const auto& op : region.ops()) {
    for (const Value* operand : op->operands()) {
      ++use_counts_[IndexOf(operand)];
    }
    for (const auto& inner : op->regions()) CountUses(*inner);
  }
}

}  // namespace lockstep::internal
