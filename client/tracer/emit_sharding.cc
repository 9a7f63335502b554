#include "client/tracer/emit_sharding.h"

#include <utility>

#include "runtime/base/status.h"
#include "runtime/mesh/named_sharding.h"
#include "runtime/mesh/sharding/tensor_sharding.h"

namespace lockstep::internal {

ValueOr EmitShardingConstraint(Trace& trace, TraceValue* x, const Mesh& mesh,
                               const PartitionSpec& spec) {
  RETURN_IF_ERROR(CheckSpec(mesh.abstract(), spec));
  ASSIGN_OR_RETURN(std::string symbol, trace.SymbolOf(mesh));
  ASSIGN_OR_RETURN(TensorSharding sharding,
                   ShardingOfSpec(std::move(symbol), spec, x->shape().rank()));
  return trace.Build(
      {.name = "sdy.sharding_constraint",
       .operands = {x},
       .attributes = {{"sharding", Attribute::Sharding{std::move(sharding)}}}});
}

absl::StatusOr<std::vector<TraceValue*>> EmitManualComputation(
    Trace& trace, const std::vector<TraceValue*>& operands,
    ManualShardings shardings, std::unique_ptr<Region> body,
    std::vector<Shape> results) {
  Attribute::Array axes;
  for (std::string& axis : shardings.manual_axes) {
    axes.elements.push_back(Attribute::String{std::move(axis)});
  }
  TraceOp op{.name = "sdy.manual_computation", .operands = operands};
  op.attributes = {
      {"in_shardings", Attribute::ShardingPerValue{std::move(shardings.in)}},
      {"out_shardings", Attribute::ShardingPerValue{std::move(shardings.out)}},
      {"manual_axes", std::move(axes)}};
  op.regions.push_back(std::move(body));
  op.results = std::move(results);
  return trace.BuildAll(std::move(op));
}

}  // namespace lockstep::internal
