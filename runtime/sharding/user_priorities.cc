#include "runtime/sharding/user_priorities.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <utility>

#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

bool HasPriorities(const TensorSharding& sharding) {
  return std::ranges::any_of(sharding.dims, [](const DimSharding& dim) {
    return dim.priority.has_value();
  });
}

// In mesh order; neighbours that make up a larger part of an axis become it.
void SortAndMerge(const AbstractMesh& mesh, std::vector<AxisRef>& axes) {
  std::ranges::sort(axes, [&](const AxisRef& a, const AxisRef& b) {
    return IsBefore(a, b, mesh);
  });
  std::vector<AxisRef> merged;
  for (AxisRef& axis : axes) {
    std::optional<AxisRef> both =
        merged.empty() ? std::nullopt : merged.back().Merge(axis, mesh);
    if (both.has_value()) {
      merged.back() = *std::move(both);
    } else {
      merged.push_back(std::move(axis));
    }
  }
  axes = std::move(merged);
}

}  // namespace

TensorSharding WithoutPriorities(TensorSharding sharding) {
  for (DimSharding& dim : sharding.dims) dim.priority.reset();
  return sharding;
}

TensorSharding ShardingAtPriority(const TensorSharding& written,
                                  const TensorSharding& current,
                                  int64_t priority, const AbstractMesh& mesh) {
  TensorSharding sharding = current;
  sharding.replicated = written.replicated;
  for (size_t i = 0; i < written.dims.size(); ++i) {
    const DimSharding& dim = written.dims[i];
    if (dim.PriorityOrDefault() == priority) {
      sharding.dims[i] = dim;
    } else if (dim.PriorityOrDefault() > priority) {
      sharding.dims[i] = DimSharding();
      sharding.replicated.insert(sharding.replicated.end(), dim.axes.begin(),
                                 dim.axes.end());
    }
  }
  SortAndMerge(mesh, sharding.replicated);
  return WithoutPriorities(std::move(sharding));
}

absl::StatusOr<UserPriorities> UserPriorities::Create(const MeshTable& meshes,
                                                      PropagationGraph& graph) {
  UserPriorities created(graph);
  std::set<int64_t> priorities = {0};
  for (size_t i = 0; i < graph.slots().size(); ++i) {
    const ShardingSlot& slot = graph.slots()[i];
    if (!slot.sharding.has_value() || !HasPriorities(*slot.sharding)) continue;
    Waiting waiting{.slot = static_cast<int>(i),
                    .written = *slot.sharding,
                    .mesh = nullptr};
    ASSIGN_OR_RETURN(waiting.mesh, MeshOfSharding(*slot.sharding, meshes));
    for (const DimSharding& dim : waiting.written.dims) {
      priorities.insert(dim.PriorityOrDefault());
    }
    created.waiting_.push_back(std::move(waiting));
  }
  created.priorities_.assign(priorities.begin(), priorities.end());
  return created;
}

void UserPriorities::Begin(int64_t priority) {
  for (const Waiting& waiting : waiting_) {
    graph_->Set({.slot = waiting.slot},
                ShardingAtPriority(waiting.written,
                                   *graph_->slots()[waiting.slot].sharding,
                                   priority, waiting.mesh->abstract()));
  }
}

}  // namespace lockstep::internal
