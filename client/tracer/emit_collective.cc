#include "client/tracer/emit_collective.h"

#include <algorithm>
#include <string>
#include <utility>

#include "client/tracer/emit.h"
#include "runtime/base/status.h"
#include "runtime/ops/lockstep/ragged_all_to_all.h"

namespace lockstep::internal {
namespace {

using Attributes = std::vector<std::pair<absl::string_view, Attribute>>;

// dense<[[0, 1], [2, -1]]>: short rows are filled up with -1.
Attribute Table(const std::vector<std::vector<int64_t>>& rows,
                int64_t columns = 0) {
  for (const auto& row : rows) {
    columns = std::max(columns, static_cast<int64_t>(row.size()));
  }
  std::vector<int64_t> values;
  for (const auto& row : rows) {
    values.insert(values.end(), row.begin(), row.end());
    values.insert(values.end(), columns - row.size(), -1);
  }
  return Attribute::FromLiteral(Literal::FromValues<int64_t>(
      {static_cast<int64_t>(rows.size()), columns}, values));
}

Attribute PairTable(const std::vector<std::pair<int64_t, int64_t>>& pairs) {
  std::vector<std::vector<int64_t>> rows;
  for (const auto& [source, target] : pairs) rows.push_back({source, target});
  return Table(rows, 2);
}

// Of a program over a mesh: its collectives are between partitions. With
// `is_flattened`, their groups are of ids of all devices (spec K-8).
void AddChannel(Trace& trace, bool is_flattened, Attributes& attributes) {
  if (!trace.axes().is_mesh) return;
  Attribute::Struct channel{"channel_handle", {}};
  channel.fields.Append("handle", Attribute::I64(trace.NextChannel()));
  channel.fields.Append("type", Attribute::I64(1));
  attributes.push_back({"channel_handle", std::move(channel)});
  if (is_flattened) {
    attributes.push_back({"use_global_device_ids", Attribute::Unit()});
  }
}

ValueOr AddCollective(Trace& trace, absl::string_view name, ValueOr x,
                      Attributes attributes, const ReplicaGroups& groups,
                      bool is_flattened = false) {
  RETURN_IF_ERROR(x.status());
  attributes.push_back({"replica_groups", Table(groups)});
  AddChannel(trace, is_flattened, attributes);
  return trace.Build(
      {.name = name, .operands = {*x}, .attributes = std::move(attributes)});
}

ValueOr AddReduction(Trace& trace, absl::string_view name, ValueOr x,
                     absl::string_view body, ElementType type,
                     Attributes attributes, const ReplicaGroups& groups) {
  RETURN_IF_ERROR(x.status());
  ASSIGN_OR_RETURN(auto region, ReductionBody(trace, body, type));
  attributes.push_back({"replica_groups", Table(groups)});
  AddChannel(trace, /*is_flattened=*/true, attributes);
  return trace.Build({.name = name,
                      .operands = {*x},
                      .attributes = std::move(attributes),
                      .regions = std::move(region)});
}

// One channel for all of a function: its n-th send and its n-th recv match.
Attributes TransferAttributes(
    const std::vector<std::pair<int64_t, int64_t>>& pairs) {
  Attribute::Struct channel{"channel_handle", {}};
  channel.fields.Append("handle", Attribute::I64(1));
  channel.fields.Append("type", Attribute::I64(1));
  return {{"channel_handle", std::move(channel)},
          {"is_host_transfer", Attribute::Bool{false}},
          {"source_target_pairs", PairTable(pairs)}};
}

}  // namespace

ValueOr EmitAllReduce(Trace& trace, ValueOr x, absl::string_view body,
                      ElementType type, const ReplicaGroups& groups) {
  return AddReduction(trace, "stablehlo.all_reduce", x, body, type, {}, groups);
}

ValueOr EmitAllGather(Trace& trace, TraceValue* x, int64_t dim,
                      const ReplicaGroups& groups) {
  return AddCollective(trace, "stablehlo.all_gather", x,
                       {{"all_gather_dim", Attribute::I64(dim)}}, groups,
                       /*is_flattened=*/true);
}

ValueOr EmitReduceScatter(Trace& trace, TraceValue* x, absl::string_view body,
                          int64_t dim, const ReplicaGroups& groups) {
  return AddReduction(trace, "stablehlo.reduce_scatter", x, body,
                      x->shape().element_type(),
                      {{"scatter_dimension", Attribute::I64(dim)}}, groups);
}

ValueOr EmitAllToAll(Trace& trace, ValueOr x, int64_t split_dim,
                     int64_t concat_dim, const ReplicaGroups& groups) {
  const auto count = static_cast<int64_t>(groups[0].size());
  return AddCollective(trace, "stablehlo.all_to_all", x,
                       {{"concat_dimension", Attribute::I64(concat_dim)},
                        {"split_count", Attribute::I64(count)},
                        {"split_dimension", Attribute::I64(split_dim)}},
                       groups);
}

ValueOr EmitCollectivePermute(
    Trace& trace, TraceValue* x,
    const std::vector<std::pair<int64_t, int64_t>>& pairs) {
  Attributes attributes = {{"source_target_pairs", PairTable(pairs)}};
  AddChannel(trace, /*is_flattened=*/false, attributes);
  return trace.Build({.name = "stablehlo.collective_permute",
                      .operands = {x},
                      .attributes = std::move(attributes)});
}

ValueOr EmitSend(Trace& trace, TraceValue* x, TraceValue* token,
                 const std::vector<std::pair<int64_t, int64_t>>& pairs) {
  return trace.Build({.name = "stablehlo.send",
                      .operands = {x, token},
                      .attributes = TransferAttributes(pairs)});
}

absl::StatusOr<std::vector<TraceValue*>> EmitRecv(
    Trace& trace, TraceValue* token, const Shape& shape,
    const std::vector<std::pair<int64_t, int64_t>>& pairs) {
  return trace.BuildAll({.name = "stablehlo.recv",
                         .operands = {token},
                         .attributes = TransferAttributes(pairs),
                         .results = {shape},
                         .gives_token = true});
}

ValueOr EmitCollectiveBroadcast(Trace& trace, TraceValue* x,
                                const ReplicaGroups& groups) {
  return AddCollective(trace, "stablehlo.collective_broadcast", x, {}, groups);
}

ValueOr EmitRaggedAllToAll(Trace& trace, std::vector<TraceValue*> operands,
                           const ReplicaGroups& groups) {
  Attribute::Dictionary config;
  if (trace.axes().is_mesh) {
    config.entries.Append("channel_id", Attribute::I64(trace.NextChannel()));
  }
  config.entries.Append("replica_groups", Table(groups));
  const Shape result = operands[1]->shape();
  return trace.Build(
      {.name = "stablehlo.custom_call",
       .operands = std::move(operands),
       .attributes = {{"call_target_name",
                       Attribute::String{std::string(kRaggedAllToAllTarget)}},
                      {"api_version", Attribute::I32(4)},
                      {"backend_config", std::move(config)}},
       .results = {result}});
}

ValueOr EmitReplicaId(Trace& trace) {
  return trace.Build({.name = trace.axes().is_mesh ? "stablehlo.partition_id"
                                                   : "stablehlo.replica_id",
                      .operands = {}});
}

ValueOr EmitReplicaLookup(Trace& trace, const std::vector<int64_t>& by_replica,
                          ElementType type) {
  if (std::count(by_replica.begin(), by_replica.end(), by_replica[0]) ==
      static_cast<int64_t>(by_replica.size())) {
    return EmitSplat(trace, Shape(type, {}), Literal::Scalar(by_replica[0]));
  }
  ASSIGN_OR_RETURN(
      TraceValue * table,
      EmitConstant(trace,
                   Literal::FromValues<int64_t>(
                       {static_cast<int64_t>(by_replica.size())}, by_replica)));
  ASSIGN_OR_RETURN(TraceValue * id, EmitReplicaId(trace));
  ValueOr entry = EmitDynamicSlice(trace, table, {id}, {1});
  return EmitConvert(trace, EmitReshape(trace, entry, {}), type);
}

}  // namespace lockstep::internal
