#include "proto/convert_arrays.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "proto/convert.h"
#include "proto/id_runs.h"
#include "runtime/base/status.h"
#include "runtime/mesh/partition_spec.h"

namespace lockstep::internal {
namespace {

using OverMesh = proto::ArrayDescription::OverMesh;

OverMesh ToProto(const MeshDescription& layout) {
  OverMesh message;
  for (const MeshAxis& axis : layout.axes) {
    OverMesh::Axis* next = message.add_axes();
    next->set_name(axis.name);
    next->set_size(axis.size);
  }
  for (const SpecEntry& entry : layout.spec.entries()) {
    OverMesh::Entry* next = message.add_spec();
    if (entry.is_unconstrained()) {
      next->set_is_unconstrained(true);
    } else if (entry.is_axis()) {
      next->set_axis(entry.axes()[0]);
    } else if (entry.is_tuple()) {
      next->mutable_axes();  // also without axes
      for (const std::string& axis : entry.axes()) {
        next->mutable_axes()->add_axes(axis);
      }
    }
  }
  message.set_memory_kind(layout.memory_kind);
  return message;
}

SpecEntry FromProto(const OverMesh::Entry& message) {
  switch (message.entry_case()) {
    case OverMesh::Entry::kAxis:
      return SpecEntry(message.axis());
    case OverMesh::Entry::kAxes:
      return AxisTuple(std::vector<std::string>(message.axes().axes().begin(),
                                                message.axes().axes().end()));
    case OverMesh::Entry::kIsUnconstrained:
      return kUnconstrained;
    case OverMesh::Entry::ENTRY_NOT_SET:
      break;
  }
  return nullptr;
}

MeshDescription FromProto(const OverMesh& message) {
  MeshDescription layout;
  for (const OverMesh::Axis& axis : message.axes()) {
    layout.axes.push_back({axis.name(), axis.size()});
  }
  std::vector<SpecEntry> entries;
  for (const OverMesh::Entry& entry : message.spec()) {
    entries.push_back(FromProto(entry));
  }
  layout.spec = PartitionSpec::FromEntries(std::move(entries));
  layout.memory_kind = message.memory_kind();
  return layout;
}

}  // namespace

proto::ArrayDescription ToProto(const ArrayDescription& array) {
  proto::ArrayDescription message;
  message.set_element_type(static_cast<uint32_t>(array.shape.element_type()));
  for (int64_t dim : array.shape.dims()) message.add_dims(dim);
  for (int64_t dim : array.shard_shape.dims()) message.add_shard_dims(dim);
  AppendDevices(array.devices, message.mutable_devices());
  if (const auto* mesh = std::get_if<MeshDescription>(&array.layout)) {
    *message.mutable_over_mesh() = ToProto(*mesh);
    return message;
  }
  const auto& rows = std::get<RowsDescription>(array.layout);
  if (rows.dim.has_value()) message.mutable_rows()->set_dim(*rows.dim);
  message.mutable_rows()->set_copies(rows.copies);
  return message;
}

absl::StatusOr<ArrayDescription> FromProto(
    const proto::ArrayDescription& message) {
  ArrayDescription array;
  ASSIGN_OR_RETURN(const ElementType type,
                   ElementTypeFromNumber(message.element_type()));
  ASSIGN_OR_RETURN(array.shape, Shape::Create(type, message.dims()));
  ASSIGN_OR_RETURN(array.shard_shape,
                   Shape::Create(type, message.shard_dims()));
  array.devices = DevicesOf(message.devices());
  switch (message.layout_case()) {
    case proto::ArrayDescription::kOverMesh:
      array.layout = FromProto(message.over_mesh());
      return array;
    case proto::ArrayDescription::kRows: {
      RowsDescription rows{.dim = std::nullopt,
                           .copies = message.rows().copies()};
      if (message.rows().has_dim()) rows.dim = message.rows().dim();
      array.layout = rows;
      return array;
    }
    case proto::ArrayDescription::LAYOUT_NOT_SET:
      break;
  }
  return absl::InvalidArgumentError("array: expected a layout, found none");
}

proto::NamedArray ToProto(const NamedArray& array) {
  proto::NamedArray message;
  message.set_name(array.name);
  *message.mutable_array() = ToProto(array.array);
  for (Incarnation life : array.lives) message.add_lives(life.value());
  message.set_client(array.client);
  *message.mutable_status() = ToProto(array.status);
  return message;
}

absl::StatusOr<NamedArray> FromProto(const proto::NamedArray& message) {
  NamedArray array;
  array.name = message.name();
  ASSIGN_OR_RETURN(array.array, FromProto(message.array()));
  for (uint64_t life : message.lives()) array.lives.emplace_back(life);
  array.client = message.client();
  array.status = FromProto(message.status());
  return array;
}

}  // namespace lockstep::internal
