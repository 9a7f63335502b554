#include "runtime/passes/import/listed_groups.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "runtime/base/status.h"
#include "runtime/ops/collectives/mesh_axes_groups.h"
#include "runtime/passes/import/op_walk.h"
#include "runtime/types/literal.h"

namespace lockstep::internal {
namespace {

constexpr absl::string_view kGroups = "replica_groups";

// Groups along axes have the same number of members.
Attribute Listed(const std::vector<std::vector<int64_t>>& groups) {
  const auto size =
      groups.empty() ? int64_t{0} : static_cast<int64_t>(groups[0].size());
  Literal ids(
      Shape(ElementType::kS64, {static_cast<int64_t>(groups.size()), size}));
  auto next = ids.mutable_data<int64_t>().begin();
  for (const std::vector<int64_t>& group : groups) {
    next = std::copy(group.begin(), group.end(), next);
  }
  return Attribute::FromLiteral(std::move(ids));
}

}  // namespace

absl::Status ListReplicaGroups(const Module& module) {
  return ForEachOp(module, [](Op& op) -> absl::Status {
    const Attribute* groups = op.attribute(kGroups);
    if (groups == nullptr || groups->As<Attribute::Struct>() == nullptr) {
      return absl::OkStatus();
    }
    ASSIGN_OR_RETURN(const std::vector<std::vector<int64_t>> listed,
                     MeshAxesGroups(op, *groups));
    op.mutable_attributes().Set(kGroups, Listed(listed));
    return absl::OkStatus();
  });
}

}  // namespace lockstep::internal
