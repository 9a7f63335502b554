#include "runtime/ir/module.h"

#include <limits>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

absl::StatusOr<int32_t> Count(const AttributeMap& attributes,
                              absl::string_view name) {
  const Attribute* attribute = attributes.Find(name);
  if (attribute == nullptr) return 1;
  absl::StatusOr<int64_t> count = IntegerOf(*attribute);
  if (!count.ok()) return Annotate(count.status(), name);
  if (*count < 1 || *count > std::numeric_limits<int32_t>::max()) {
    return absl::InvalidArgumentError(absl::StrCat(
        name, ": expected an integer from 1 to 2147483647, found ", *count));
  }
  return static_cast<int32_t>(*count);
}

}  // namespace

std::vector<Type> Function::argument_types() const {
  std::vector<Type> types;
  for (const auto& argument : body_.arguments()) {
    types.push_back(argument->type());
  }
  return types;
}

std::vector<AttributeMap>& Function::argument_attributes() {
  argument_attributes_.resize(body_.arguments().size());
  return argument_attributes_;
}

const AttributeMap& Function::argument_attributes(int i) const {
  static const AttributeMap& none = *new AttributeMap;
  const auto index = static_cast<size_t>(i);
  return index < argument_attributes_.size() ? argument_attributes_[index]
                                             : none;
}

Function* Module::AddFunction(std::string name, Location location) {
  functions_.push_back(
      std::make_unique<Function>(std::move(name), std::move(location)));
  Function* function = functions_.back().get();
  function->module_ = this;
  functions_by_name_.emplace(function->name(), function);
  return function;
}

Function* Module::FindFunction(absl::string_view name) const {
  const auto found = functions_by_name_.find(name);
  return found == functions_by_name_.end() ? nullptr : found->second;
}

void Module::EraseFunctions(
    const std::function<bool(const Function&)>& is_dead) {
  std::vector<std::unique_ptr<Function>> kept;
  functions_by_name_.clear();
  for (auto& function : functions_) {
    if (is_dead(*function)) continue;
    functions_by_name_.emplace(function->name(), function.get());
    kept.push_back(std::move(function));
  }
  functions_ = std::move(kept);
}

absl::StatusOr<Function*> Module::EntryFunction() const {
  if (Function* main = FindFunction("main")) return main;
  Function* entry = nullptr;
  int public_count = 0;
  for (const auto& function : functions_) {
    if (function->is_private()) continue;
    entry = function.get();
    ++public_count;
  }
  if (public_count == 1) return entry;
  if (functions_.empty()) {
    return absl::InvalidArgumentError(
        "expected a function @main, found no function");
  }
  constexpr size_t kMostNames = 10;
  std::vector<std::string> names;
  for (const auto& function : functions_) {
    if (names.size() == kMostNames) {
      names.push_back("...");
      break;
    }
    names.push_back(absl::StrCat(function->is_private() ? "private " : "", "@",
                                 function->name()));
  }
  return absl::InvalidArgumentError(
      absl::StrCat("expected a function @main or one public function, found ",
                   absl::StrJoin(names, ", ")));
}

absl::StatusOr<int32_t> Module::ReplicaCount() const {
  return Count(attributes_, "mhlo.num_replicas");
}

absl::StatusOr<int32_t> Module::PartitionCount() const {
  return Count(attributes_, "mhlo.num_partitions");
}

}  // namespace lockstep::internal
