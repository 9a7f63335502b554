#include "runtime/ops/sdy/manual_computation.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "runtime/base/status.h"
#include "runtime/ir/op_def.h"
#include "runtime/ir/shardings.h"
#include "runtime/mesh/sharding/sharding_text.h"
#include "runtime/ops/assembly/assembly_forms.h"
#include "runtime/ops/checks/enclosing_module.h"
#include "runtime/ops/checks/operand_checks.h"
#include "runtime/ops/checks/region_checks.h"
#include "runtime/ops/sdy/region_form.h"

namespace lockstep::internal {
namespace {

bool IsIn(const std::vector<std::string>& names, absl::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

absl::StatusOr<std::vector<std::string>> AxesOf(const Op& op) {
  const Attribute* attribute = op.attribute("manual_axes");
  const auto* array =
      attribute == nullptr ? nullptr : attribute->As<Attribute::Array>();
  if (array == nullptr) {
    return op.Error("manual_axes: expected a list of axes");
  }
  std::vector<std::string> axes;
  for (const Attribute& element : array->elements) {
    const auto* name = element.As<Attribute::String>();
    if (name == nullptr) {
      return op.Error("manual_axes: expected names in quotes");
    }
    axes.push_back(name->value);
  }
  return axes;
}

// What is checked of the operands, and of the results.
struct Side {
  absl::string_view what;  // "operand", "result"
  const std::vector<TensorSharding>& shardings;
  std::vector<Type> global;
  std::vector<Type> local;
};

absl::Status CheckDims(const Op& op, const Side& side, size_t i,
                       const ManualShardings& manual,
                       const ShardingMesh& mesh) {
  const TensorSharding& sharding = side.shardings[i];
  const std::string place = absl::StrCat(side.what, " ", i);
  for (const DimSharding& dim : sharding.dims) {
    bool has_free = false;
    for (const AxisRef& axis : dim.axes) {
      const bool is_manual = IsManual(axis, manual.manual_axes);
      if (is_manual && has_free) {
        return op.Error(absl::StrCat(
            place,
            ": expected manual axes before others in each dimension, "
            "found {",
            AxisRefsText(dim.axes), "}"));
      }
      has_free |= !is_manual;
    }
  }
  if (!side.global[i].is_tensor()) return absl::OkStatus();
  const Shape& shape = side.global[i].shape();
  Dims dims(shape.dims().begin(), shape.dims().end());
  const TensorSharding part = ManualPart(sharding, manual.manual_axes);
  for (size_t d = 0; d < part.dims.size(); ++d) {
    const int64_t shards = part.dims[d].ShardCount(mesh.abstract());
    if (dims[d] % shards != 0) {
      return op.Error(
          absl::StrCat(place, ": expected a size of dimension ", d, " that ",
                       shards, " (its manual axes) divides, found ", dims[d]));
    }
    dims[d] /= shards;
  }
  const Type expected = Shape(shape.element_type(), dims);
  if (side.local[i] == expected) return absl::OkStatus();
  return op.Error(absl::StrCat(place, " of the body: expected type ",
                               expected.ToString(), ", which is the shard of ",
                               side.global[i].ToString(), ", found ",
                               side.local[i].ToString()));
}

// The mesh of all shardings; null if there is none.
absl::StatusOr<const ShardingMesh*> CheckMeshes(const Op& op,
                                                const ManualShardings& manual,
                                                const MeshTable& meshes) {
  const ShardingMesh* common = nullptr;
  const TensorSharding* first = nullptr;
  for (const auto* list : {&manual.in, &manual.out}) {
    for (const TensorSharding& sharding : *list) {
      ASSIGN_OR_RETURN(const ShardingMesh* mesh,
                       MeshOfSharding(sharding, meshes));
      if (mesh->is_empty()) continue;
      if (common != nullptr && *common != *mesh) {
        return op.Error(absl::StrCat("expected shardings on one mesh, found ",
                                     ToSdyString(*first), " and ",
                                     ToSdyString(sharding)));
      }
      common = mesh;
      first = &sharding;
    }
  }
  return common;
}

absl::Status CheckAxesOfMesh(const Op& op, const ManualShardings& manual,
                             const ShardingMesh* mesh) {
  for (const std::string& axis : manual.manual_axes) {
    if (mesh == nullptr) {
      return op.Error(absl::StrCat(
          "manual_axes: expected none, where no sharding names a mesh with "
          "axes, found \"",
          axis, "\""));
    }
    if (!mesh->abstract().FindAxis(axis).has_value()) {
      return op.Error(absl::StrCat("manual_axes: expected axes of the mesh ",
                                   mesh->ToString(), ", found \"", axis, "\""));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckAxes(const Op& op, const ManualShardings& manual,
                       const ShardingMesh* mesh) {
  // Of one with no operand and no result, such as the empty ones that JAX
  // writes for gradients of loops, nothing says which mesh it is on.
  if (!manual.in.empty() || !manual.out.empty()) {
    RETURN_IF_ERROR(CheckAxesOfMesh(op, manual, mesh));
  }
  for (const Region* region = op.parent(); region != nullptr;
       region = region->enclosing()) {
    const Op* outer = region->parent_op();
    if (outer == nullptr || outer->name() != op.name()) continue;
    ASSIGN_OR_RETURN(const std::vector<std::string> taken, AxesOf(*outer));
    for (const std::string& axis : manual.manual_axes) {
      if (IsIn(taken, axis)) {
        return op.Error(absl::StrCat("manual_axes: \"", axis,
                                     "\" is manual around this op already"));
      }
    }
  }
  return absl::OkStatus();
}

absl::Status CheckSide(const Op& op, const Side& side,
                       const ManualShardings& manual, const MeshTable& meshes,
                       const ShardingMesh* mesh) {
  if (side.shardings.size() != side.global.size() ||
      side.local.size() != side.global.size()) {
    return op.Error(
        absl::StrCat("expected ", side.global.size(), " ", side.what,
                     " shardings and values of the "
                     "body, found ",
                     side.shardings.size(), " and ", side.local.size()));
  }
  for (size_t i = 0; i < side.global.size(); ++i) {
    const absl::Status status =
        VerifyShardingOf(side.shardings[i], meshes, side.global[i]);
    if (!status.ok()) {
      return op.Error(absl::StrCat(side.what, " ", i, ": ", status.message()));
    }
    if (mesh == nullptr) continue;
    RETURN_IF_ERROR(CheckDims(op, side, i, manual, *mesh));
  }
  return absl::OkStatus();
}

absl::Status CheckNamesNone(const Op& op, const TensorSharding& sharding,
                            const std::vector<std::string>& manual_axes) {
  const auto check = [&](const std::vector<AxisRef>& axes) -> absl::Status {
    for (const AxisRef& axis : axes) {
      if (!IsManual(axis, manual_axes)) continue;
      return op.Error(absl::StrCat(
          "expected a sharding along axes that are not manual around this op, "
          "found \"",
          axis.name(), "\" in ", ToSdyString(sharding)));
    }
    return absl::OkStatus();
  };
  for (const DimSharding& dim : sharding.dims) {
    RETURN_IF_ERROR(check(dim.axes));
  }
  return check(sharding.unreduced);
}

// A value of the body is one shard along the manual axes: nothing in it is
// split along them.
absl::Status CheckBody(const Region& body,
                       const std::vector<std::string>& manual_axes) {
  for (const auto& op : body.ops()) {
    for (const auto& [name, attribute] : op->attributes().entries()) {
      if (const auto* one = attribute.As<Attribute::Sharding>()) {
        RETURN_IF_ERROR(CheckNamesNone(*op, one->value, manual_axes));
      } else if (const auto* all =
                     attribute.As<Attribute::ShardingPerValue>()) {
        for (const TensorSharding& sharding : all->values) {
          RETURN_IF_ERROR(CheckNamesNone(*op, sharding, manual_axes));
        }
      }
    }
    for (const auto& inner : op->regions()) {
      RETURN_IF_ERROR(CheckBody(*inner, manual_axes));
    }
  }
  return absl::OkStatus();
}

// A value from outside is whole, or split by shardings that say nothing of the
// body, which has shards. Whatever it works on is an operand.
absl::Status CheckIsolated(const Region& body, const Region& region) {
  for (const auto& op : region.ops()) {
    for (int i = 0; i < op->operand_count(); ++i) {
      const Value* value = op->operand(i);
      const Region* home = value->defining_op() == nullptr
                               ? value->region()
                               : value->defining_op()->parent();
      while (home != nullptr && home != &body) home = home->enclosing();
      if (home != nullptr) continue;
      return op->Error(absl::StrCat(
          "operand ", i,
          ": expected a value of the body of the sdy.manual_computation, found "
          "one from outside of it"));
    }
    for (const auto& inner : op->regions()) {
      RETURN_IF_ERROR(CheckIsolated(body, *inner));
    }
  }
  return absl::OkStatus();
}

absl::Status VerifyManualComputation(const Op& op) {
  RETURN_IF_ERROR(CheckRegionCount(op, 1));
  ASSIGN_OR_RETURN(const ManualShardings manual, ManualShardingsOf(op));
  const Module* module = EnclosingModule(op);
  if (module == nullptr) return absl::OkStatus();
  const MeshTable& meshes = module->meshes();
  ASSIGN_OR_RETURN(const ShardingMesh* mesh, CheckMeshes(op, manual, meshes));
  RETURN_IF_ERROR(CheckAxes(op, manual, mesh));
  RETURN_IF_ERROR(CheckBody(op.region(), manual.manual_axes));
  RETURN_IF_ERROR(CheckIsolated(op.region(), op.region()));
  Side operands{"operand", manual.in, OperandTypes(op), {}};
  for (const auto& argument : op.region().arguments()) {
    operands.local.push_back(argument->type());
  }
  RETURN_IF_ERROR(CheckSide(op, operands, manual, meshes, mesh));
  Side results{"result", manual.out, {}, {}};
  for (const auto& result : op.results()) {
    results.global.push_back(result->type());
  }
  ASSIGN_OR_RETURN(results.local, ReturnedTypes(op, op.region()));
  return CheckSide(op, results, manual, meshes, mesh);
}

absl::Status ParseManualAxes(AssemblyReader& reader, OpState& state) {
  RETURN_IF_ERROR(reader.Expect("manual_axes"));
  RETURN_IF_ERROR(reader.Expect("="));
  ASSIGN_OR_RETURN(const std::string text, reader.ParseBrackets());
  const absl::StatusOr<std::vector<AxisRef>> axes = ParseSdyAxisRefs(text);
  if (!axes.ok()) return reader.Locate(axes.status());
  Attribute::Array names;
  for (const AxisRef& axis : *axes) {
    names.elements.push_back(Attribute::String{axis.name()});
  }
  state.attributes.Set("manual_axes", std::move(names));
  return absl::OkStatus();
}

absl::Status ParseManual(AssemblyReader& reader, OpState& state) {
  RETURN_IF_ERROR(ParseOperandsInParens(reader, state));
  RETURN_IF_ERROR(ReadNamedShardings(reader, "in_shardings", state));
  RETURN_IF_ERROR(ReadNamedShardings(reader, "out_shardings", state));
  RETURN_IF_ERROR(ParseManualAxes(reader, state));
  return ReadBody(reader, state);
}

void PrintManual(const Op& op, AssemblyWriter& writer) {
  writer.Write("(");
  writer.WriteOperands(op.operands());
  writer.Write(") ");
  WriteNamedShardings(op, "in_shardings", writer);
  WriteNamedShardings(op, "out_shardings", writer);
  std::vector<AxisRef> axes;
  const std::vector<std::string> names = *AxesOf(op);
  for (const std::string& name : names) axes.emplace_back(name);
  writer.Write(absl::StrCat("manual_axes={", AxisRefsText(axes), "} "));
  WriteBody(op, {"in_shardings", "out_shardings", "manual_axes"}, writer);
}

// manual_computation: the body on the shards that its devices have along the
// manual axes, of which it sees only its own; other axes are sharded as outside
// of it.
//   in_shardings, out_shardings. manual_axes.
REGISTER_OP(OpDef("sdy.manual_computation", OpKind::kControlFlow)
                .Assembly({ParseManual, PrintManual})
                .Verify(VerifyManualComputation));

}  // namespace

absl::StatusOr<ManualShardings> ManualShardingsOf(const Op& op) {
  ManualShardings manual;
  ASSIGN_OR_RETURN(manual.in, ShardingsAttribute(op, "in_shardings"));
  ASSIGN_OR_RETURN(manual.out, ShardingsAttribute(op, "out_shardings"));
  ASSIGN_OR_RETURN(manual.manual_axes, AxesOf(op));
  return manual;
}

TensorSharding BodyArgumentSharding(const Op& op, int argument) {
  const auto* in =
      op.attribute("in_shardings")->As<Attribute::ShardingPerValue>();
  return FreePart(in->values[argument], *AxesOf(op));
}

}  // namespace lockstep::internal
