#include "runtime/ir/value_names.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/ir/op_def.h"

namespace lockstep::internal {

// The names of one region and of those around it.
class ValueNames::UsedNames {
 public:
  explicit UsedNames(const UsedNames* around) : around_(around) {}

  // `name`, with a number when it is taken.
  std::string Take(absl::string_view name, int64_t& next_conflict) {
    std::string unique = absl::StrCat("%", name);
    while (IsTaken(unique)) {
      unique = absl::StrCat("%", name, "_", next_conflict++);
    }
    names_.insert(unique);
    return unique;
  }

 private:
  bool IsTaken(const std::string& name) const {
    for (const UsedNames* used = this; used != nullptr; used = used->around_) {
      if (used->names_.contains(name)) return true;
    }
    return false;
  }

  const UsedNames* const around_;
  absl::flat_hash_set<std::string> names_;
};

const std::string& ValueNames::Of(const Value* value) {
  std::string& name = names_[value];
  if (name.empty()) name = absl::StrCat("%outer", next_outer_++);
  return name;
}

absl::string_view ValueNames::OfResults(const Op& op) {
  absl::string_view name = Of(op.result());
  if (op.result_count() > 1) name.remove_suffix(2);  // "#0"
  return name;
}

void ValueNames::NameResults(const Op& op, Numbers& numbers, UsedNames& used) {
  if (op.result_count() == 0) return;
  const bool has_hint = op.def() != nullptr && op.def()->result_name();
  const std::string name =
      has_hint ? used.Take(op.def()->result_name()(op), numbers.conflict)
               : absl::StrCat("%", numbers.value++);
  for (int i = 0; i < op.result_count(); ++i) {
    names_[op.result(i)] =
        op.result_count() == 1 ? name : absl::StrCat(name, "#", i);
  }
}

void ValueNames::NameRegion(const Region& region, Numbers numbers,
                            const UsedNames* around) {
  UsedNames used(around);
  const Op* owner = region.parent_op();
  const bool has_hint = owner != nullptr && owner->def() != nullptr &&
                        !owner->def()->argument_name().empty();
  for (const auto& argument : region.arguments()) {
    const std::string hint = has_hint ? owner->def()->argument_name()
                                      : absl::StrCat("arg", numbers.argument++);
    names_[argument.get()] = used.Take(hint, numbers.conflict);
  }
  for (const auto& op : region.ops()) NameResults(*op, numbers, used);
  for (const auto& op : region.ops()) {
    for (const auto& inner : op->regions()) NameRegion(*inner, numbers, &used);
  }
}

void ValueNames::NameRegion(const Region& region) {
  NameRegion(region, Numbers(), nullptr);
}

void ValueNames::NameOp(const Op& op) {
  UsedNames used(nullptr);
  Numbers numbers;
  for (const Value* operand : op.operands()) {
    if (names_.contains(operand)) continue;
    names_[operand] = absl::StrCat("%arg", numbers.argument++);
  }
  NameResults(op, numbers, used);
  for (const auto& region : op.regions()) NameRegion(*region, numbers, &used);
}

}  // namespace lockstep::internal
