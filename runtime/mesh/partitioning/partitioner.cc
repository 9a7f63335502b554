#include "runtime/mesh/partitioning/partitioner.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/mesh/builders/default_mesh.h"

namespace lockstep {
namespace {

const AxisTuple& ReplicaAndData() {
  static const auto* const axes = new AxisTuple{"replica", "data"};
  return *axes;
}

absl::StatusOr<LogicalAxisRules> RulesOf(const PartitionerOptions& options) {
  LogicalAxisRules rules;
  if (options.logical_axis_rules.has_value()) {
    rules = *options.logical_axis_rules;
  } else {
    ASSIGN_OR_RETURN(rules, StandardLogicalAxisRules());
  }
  if (!options.has_hybrid_mesh()) return rules;
  for (LogicalAxisRule& rule : rules) {
    if (rule.name == "batch") rule.mesh_axes = ReplicaAndData();
  }
  return rules;
}

}  // namespace

Partitioner::Partitioner(LocalChunker chunker) : chunker_(std::move(chunker)) {}

absl::StatusOr<LocalChunker> Partitioner::CreateChunker(
    const PartitionerOptions& options, const World& world, HostId host) {
  RETURN_IF_ERROR(CheckPartitionerOptions(options));
  DefaultMeshOptions mesh_options = {.backend = options.backend,
                                     .ici = options.ici_mesh_shape,
                                     .dcn = options.dcn_mesh_shape};
  if (!options.model_parallel_submesh.empty()) {
    mesh_options.submesh = options.model_parallel_submesh;
  }
  ASSIGN_OR_RETURN(
      Mesh mesh, BuildDefaultMesh(options.num_partitions, world, mesh_options));
  return LocalChunker::Create(std::move(mesh), host);
}

absl::StatusOr<Partitioner> Partitioner::Create(
    const PartitionerOptions& options, LocalChunker chunker,
    SpecEntry data_axis) {
  Partitioner result(std::move(chunker));
  result.params_on_devices_ = options.params_on_devices;
  result.data_axis_ = std::move(data_axis);
  ASSIGN_OR_RETURN(result.data_mesh_size_,
                   DataMeshSize(result.mesh().abstract(), result.data_axis_));
  ASSIGN_OR_RETURN(result.data_shards_,
                   DataShards(result.chunker_, result.data_axis_));
  ASSIGN_OR_RETURN(result.data_shard_id_,
                   result.chunker_.ShardId(result.data_axis_));
  return result;
}

absl::StatusOr<Partitioner> Partitioner::Create(
    const PartitionerOptions& options, const World& world, HostId host) {
  ASSIGN_OR_RETURN(LocalChunker chunker, CreateChunker(options, world, host));
  SpecEntry data_axis = "data";
  if (options.has_hybrid_mesh()) data_axis = ReplicaAndData();
  return Create(options, std::move(chunker), std::move(data_axis));
}

void Partitioner::SetNamedAxes(LogicalAxisRules rules) {
  has_named_axes_ = true;
  rules_ = std::move(rules);
}

absl::StatusOr<DataLayout> Partitioner::GetDataLayout(
    int64_t batch_size, std::optional<int64_t> host_index) const {
  if (host_index.has_value()) {
    return absl::UnimplementedError(
        absl::StrCat("the data layout of another host, host_index ",
                     *host_index, "; a Partitioner of that host has it"));
  }
  return LayOutData(chunker_, data_axis_, batch_size);
}

NamedAxisPartitioner::NamedAxisPartitioner(Partitioner partitioner,
                                           LogicalAxisRules rules)
    : Partitioner(std::move(partitioner)) {
  SetNamedAxes(std::move(rules));
}

absl::StatusOr<NamedAxisPartitioner> NamedAxisPartitioner::Create(
    const PartitionerOptions& options, const World& world, HostId host) {
  ASSIGN_OR_RETURN(LocalChunker chunker, CreateChunker(options, world, host));
  ASSIGN_OR_RETURN(LogicalAxisRules rules, RulesOf(options));
  ASSIGN_OR_RETURN(const PartitionSpec batch,
                   LogicalToMeshAxes(LogicalAxisNames("batch"), rules));
  ASSIGN_OR_RETURN(
      Partitioner partitioner,
      Partitioner::Create(options, std::move(chunker), batch.entry(0)));
  return NamedAxisPartitioner(std::move(partitioner), std::move(rules));
}

}  // namespace lockstep
