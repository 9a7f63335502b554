#include "runtime/frontend/value_scope.h"

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"

namespace lockstep::internal {

absl::Status ValueScope::DefineResults(const Cursor& cursor, const Token& name,
                                       const Op& op, int first, int count) {
  return Define(cursor, name, Binding{&op, nullptr, first, count});
}

absl::Status ValueScope::DefineArgument(const Cursor& cursor, const Token& name,
                                        Value* argument) {
  return Define(cursor, name, Binding{nullptr, argument, 0, 1});
}

absl::Status ValueScope::Define(const Cursor& cursor, const Token& name,
                                Binding binding) {
  if (absl::StrContains(name.text, '#')) {
    return InvalidAt(cursor.LocationOf(name),
                     absl::StrCat("expected a value name without a number, "
                                  "found ",
                                  name.text));
  }
  binding.position = name.begin();
  if (!bindings_.emplace(name.text, binding).second) {
    return InvalidAt(cursor.LocationOf(name),
                     absl::StrCat("value ", name.text, " is defined twice"));
  }
  order_.push_back(name.text);
  return absl::OkStatus();
}

absl::StatusOr<Value*> ValueScope::Find(const Cursor& cursor,
                                        const Token& name) const {
  const size_t sign = name.text.find('#');
  const absl::string_view base = name.text.substr(0, sign);
  int index = 0;
  const bool has_index = sign != absl::string_view::npos;
  const auto found = bindings_.find(base);
  if (found == bindings_.end()) {
    return InvalidAt(
        cursor.LocationOf(name),
        absl::StrCat("expected a value that is defined before, found ", base));
  }
  const Binding& binding = found->second;
  if ((has_index && !absl::SimpleAtoi(name.text.substr(sign + 1), &index)) ||
      index >= binding.count || (!has_index && binding.count != 1)) {
    return InvalidAt(cursor.LocationOf(name),
                     absl::StrCat("expected one of the ", binding.count,
                                  " results of ", base, ", found ", name.text));
  }
  if (binding.op == nullptr) return binding.argument;
  return binding.op->result(binding.first + index);
}

std::string ValueScope::Describe(const SourceText& source,
                                 const Value* value) const {
  const Op* op = value->defining_op();
  for (const auto& [name, binding] : bindings_) {
    const int index = op == nullptr ? 0 : value->index() - binding.first;
    const bool is_it =
        op == nullptr ? binding.argument == value
                      : binding.op == op && index >= 0 && index < binding.count;
    if (!is_it) continue;
    return absl::StrCat(name, binding.count > 1 ? absl::StrCat("#", index) : "",
                        " defined at ",
                        source.LocationAt(binding.position).ToString());
  }
  return "a value";
}

void ValueScope::Release(size_t mark) {
  while (order_.size() > mark) {
    bindings_.erase(order_.back());
    order_.pop_back();
  }
}

}  // namespace lockstep::internal
