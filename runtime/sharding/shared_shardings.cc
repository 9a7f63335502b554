#include "runtime/sharding/shared_shardings.h"

#include <cstddef>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/logging.h"
#include "runtime/base/status.h"
#include "runtime/mesh/sharding/sharding_text.h"
#include "runtime/sharding/data_flow_edges.h"
#include "runtime/sharding/sharding_groups.h"
#include "runtime/sharding/user_priorities.h"

namespace lockstep::internal {
namespace {

template <typename F>
absl::Status ForEachOp(const Region& region, const F& f) {
  for (const auto& op : region.ops()) {
    RETURN_IF_ERROR(f(*op));
    for (const auto& inner : op->regions()) {
      RETURN_IF_ERROR(ForEachOp(*inner, f));
    }
  }
  return absl::OkStatus();
}

}  // namespace

SharedShardings::SharedShardings(const Function& function)
    : values_(std::make_unique<FunctionValues>(function)),
      sharers_(static_cast<int>(values_->values().size())),
      initial_(values_->values().size()) {}

absl::StatusOr<SharedShardings> SharedShardings::Create(
    const Function& function, const FunctionShardings& shardings,
    const std::vector<ShardingGroup>& groups) {
  SharedShardings shared(function);
  ASSIGN_OR_RETURN(const std::vector<ShardingGroup> merged,
                   MergedGroups(groups, *shared.values_));
  for (size_t i = 0; i < shared.initial_.size(); ++i) {
    const TensorSharding* const sharding =
        shardings.values.Find(shared.values_->values()[i]);
    if (sharding != nullptr) shared.initial_[i] = *sharding;
  }
  RETURN_IF_ERROR(ForEachOp(function.body(), [&](const Op& op) -> absl::Status {
    RETURN_IF_ERROR(shared.AddBorders(op, shardings));
    shared.JoinTargets(op);
    return absl::OkStatus();
  }));
  for (const ShardingGroup& group : merged) shared.JoinGroup(group);
  for (size_t i = 0; i < shared.initial_.size(); ++i) {
    shared.representatives_.push_back(
        shared.sharers_.Find(static_cast<int>(i)));
  }
  return shared;
}

const TargetBorder* SharedShardings::BorderOf(const Value* target) const {
  const auto found = borders_.find(target);
  return found == borders_.end() ? nullptr : &found->second;
}

absl::Status SharedShardings::AddBorders(const Op& op,
                                         const FunctionShardings& shardings) {
  if (op.name() != "sdy.manual_computation") return absl::OkStatus();
  const auto found = shardings.manual_computations.find(&op);
  if (found == shardings.manual_computations.end() ||
      found->second.in.size() != op.operands().size() ||
      found->second.out.size() != op.results().size()) {
    return op.Error("needs a sharding for each operand and result");
  }
  const ManualShardings& manual = found->second;
  for (size_t i = 0; i < manual.in.size(); ++i) {
    AddBorder(op.region().arguments()[i].get(), manual.in[i],
              manual.manual_axes, /*is_inside=*/true);
  }
  for (size_t i = 0; i < manual.out.size(); ++i) {
    AddBorder(op.results()[i].get(), manual.out[i], manual.manual_axes,
              /*is_inside=*/false);
  }
  manual_computations_.push_back(&op);
  return absl::OkStatus();
}

void SharedShardings::AddBorder(const Value* target,
                                const TensorSharding& outside,
                                const std::vector<std::string>& manual_axes,
                                bool is_inside) {
  const TensorSharding sharding = WithoutPriorities(outside);
  auto border = std::make_unique<const ManualBorder>(sharding, manual_axes);
  initial_[values_->IndexOf(target)] =
      is_inside ? border->Inside(sharding) : sharding;
  borders_[target] = {.border = std::move(border), .is_inside = is_inside};
}

void SharedShardings::JoinTargets(const Op& op) {
  const OpDataFlow flow = DataFlowOf(op);
  for (const auto* edges : {&flow.into_regions, &flow.into_results}) {
    for (const DataFlowEdge& edge : *edges) {
      const int owner = values_->IndexOf(edge.targets[0]);
      std::optional<TensorSharding> sharding;
      for (const Value* target : edge.targets) {
        const int index = values_->IndexOf(target);
        if (!sharding.has_value()) sharding = initial_[index];
        sharers_.Join(owner, index);
      }
      if (sharding.has_value()) sharding = WithoutPriorities(*sharding);
      initial_[sharers_.Find(owner)] = std::move(sharding);
    }
  }
}

void SharedShardings::JoinGroup(const ShardingGroup& group) {
  std::optional<TensorSharding> sharding;
  for (const Value* value : group) {
    const std::optional<TensorSharding>& other =
        initial_[sharers_.Find(values_->IndexOf(value))];
    if (!other.has_value()) continue;
    if (sharding.has_value() && *sharding != *other) {
      LogWarning(
          absl::StrCat("values of a sharding group have different shardings, ",
                       ToSdyString(*sharding), " and ", ToSdyString(*other),
                       "; what they share starts open"));
      open_groups_.push_back(group);
      return;
    }
    sharding = other;
  }
  const int first = values_->IndexOf(group.front());
  for (const Value* value : group) {
    sharers_.Join(first, values_->IndexOf(value));
  }
  initial_[sharers_.Find(first)] = std::move(sharding);
}

}  // namespace lockstep::internal
