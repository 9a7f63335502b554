#include "runtime/frontend/sdy/propagation_edges_check.h"

#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "runtime/base/status.h"
#include "runtime/frontend/sdy/propagation_edges.h"
#include "runtime/frontend/sdy/written_sharding.h"
#include "runtime/ir/op.h"
#include "runtime/ir/printer.h"
#include "runtime/mesh/sharding/sharding_mesh.h"
#include "runtime/mesh/sharding/tensor_sharding.h"

namespace lockstep::internal {
namespace {

constexpr absl::string_view kEdges = "sdy.propagation_edges";

absl::StatusOr<std::vector<PropagationEdge>> EdgesOf(
    const Op& op, absl::string_view name, const Attribute& attribute) {
  const auto* text = attribute.As<Attribute::Opaque>();
  if (text == nullptr) {
    return op.Error(
        absl::StrCat(name, ": expected #sdy.propagation_edges<..>, found ",
                     Print(attribute)));
  }
  absl::StatusOr<std::vector<PropagationEdge>> edges =
      ParsePropagationEdges(text->text);
  if (edges.ok()) return edges;
  return op.Error(absl::StrCat(name, ": ", edges.status().message()));
}

// One for each value that flows through the op.
absl::Status CheckList(const Op& op, absl::string_view name) {
  const Attribute* attribute = op.attribute(name);
  if (attribute == nullptr) return absl::OkStatus();
  const auto* list = attribute->As<Attribute::Array>();
  if (list == nullptr) {
    return op.Error(absl::StrCat(
        name, ": expected a list of #sdy.propagation_edges<..>, found ",
        Print(*attribute)));
  }
  for (const Attribute& element : list->elements) {
    RETURN_IF_ERROR(EdgesOf(op, name, element).status());
  }
  return absl::OkStatus();
}

// Those of a func_data_flow_edge are of the function or the call.
absl::Status CheckEnd(const Op& op, const EdgeEnd& end) {
  if (op.name() == "sdy.func_data_flow_edge") return absl::OkStatus();
  const int count = end.is_result ? op.result_count() : op.operand_count();
  if (end.index >= 0 && end.index < count) return absl::OkStatus();
  return op.Error(absl::StrCat(kEdges, ": expected an op with ", end.ToString(),
                               ", found ", count,
                               end.is_result ? " results" : " operands"));
}

// Null: the op has no such value.
const Value* ValueAt(const Op& op, const EdgeEnd& end) {
  const int count = end.is_result ? op.result_count() : op.operand_count();
  if (end.index < 0 || end.index >= count) return nullptr;
  const int index = static_cast<int>(end.index);
  return end.is_result ? op.result(index) : op.operand(index);
}

// Arguments of regions have the sharding of what flows into them.
bool MayHaveSharding(const Value& value) {
  return value.defining_op() == nullptr &&
         value.region()->parent_function() == nullptr;
}

absl::Status CheckMeshes(const Op& op,
                         const std::vector<PropagationEdge>& edges,
                         const Module& module) {
  const ShardingMesh* common = nullptr;
  for (const PropagationEdge& edge : edges) {
    std::vector<EdgeEnd> ends = edge.targets;
    ends.push_back(edge.source);
    for (const EdgeEnd& end : ends) {
      const Value* value = ValueAt(op, end);
      if (value == nullptr) continue;
      if (MayHaveSharding(*value)) return absl::OkStatus();
      const TensorSharding* sharding = WrittenSharding(*value);
      if (sharding == nullptr) continue;
      ASSIGN_OR_RETURN(const ShardingMesh* mesh,
                       MeshOfSharding(*sharding, module.meshes()));
      if (mesh->is_empty()) continue;
      if (common != nullptr && common->axes() != mesh->axes()) {
        return op.Error(absl::StrCat(
            kEdges, ": expected values with shardings on one mesh, found ",
            common->ToString(), " and ", mesh->ToString()));
      }
      common = mesh;
    }
  }
  if (common == nullptr) {
    return op.Error(
        absl::StrCat(kEdges, ": expected a value with a sharding, found none"));
  }
  for (const PropagationEdge& edge : edges) {
    if (common->abstract().FindAxis(edge.axis).has_value()) continue;
    return op.Error(absl::StrCat(kEdges, ": expected axes of the mesh ",
                                 common->ToString(), ", found \"", edge.axis,
                                 "\""));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckPropagationEdges(const Op& op, const Module& module) {
  RETURN_IF_ERROR(CheckList(op, "sdy.result_propagation_edges"));
  RETURN_IF_ERROR(CheckList(op, "sdy.block_arg_propagation_edges"));
  const Attribute* attribute = op.attribute(kEdges);
  if (attribute == nullptr) return absl::OkStatus();
  ASSIGN_OR_RETURN(const std::vector<PropagationEdge> edges,
                   EdgesOf(op, kEdges, *attribute));
  for (const PropagationEdge& edge : edges) {
    RETURN_IF_ERROR(CheckEnd(op, edge.source));
    for (const EdgeEnd& end : edge.targets) {
      RETURN_IF_ERROR(CheckEnd(op, end));
    }
  }
  return CheckMeshes(op, edges, module);
}

}  // namespace lockstep::internal
