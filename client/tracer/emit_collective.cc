#include "client/tracer/emit_collective.h"

#include <algorithm>
#include <string>

#include "absl/strings/str_cat.h"
#include "client/tracer/dense_text.h"
#include "client/tracer/emit.h"

namespace lockstep::internal {
namespace {

std::unique_ptr<TraceBlock> ReductionBody(Trace& trace, absl::string_view body,
                                          ElementType type) {
  auto block = std::make_unique<TraceBlock>();
  Trace::BlockScope scope(trace, block.get());
  const Shape scalar(type, {});
  TraceValue* a = trace.AddArgument(*block, scalar);
  TraceValue* b = trace.AddArgument(*block, scalar);
  block->returns = {EmitBinary(trace, body, a, b)};
  return block;
}

std::string GroupsText(const ReplicaGroups& groups) {
  return absl::StrCat("replica_groups = ", TableText(groups));
}

TraceValue* AddCollective(Trace& trace, absl::string_view name,
                          const std::string& attributes, TraceValue* x,
                          const Shape& result,
                          std::unique_ptr<TraceBlock> body = nullptr) {
  OpBuilder op;
  op.text = absl::StrCat("\"", name, "\"($0) <{", attributes, "}>",
                         body == nullptr ? "" : " $R", " : ",
                         FunctionType({x}, {result}));
  op.operands = {x};
  op.results = {result};
  if (body != nullptr) op.regions.push_back(std::move(body));
  op.depends_on_device = true;
  return trace.AddValue(std::move(op));
}

}  // namespace

TraceValue* EmitAllReduce(Trace& trace, TraceValue* x, absl::string_view body,
                          ElementType type, const ReplicaGroups& groups) {
  return AddCollective(trace, "stablehlo.all_reduce", GroupsText(groups), x,
                       Shape(type, x->shape.dims()),
                       ReductionBody(trace, body, type));
}

TraceValue* EmitAllGather(Trace& trace, TraceValue* x, int64_t dim,
                          const ReplicaGroups& groups) {
  Dims dims = DimsOf(x);
  dims[dim] *= static_cast<int64_t>(groups[0].size());
  return AddCollective(
      trace, "stablehlo.all_gather",
      absl::StrCat("all_gather_dim = ", dim, " : i64, ", GroupsText(groups)), x,
      Shape(x->shape.element_type(), dims));
}

TraceValue* EmitReduceScatter(Trace& trace, TraceValue* x,
                              absl::string_view body, int64_t dim,
                              const ReplicaGroups& groups) {
  Dims dims = DimsOf(x);
  dims[dim] /= static_cast<int64_t>(groups[0].size());
  const ElementType type = x->shape.element_type();
  return AddCollective(
      trace, "stablehlo.reduce_scatter",
      absl::StrCat(GroupsText(groups), ", scatter_dimension = ", dim, " : i64"),
      x, Shape(type, dims), ReductionBody(trace, body, type));
}

TraceValue* EmitAllToAll(Trace& trace, TraceValue* x, int64_t split_dim,
                         int64_t concat_dim, const ReplicaGroups& groups) {
  const int64_t count = static_cast<int64_t>(groups[0].size());
  Dims dims = DimsOf(x);
  dims[split_dim] /= count;
  dims[concat_dim] *= count;
  return AddCollective(
      trace, "stablehlo.all_to_all",
      absl::StrCat("concat_dimension = ", concat_dim, " : i64, ",
                   GroupsText(groups), ", split_count = ", count,
                   " : i64, split_dimension = ", split_dim, " : i64"),
      x, Shape(x->shape.element_type(), dims));
}

TraceValue* EmitCollectivePermute(
    Trace& trace, TraceValue* x,
    const std::vector<std::pair<int64_t, int64_t>>& pairs) {
  std::vector<std::vector<int64_t>> rows;
  for (const auto& [source, target] : pairs) rows.push_back({source, target});
  return AddCollective(
      trace, "stablehlo.collective_permute",
      absl::StrCat("source_target_pairs = ", TableText(rows, 2)), x, x->shape);
}

TraceValue* EmitCollectiveBroadcast(Trace& trace, TraceValue* x,
                                    const ReplicaGroups& groups) {
  return AddCollective(trace, "stablehlo.collective_broadcast",
                       GroupsText(groups), x, x->shape);
}

TraceValue* EmitReplicaId(Trace& trace) {
  const Shape result(ElementType::kU32, {});
  return trace.AddValue(
      {.text = absl::StrCat("stablehlo.replica_id : ", result.ToString()),
       .operands = {},
       .results = {result},
       .depends_on_device = true});
}

TraceValue* EmitReplicaLookup(Trace& trace,
                              const std::vector<int64_t>& by_replica,
                              ElementType type) {
  if (std::count(by_replica.begin(), by_replica.end(), by_replica[0]) ==
      static_cast<int64_t>(by_replica.size())) {
    return EmitSplat(trace, Shape(type, {}), Literal::Scalar(by_replica[0]));
  }
  TraceValue* table = EmitConstant(
      trace, Literal::FromValues<int64_t>(
                 {static_cast<int64_t>(by_replica.size())}, by_replica));
  TraceValue* entry =
      EmitDynamicSlice(trace, table, {EmitReplicaId(trace)}, {1});
  return EmitConvert(trace, EmitReshape(trace, entry, {}), type);
}

}  // namespace lockstep::internal
