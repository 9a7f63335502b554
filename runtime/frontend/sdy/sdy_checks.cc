#include "runtime/frontend/sdy/sdy_checks.h"

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/frontend/sdy/data_flow_edge_check.h"
#include "runtime/frontend/sdy/propagation_edges_check.h"
#include "runtime/frontend/sdy/unreduced_axes_check.h"
#include "runtime/frontend/sdy/written_shardings_check.h"
#include "runtime/ir/op.h"
#include "runtime/ir/op_sharding_rule.h"
#include "runtime/ir/printer.h"

namespace lockstep::internal {
namespace {

absl::Status CheckShardingRule(const Op& op) {
  const Attribute* attribute = op.attribute("sdy.sharding_rule");
  if (attribute == nullptr) return absl::OkStatus();
  const auto* text = attribute->As<Attribute::Opaque>();
  if (text == nullptr) {
    return op.Error(absl::StrCat(
        "sdy.sharding_rule: expected #sdy.op_sharding_rule<..>, found ",
        Print(*attribute)));
  }
  const absl::StatusOr<OpShardingRule> rule = OpShardingRule::Parse(text->text);
  if (!rule.ok()) return op.Error(rule.status().message());
  return rule->CheckFits(op);
}

absl::Status CheckRegion(const Region& region, const Module& module) {
  for (const auto& op : region.ops()) {
    RETURN_IF_ERROR(CheckShardingRule(*op));
    RETURN_IF_ERROR(CheckUnreducedAxes(*op, module));
    RETURN_IF_ERROR(CheckPropagationEdges(*op, module));
    for (const auto& inner : op->regions()) {
      RETURN_IF_ERROR(CheckRegion(*inner, module));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckSdyAnnotations(const Module& module) {
  RETURN_IF_ERROR(CheckWrittenShardings(module));
  for (const auto& function : module.functions()) {
    RETURN_IF_ERROR(CheckRegion(function->body(), module));
  }
  return CheckDataFlowEdges(module);
}

}  // namespace lockstep::internal
