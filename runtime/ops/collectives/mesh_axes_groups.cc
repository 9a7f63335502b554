#include "runtime/ops/collectives/mesh_axes_groups.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/mesh/abstract_mesh.h"
#include "runtime/mesh/axis_groups.h"
#include "runtime/mesh/sharding/sharding_mesh.h"
#include "runtime/ops/checks/enclosing_module.h"

namespace lockstep::internal {
namespace {

struct DeviceMesh {
  std::vector<MeshAxis> axes;
  std::vector<int64_t> device_ids;  // in mesh order; empty: 0, 1, ..
};

// A part of an axis: `size` indices behind a product of `pre_size`.
struct AxisPart {
  std::string axis;
  int64_t pre_size = 1;
  int64_t size = 0;  // 0: the whole axis
};

const AttributeMap* FieldsOf(const Attribute* attribute) {
  const auto* fields =
      attribute == nullptr ? nullptr : attribute->As<Attribute::Struct>();
  return fields == nullptr ? nullptr : &fields->fields;
}

const std::vector<Attribute>* ElementsOf(const Attribute* attribute) {
  const auto* array =
      attribute == nullptr ? nullptr : attribute->As<Attribute::Array>();
  return array == nullptr ? nullptr : &array->elements;
}

absl::Status Malformed(const Op& op, absl::string_view expected) {
  return op.Error(absl::StrCat("replica_groups: expected ", expected));
}

absl::StatusOr<std::string> NameOf(const Op& op, const AttributeMap* fields) {
  const Attribute* name = fields == nullptr ? nullptr : fields->Find("name");
  const auto* text = name == nullptr ? nullptr : name->As<Attribute::String>();
  if (text == nullptr) return Malformed(op, "the name of an axis");
  return text->value;
}

absl::StatusOr<int64_t> PositiveField(const Op& op, const AttributeMap* fields,
                                      absl::string_view name) {
  const Attribute* field = fields == nullptr ? nullptr : fields->Find(name);
  if (field == nullptr) return Malformed(op, name);
  absl::StatusOr<int64_t> value = IntegerOf(*field);
  if (!value.ok() || *value < 1) {
    return Malformed(op, absl::StrCat(name, " above 0"));
  }
  return value;
}

// #stablehlo.mesh<axes = [#stablehlo.mesh_axis<name = "x", size = 2>],
// device_ids = dense<..>>.
absl::StatusOr<DeviceMesh> InlineMesh(const Op& op,
                                      const AttributeMap& fields) {
  DeviceMesh mesh;
  const std::vector<Attribute>* axes = ElementsOf(fields.Find("axes"));
  if (axes == nullptr) return Malformed(op, "the axes of the mesh");
  for (const Attribute& axis : *axes) {
    MeshAxis read;
    ASSIGN_OR_RETURN(read.name, NameOf(op, FieldsOf(&axis)));
    ASSIGN_OR_RETURN(read.size, PositiveField(op, FieldsOf(&axis), "size"));
    mesh.axes.push_back(std::move(read));
  }
  if (const Attribute* ids = fields.Find("device_ids")) {
    absl::StatusOr<std::vector<int64_t>> values = IntegersOf(*ids);
    if (!values.ok()) return Malformed(op, "device_ids");
    mesh.device_ids = *std::move(values);
  }
  return mesh;
}

absl::StatusOr<DeviceMesh> MeshOfSymbol(const Op& op, const std::string& name) {
  const Module* module = EnclosingModule(op);
  if (module == nullptr) return Malformed(op, "a module with meshes");
  const absl::StatusOr<const ShardingMesh*> mesh = module->meshes().Find(name);
  if (!mesh.ok()) {
    return Malformed(op, absl::StrCat("a mesh @", name, ", found none"));
  }
  return DeviceMesh{
      {(*mesh)->axes().begin(), (*mesh)->axes().end()},
      {(*mesh)->device_ids().begin(), (*mesh)->device_ids().end()}};
}

absl::StatusOr<DeviceMesh> MeshOf(const Op& op, const Attribute* mesh) {
  if (const AttributeMap* fields = FieldsOf(mesh)) {
    return InlineMesh(op, *fields);
  }
  const auto* symbol =
      mesh == nullptr ? nullptr : mesh->As<Attribute::Symbol>();
  if (symbol == nullptr) return Malformed(op, "a mesh");
  return MeshOfSymbol(op, symbol->name);
}

absl::StatusOr<std::vector<AxisPart>> PartsOf(const Op& op,
                                              const Attribute* axes) {
  const std::vector<Attribute>* refs = ElementsOf(axes);
  if (refs == nullptr) return Malformed(op, "a list of axes");
  std::vector<AxisPart> parts;
  for (const Attribute& ref : *refs) {
    const AttributeMap* fields = FieldsOf(&ref);
    AxisPart part;
    ASSIGN_OR_RETURN(part.axis, NameOf(op, fields));
    if (const Attribute* sub = fields->Find("sub_axis_info")) {
      ASSIGN_OR_RETURN(part.pre_size,
                       PositiveField(op, FieldsOf(sub), "pre_size"));
      ASSIGN_OR_RETURN(part.size, PositiveField(op, FieldsOf(sub), "size"));
    }
    parts.push_back(std::move(part));
  }
  return parts;
}

// The axes of a mesh, cut wherever a part of one is named.
class CutAxes {
 public:
  CutAxes(const DeviceMesh& mesh, const std::vector<AxisPart>& parts) {
    for (const MeshAxis& axis : mesh.axes) {
      std::set<int64_t> cuts = {1, axis.size};
      for (const AxisPart& part : parts) {
        if (part.axis != axis.name || part.size == 0) continue;
        cuts.insert(part.pre_size);
        cuts.insert(part.pre_size * part.size);
      }
      int64_t previous = 0;
      for (int64_t cut : cuts) {
        if (previous > 0) {
          pieces_.push_back({axis.name, previous, cut});
        }
        previous = cut;
      }
    }
  }

  // The sizes of the pieces, outermost first; empty when a cut does not divide
  // the next one.
  std::vector<int64_t> sizes() const {
    std::vector<int64_t> sizes;
    for (const Piece& piece : pieces_) {
      if (piece.end % piece.begin != 0) return {};
      sizes.push_back(piece.end / piece.begin);
    }
    return sizes;
  }

  // The positions of the pieces of `part`.
  std::vector<int64_t> Find(const AxisPart& part) const {
    std::vector<int64_t> found;
    for (size_t i = 0; i < pieces_.size(); ++i) {
      const Piece& piece = pieces_[i];
      const bool is_inside =
          part.size == 0 || (piece.begin >= part.pre_size &&
                             piece.end <= part.pre_size * part.size);
      if (piece.axis == part.axis && is_inside) {
        found.push_back(static_cast<int64_t>(i));
      }
    }
    return found;
  }

 private:
  // From product `begin` to product `end` of the axis' indices.
  struct Piece {
    std::string axis;
    int64_t begin;
    int64_t end;
  };
  std::vector<Piece> pieces_;
};

absl::Status CheckAxes(const Op& op, const DeviceMesh& mesh,
                       const std::vector<AxisPart>& parts) {
  for (const AxisPart& part : parts) {
    const auto axis =
        std::find_if(mesh.axes.begin(), mesh.axes.end(),
                     [&](const MeshAxis& a) { return a.name == part.axis; });
    if (axis == mesh.axes.end()) {
      return Malformed(
          op, absl::StrCat("axes of the mesh, found \"", part.axis, "\""));
    }
    if (part.size != 0 && axis->size % (part.pre_size * part.size) != 0) {
      return Malformed(
          op,
          absl::StrCat("a part of \"", part.axis, "\" that divides ",
                       axis->size, ", found (", part.pre_size, ")", part.size));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<ReplicaGroups> MeshAxesGroups(const Op& op,
                                             const Attribute& attribute) {
  const AttributeMap* fields = FieldsOf(&attribute);
  if (fields == nullptr) return Malformed(op, "a mesh and axes");
  ASSIGN_OR_RETURN(const DeviceMesh mesh, MeshOf(op, fields->Find("mesh")));
  ASSIGN_OR_RETURN(const std::vector<AxisPart> parts,
                   PartsOf(op, fields->Find("axes")));
  RETURN_IF_ERROR(CheckAxes(op, mesh, parts));
  const CutAxes cut(mesh, parts);
  const std::vector<int64_t> sizes = cut.sizes();
  int64_t device_count = 1;
  for (int64_t size : sizes) device_count *= size;
  std::vector<int64_t> positions;
  for (const AxisPart& part : parts) {
    for (int64_t position : cut.Find(part)) positions.push_back(position);
  }
  absl::StatusOr<ReplicaGroups> groups =
      AxisGroups(device_count, sizes, positions);
  if (!groups.ok()) return Malformed(op, groups.status().message());
  if (mesh.device_ids.empty()) return groups;
  if (static_cast<int64_t>(mesh.device_ids.size()) != device_count) {
    return Malformed(op, absl::StrCat(device_count, " device_ids, found ",
                                      mesh.device_ids.size()));
  }
  for (auto& group : *groups) {
    for (int64_t& id : group) id = mesh.device_ids[id];
  }
  return groups;
}

}  // namespace lockstep::internal
