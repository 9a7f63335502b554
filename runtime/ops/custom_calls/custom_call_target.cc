#include "runtime/ops/custom_calls/custom_call_target.h"

#include <utility>

#include "runtime/base/check.h"

namespace lockstep::internal {

CustomCallTargets& CustomCallTargets::Get() {
  static auto* targets = new CustomCallTargets;
  return *targets;
}

void CustomCallTargets::Add(absl::string_view name, CustomCallTarget target) {
  LOCKSTEP_CHECK(target.check && target.evaluate);
  LOCKSTEP_CHECK(!target.batch == !target.evaluate_members);
  LOCKSTEP_CHECK(targets_.emplace(name, std::move(target)).second);
}

const CustomCallTarget* CustomCallTargets::Find(absl::string_view name) const {
  const auto it = targets_.find(name);
  return it == targets_.end() ? nullptr : &it->second;
}

std::vector<std::string> CustomCallTargets::Names() const {
  std::vector<std::string> names;
  for (const auto& [name, target] : targets_) names.push_back(name);
  return names;
}

absl::string_view CustomCallTargetName(const Op& op) {
  if (op.name() != "stablehlo.custom_call") return "";
  const Attribute* target = op.attribute("call_target_name");
  const auto* name =
      target == nullptr ? nullptr : target->As<Attribute::String>();
  return name == nullptr ? absl::string_view() : name->value;
}

const CustomCallTarget* FindCustomCallTarget(const Op& op) {
  return CustomCallTargets::Get().Find(CustomCallTargetName(op));
}

}  // namespace lockstep::internal
