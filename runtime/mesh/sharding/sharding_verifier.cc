#include "runtime/mesh/sharding/sharding_verifier.h"

#include <algorithm>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "runtime/base/status.h"
#include "runtime/mesh/sharding/attribute_text.h"
#include "runtime/mesh/sharding/axis_ref.h"

namespace lockstep::internal {
namespace {

template <typename... Parts>
absl::Status Invalid(const Parts&... parts) {
  return absl::InvalidArgumentError(absl::StrCat(parts...));
}

std::vector<absl::Span<const AxisRef>> AxisLists(
    const TensorSharding& sharding) {
  std::vector<absl::Span<const AxisRef>> lists;
  for (const DimSharding& dim : sharding.dims) lists.emplace_back(dim.axes);
  lists.emplace_back(sharding.replicated);
  lists.emplace_back(sharding.unreduced);
  return lists;
}

absl::Status VerifyPair(const AxisRef& first, const AxisRef& second) {
  if (first.name() != second.name()) return absl::OkStatus();
  if (first == second) {
    return Invalid(first.is_whole() ? "axis " : "sub-axis ", first.ToString(),
                   " is used twice");
  }
  if (first.is_whole() || second.is_whole()) {
    const AxisRef& part = first.is_whole() ? second : first;
    return Invalid("axis ", QuotedAttribute(first.name()),
                   " is used as a whole and as sub-axis ", part.ToString());
  }
  if (first.Overlaps(second)) {
    return Invalid("sub-axes ", first.ToString(), " and ", second.ToString(),
                   " overlap");
  }
  if (!first.CanCoexistWith(second)) {
    return Invalid("sub-axes ", first.ToString(), " and ", second.ToString(),
                   " cannot be parts of one axis");
  }
  return absl::OkStatus();
}

// Pairs of neighbours in mesh order are enough: an overlap with a later ref is
// one with the next ref too, and divisibility is transitive.
absl::Status VerifyAllPairs(const TensorSharding& sharding,
                            const AbstractMesh& mesh) {
  std::vector<AxisRef> refs;
  for (const absl::Span<const AxisRef> list : AxisLists(sharding)) {
    refs.insert(refs.end(), list.begin(), list.end());
  }
  std::sort(refs.begin(), refs.end(),
            [&](const auto& a, const auto& b) { return IsBefore(a, b, mesh); });
  for (size_t i = 1; i < refs.size(); ++i) {
    RETURN_IF_ERROR(VerifyPair(refs[i - 1], refs[i]));
  }
  return absl::OkStatus();
}

absl::Status VerifyMerged(absl::Span<const AxisRef> list,
                          const AbstractMesh& mesh) {
  for (size_t i = 1; i < list.size(); ++i) {
    const auto merged = list[i - 1].Merge(list[i], mesh);
    if (!merged.has_value()) continue;
    return Invalid("neighbouring sub-axes ", list[i - 1].ToString(), " and ",
                   list[i].ToString(), " must be written as ",
                   merged->ToString());
  }
  return absl::OkStatus();
}

absl::Status VerifyMeshOrder(absl::Span<const AxisRef> replicated,
                             const AbstractMesh& mesh) {
  const bool is_sorted = std::is_sorted(
      replicated.begin(), replicated.end(),
      [&](const auto& a, const auto& b) { return IsBefore(a, b, mesh); });
  if (is_sorted) return absl::OkStatus();
  return Invalid("replicated axes ", AxisRefsText(replicated),
                 " are not in the order of the mesh, which has ",
                 QuotedAttributes(mesh.axis_names()));
}

absl::Status VerifyPriorities(const TensorSharding& sharding) {
  for (int64_t dim = 0; dim < sharding.rank(); ++dim) {
    const DimSharding& dim_sharding = sharding.dims[dim];
    if (!dim_sharding.priority.has_value()) continue;
    if (dim_sharding.is_closed && dim_sharding.axes.empty()) {
      return Invalid("dimension ", dim, " has priority ",
                     *dim_sharding.priority, ", but is closed and has no axes");
    }
    if (*dim_sharding.priority < 0) {
      return Invalid("dimension ", dim, " has the negative priority ",
                     *dim_sharding.priority);
    }
  }
  return absl::OkStatus();
}

absl::Status VerifyOnMaximalMesh(const TensorSharding& sharding) {
  if (sharding.dims.empty() && sharding.replicated.empty() &&
      sharding.unreduced.empty()) {
    return absl::OkStatus();
  }
  return Invalid(
      "a sharding on a mesh of a single device has neither dimensions nor "
      "axes, found ",
      sharding.rank(), " dimensions, ", sharding.replicated.size(),
      " replicated and ", sharding.unreduced.size(), " unreduced axes");
}

}  // namespace

absl::Status VerifySharding(const TensorSharding& sharding,
                            const ShardingMesh& mesh) {
  if (mesh.is_maximal()) return VerifyOnMaximalMesh(sharding);
  const std::vector<absl::Span<const AxisRef>> lists = AxisLists(sharding);
  for (const absl::Span<const AxisRef> list : lists) {
    for (const AxisRef& ref : list) {
      RETURN_IF_ERROR(CheckAxisRef(ref, mesh.abstract()));
    }
  }
  RETURN_IF_ERROR(VerifyAllPairs(sharding, mesh.abstract()));
  for (const absl::Span<const AxisRef> list : lists) {
    RETURN_IF_ERROR(VerifyMerged(list, mesh.abstract()));
  }
  RETURN_IF_ERROR(VerifyMeshOrder(sharding.replicated, mesh.abstract()));
  return VerifyPriorities(sharding);
}

absl::Status VerifyTensorSharding(const TensorSharding& sharding,
                                  const MeshTable& meshes, int64_t rank) {
  ASSIGN_OR_RETURN(const ShardingMesh* const mesh,
                   MeshOfSharding(sharding, meshes));
  RETURN_IF_ERROR(VerifySharding(sharding, *mesh));
  if (mesh->is_maximal() || sharding.rank() == rank) return absl::OkStatus();
  return Invalid("the sharding has ", sharding.rank(),
                 " dimensions, but the tensor has rank ", rank);
}

absl::Status VerifyTokenSharding(const TensorSharding& sharding,
                                 const MeshTable& meshes) {
  RETURN_IF_ERROR(VerifyTensorSharding(sharding, meshes, /*rank=*/0));
  if (sharding.replicated.empty() && sharding.unreduced.empty()) {
    return absl::OkStatus();
  }
  return Invalid(
      "the sharding of a token has axes: ",
      AxisRefsText(sharding.replicated.empty() ? sharding.unreduced
                                               : sharding.replicated));
}

}  // namespace lockstep::internal
