#include "runtime/passes/import/value_origins.h"

#include <algorithm>

#include "absl/container/flat_hash_set.h"
#include "runtime/passes/import/op_walk.h"
#include "runtime/passes/side_effects.h"

namespace lockstep::internal {

ValueOrigins::ValueOrigins(const Module& module, const ShapeChanges& changes) {
  const SideEffects effects(module);
  (void)ForEachOp(module, [&](Op& op) {
    Origin origin = effects.Has(op) ? Origin::kEffects : Origin::kConstants;
    if (changes.contains(&op)) origin = Origin::kArguments;
    for (const Value* value : FreeValues(op)) {
      const Op* from = value->defining_op();
      const Origin of_value = from == nullptr ? Origin::kArguments : Of(*from);
      if (of_value == Origin::kArguments) origin = Origin::kArguments;
      if (of_value == Origin::kEffects && origin == Origin::kConstants) {
        origin = Origin::kEffects;
      }
    }
    const auto place = static_cast<int64_t>(entries_.size());
    entries_[&op] = {origin, place};
    return absl::OkStatus();
  });
}

ValueOrigins::Origin ValueOrigins::Of(const Op& op) const {
  const auto found = entries_.find(&op);
  return found == entries_.end() ? Origin::kArguments : found->second.origin;
}

std::vector<const Op*> ValueOrigins::ConstantsFor(
    std::vector<const Op*> ops) const {
  absl::flat_hash_set<const Op*> found;
  std::vector<const Op*> all;
  while (!ops.empty()) {
    const Op* op = ops.back();
    ops.pop_back();
    if (!found.insert(op).second) continue;
    all.push_back(op);
    for (const Value* value : FreeValues(*op)) {
      ops.push_back(value->defining_op());
    }
  }
  std::sort(all.begin(), all.end(), [&](const Op* a, const Op* b) {
    return entries_.at(a).place < entries_.at(b).place;
  });
  return all;
}

void ValueOrigins::AddCopy(const Op& of, const Op& copy) {
  entries_[&copy] = entries_.at(&of);
}

}  // namespace lockstep::internal
