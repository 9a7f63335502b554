#include "runtime/conformance/function_copier.h"

#include <utility>

namespace lockstep {

Value* FunctionCopier::Find(const Value* from) {
  const auto found = values_.find(from);
  if (found != values_.end()) return found->second;
  Value* const made = on_missing_ ? on_missing_(from) : nullptr;
  if (made != nullptr) values_[from] = made;
  return made;
}

void FunctionCopier::NoteFunctions(const Attribute& attribute) {
  if (const auto* array = attribute.As<Attribute::Array>()) {
    for (const Attribute& element : array->elements) NoteFunctions(element);
  }
  const auto* symbol = attribute.As<Attribute::Symbol>();
  if (symbol == nullptr) return;
  const Function* function = source_.FindFunction(symbol->name);
  if (function != nullptr && noted_.insert(function).second) {
    to_copy_.push_back(function);
  }
}

void FunctionCopier::CopyArguments(const Region& from, Region& to) {
  for (const auto& argument : from.arguments()) {
    Map(argument.get(), to.AddArgument(argument->type()));
  }
}

void FunctionCopier::CopyOp(const Op& op, Region& to) {
  OpState state;
  state.name = op.name();
  state.def = op.def();
  state.location = op.location();
  state.attributes = op.attributes();
  for (const auto& [name, value] : op.attributes().entries()) {
    NoteFunctions(value);
  }
  for (const Value* operand : op.operands()) {
    if (Value* copy = Find(operand)) state.operands.push_back(copy);
  }
  for (const auto& result : op.results()) {
    state.result_types.push_back(result->type());
  }
  for (const auto& region : op.regions()) {
    auto copy = std::make_unique<Region>();
    CopyArguments(*region, *copy);
    CopyOps(*region, *copy);
    state.regions.push_back(std::move(copy));
  }
  const Op* copy = to.Append(std::make_unique<Op>(std::move(state)));
  for (int i = 0; i < op.result_count(); ++i) {
    Map(op.result(i), copy->result(i));
  }
}

void FunctionCopier::CopyOps(const Region& from, Region& to) {
  for (const auto& op : from.ops()) CopyOp(*op, to);
}

void FunctionCopier::CopyFunction(const Function& function,
                                  const std::string& name) {
  noted_.insert(&function);
  Function* copy = target_.AddFunction(name, function.location());
  copy->set_is_private(function.is_private());
  copy->set_result_types(function.result_types());
  copy->attributes() = function.attributes();
  CopyArguments(function.body(), copy->body());
  CopyOps(function.body(), copy->body());
}

void FunctionCopier::CopyNotedFunctions() {
  while (!to_copy_.empty()) {
    const Function* function = to_copy_.front();
    to_copy_.pop_front();
    CopyFunction(*function, function->name());
  }
}

}  // namespace lockstep
