#include "runtime/conformance/function_copy.h"

#include <memory>
#include <utility>
#include <vector>

#include "runtime/ir/clone.h"

namespace lockstep::internal {
namespace {

using Names = std::vector<std::string>;

void AppendNames(const Attribute& attribute, Names& names) {
  if (const auto* array = attribute.As<Attribute::Array>()) {
    for (const Attribute& element : array->elements) {
      AppendNames(element, names);
    }
  }
  if (const auto* symbol = attribute.As<Attribute::Symbol>()) {
    names.push_back(symbol->name);
  }
}

void AppendNames(const Region& region, Names& names) {
  for (const auto& op : region.ops()) {
    for (const auto& [name, value] : op->attributes().entries()) {
      AppendNames(value, names);
    }
    for (const auto& nested : op->regions()) AppendNames(*nested, names);
  }
}

}  // namespace

void CopyFunction(const Function& function, const std::string& name,
                  Module& target) {
  Function* copy = target.AddFunction(name, function.location());
  copy->set_is_private(function.is_private());
  copy->set_result_types(function.result_types());
  copy->attributes() = function.attributes();
  ValueMap map;
  for (const auto& argument : function.body().arguments()) {
    map.Set(argument.get(), copy->body().AddArgument(argument->type()));
  }
  for (const auto& op : function.body().ops()) {
    copy->body().Append(CloneOp(*op, map));
  }
}

void CopyNamedFunctions(const Module& source, Module& target) {
  for (size_t i = 0; i < target.functions().size(); ++i) {
    Names names;
    AppendNames(target.functions()[i]->body(), names);
    for (const std::string& name : names) {
      const Function* function = source.FindFunction(name);
      if (function != nullptr && target.FindFunction(name) == nullptr) {
        CopyFunction(*function, name, target);
      }
    }
  }
}

}  // namespace lockstep::internal
