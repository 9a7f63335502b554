#include "client/cluster/described_array.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "client/arrays/array_layout.h"
#include "client/arrays/row_layout.h"
#include "runtime/base/status.h"
#include "runtime/mesh/mesh.h"
#include "runtime/mesh/named_sharding.h"

namespace lockstep::internal {
namespace {

absl::Status Contradiction(const ArrayDescription& description) {
  return absl::InvalidArgumentError(
      absl::StrCat("an array of ", description.shape.ToString(), ", ",
                   description.LayoutText(), ", does not have shards of ",
                   description.shard_shape.ToString(), " on ",
                   description.devices.size(), " devices"));
}

absl::StatusOr<Array> OverMesh(const ArrayDescription& description,
                               const MeshDescription& layout,
                               std::shared_ptr<Shards> shards,
                               const World& world) {
  DeviceGrid grid;
  std::vector<std::string> names;
  for (const MeshAxis& axis : layout.axes) {
    grid.dims.push_back(axis.size);
    names.push_back(axis.name);
  }
  for (GlobalDeviceId id : description.devices) {
    const Device* device = world.Find(id);
    if (device == nullptr) {
      return absl::InvalidArgumentError(
          absl::StrCat("the cluster has no device ", id.value()));
    }
    grid.devices.push_back(*device);
  }
  ASSIGN_OR_RETURN(Mesh mesh, Mesh::Create(std::move(grid), std::move(names)));
  ASSIGN_OR_RETURN(
      NamedSharding sharding,
      NamedSharding::Create(std::move(mesh), layout.spec, layout.memory_kind));
  ASSIGN_OR_RETURN(
      std::shared_ptr<const ArrayLayout> made,
      ArrayLayout::Create(std::move(sharding), description.shape.element_type(),
                          description.shape.dims()));
  if (made->shard_shape() != description.shard_shape) {
    return Contradiction(description);
  }
  return Array(std::move(made), std::move(shards));
}

}  // namespace

ArrayDescription Describe(const Array& array) {
  ArrayDescription description;
  description.shape = array.shape();
  description.shard_shape = array.shards()->shape();
  description.devices = array.shards()->devices();
  if (array.layout() != nullptr) {
    const Mesh& mesh = array.layout()->mesh();
    description.layout =
        MeshDescription{{mesh.axes().begin(), mesh.axes().end()},
                        array.layout()->sharding().spec(),
                        array.layout()->sharding().memory_kind()};
  } else {
    description.layout =
        RowsDescription{array.placement().dim, array.placement().copies};
  }
  return description;
}

absl::StatusOr<Array> MakeDescribed(const ArrayDescription& description,
                                    std::shared_ptr<Shards> shards,
                                    const World& world) {
  if (const auto* mesh = std::get_if<MeshDescription>(&description.layout)) {
    return OverMesh(description, *mesh, std::move(shards), world);
  }
  const auto& rows = std::get<RowsDescription>(description.layout);
  const auto count = static_cast<int64_t>(description.devices.size());
  const bool is_possible =
      count > 0 && rows.copies > 0 && count % rows.copies == 0 &&
      (!rows.dim.has_value() ||
       (*rows.dim >= 0 && *rows.dim <= description.shard_shape.rank()));
  if (!is_possible ||
      description.shape != (rows.dim.has_value()
                                ? StackedShape(description.shard_shape,
                                               *rows.dim, count / rows.copies)
                                : description.shard_shape)) {
    return Contradiction(description);
  }
  return Array(std::move(shards), {rows.dim, rows.copies});
}

}  // namespace lockstep::internal
