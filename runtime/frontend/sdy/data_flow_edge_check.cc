#include "runtime/frontend/sdy/data_flow_edge_check.h"

#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/ir/op.h"

namespace lockstep::internal {
namespace {

constexpr absl::string_view kFunctionEdge = "sdy.func_data_flow_edge";

void FindEdges(const Region& region, std::vector<const Op*>& edges) {
  for (const auto& op : region.ops()) {
    if (op->name() == "sdy.data_flow_edge" || op->name() == kFunctionEdge) {
      edges.push_back(op.get());
    }
    for (const auto& inner : op->regions()) FindEdges(*inner, edges);
  }
}

void CountUses(const Region& region,
               absl::flat_hash_map<const Value*, int>& uses) {
  for (const auto& op : region.ops()) {
    for (const Value* operand : op->operands()) ++uses[operand];
    for (const auto& inner : op->regions()) CountUses(*inner, uses);
  }
}

absl::Status CheckOrigin(const Op& edge) {
  const Value& operand = *edge.operand(0);
  const Op* origin = operand.defining_op();
  if (edge.name() == kFunctionEdge) {
    const bool is_fine = origin != nullptr
                             ? origin->name() == "func.call"
                             : operand.region()->parent_function() != nullptr;
    if (is_fine) return absl::OkStatus();
    return edge.Error(absl::StrCat(
        "operand 0: expected an argument of a function or a result of a "
        "func.call, found ",
        origin == nullptr ? "an argument of a region"
                          : absl::StrCat("a result of ", origin->name())));
  }
  if (origin == nullptr || !absl::StartsWith(origin->name(), "sdy.") ||
      !origin->regions().empty()) {
    return absl::OkStatus();
  }
  return edge.Error(absl::StrCat(
      "operand 0: expected no result of an op of sdy without a body, found "
      "one of ",
      origin->name()));
}

}  // namespace

absl::Status CheckDataFlowEdges(const Module& module) {
  std::vector<const Op*> edges;
  for (const auto& function : module.functions()) {
    FindEdges(function->body(), edges);
  }
  if (edges.empty()) return absl::OkStatus();
  absl::flat_hash_map<const Value*, int> uses;
  for (const auto& function : module.functions()) {
    CountUses(function->body(), uses);
  }
  for (const Op* edge : edges) {
    RETURN_IF_ERROR(CheckOrigin(*edge));
    const int count = uses[edge->operand(0)];
    if (count == 1) continue;
    return edge->Error(absl::StrCat(
        "operand 0: expected a value that only this op uses, found ", count,
        " uses"));
  }
  return absl::OkStatus();
}

}  // namespace lockstep::internal
