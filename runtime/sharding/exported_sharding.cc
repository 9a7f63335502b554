#include "runtime/sharding/exported_sharding.h"

#include <algorithm>
#include <cstddef>

#include "runtime/base/check.h"
#include "runtime/base/status.h"
#include "runtime/mesh/sharding/axis_ref.h"
#include "runtime/mesh/sharding/sharding_mesh.h"
#include "runtime/sharding/axis_list.h"

namespace lockstep::internal {
namespace {

// A closed dim without axes has none.
void ResetPriorityIfInvalid(DimSharding& dim) {
  if (dim.is_closed && dim.axes.empty()) dim.priority.reset();
}

bool HaveEqualAxes(const TensorSharding& a, const TensorSharding& b) {
  if (!a.unreduced.empty() && a.reduction != b.reduction) return false;
  return a.unreduced == b.unreduced &&
         std::ranges::equal(a.dims, b.dims, {}, &DimSharding::axes,
                            &DimSharding::axes);
}

}  // namespace

bool HasAxes(const TensorSharding& sharding) {
  return !sharding.unreduced.empty() ||
         std::ranges::any_of(sharding.dims, [](const DimSharding& dim) {
           return !dim.axes.empty();
         });
}

TensorSharding DivisiblePrefix(TensorSharding sharding,
                               const AbstractMesh& mesh,
                               absl::Span<const int64_t> shape) {
  LOCKSTEP_CHECK(sharding.dims.size() == shape.size());
  for (size_t i = 0; i < shape.size(); ++i) {
    DimSharding& dim = sharding.dims[i];
    dim.axes = DividingPrefix(dim.axes, shape[i], mesh);
    ResetPriorityIfInvalid(dim);
  }
  return sharding;
}

TensorSharding WithoutSubAxesOfOpenDims(TensorSharding sharding) {
  for (DimSharding& dim : sharding.dims) {
    if (dim.is_closed) continue;
    const auto sub_axis =
        std::ranges::find_if_not(dim.axes, &AxisRef::is_whole);
    dim.axes.erase(sub_axis, dim.axes.end());
  }
  return sharding;
}

TensorSharding ClosedSharding(TensorSharding sharding) {
  for (DimSharding& dim : sharding.dims) {
    dim.is_closed = true;
    dim.priority.reset();
  }
  sharding.replicated.clear();
  return sharding;
}

absl::StatusOr<bool> AreEquivalent(const std::optional<TensorSharding>& a,
                                   const std::optional<TensorSharding>& b,
                                   const MeshTable& meshes) {
  const ShardingMesh no_mesh;
  const ShardingMesh* mesh_a = &no_mesh;
  const ShardingMesh* mesh_b = &no_mesh;
  if (a.has_value()) {
    ASSIGN_OR_RETURN(mesh_a, MeshOfSharding(*a, meshes));
  }
  if (b.has_value()) {
    ASSIGN_OR_RETURN(mesh_b, MeshOfSharding(*b, meshes));
  }
  if (mesh_a->is_maximal() || mesh_b->is_maximal()) return *mesh_a == *mesh_b;
  const bool a_has_axes = a.has_value() && HasAxes(*a);
  const bool b_has_axes = b.has_value() && HasAxes(*b);
  if (!a_has_axes || !b_has_axes) return a_has_axes == b_has_axes;
  return HaveEqualAxes(*a, *b) && *mesh_a == *mesh_b;
}

}  // namespace lockstep::internal
