// One host of the host view that partitions data and parameters. Joins the
// cluster by its environment and runs the scenario that its argument names;
// prints one line per result.
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "client/lockstep.h"
#include "runtime/base/status.h"
#include "tests/multihost/scenario_program.h"

namespace lockstep::internal {
namespace {

void Print(const std::string& line) { std::cout << line << std::endl; }

void Print(const absl::Status& status) { Print(StatusLine(status)); }

void Print(const absl::StatusOr<DataLayout>& layout) {
  if (!layout.ok()) return Print(layout.status());
  Print(absl::StrCat("shard ", layout->shard_id, " of ", layout->num_shards,
                     ", batch ", layout->batch_size,
                     layout->is_first_host_in_replica_set ? ", first" : ""));
}

// In one line.
std::string Text(const absl::StatusOr<Array>& array) {
  if (!array.ok()) return StatusLine(array.status());
  const auto text = array->ToString();
  if (!text.ok()) return StatusLine(text.status());
  return absl::StrReplaceAll(*text, {{"\n", ""}});
}

// "d4 (8:10): [8 9]; d5 ..": what is here.
void PrintShards(const absl::StatusOr<Array>& array) {
  if (!array.ok()) return Print(array.status());
  std::vector<std::string> shards;
  for (const ArrayShard& shard : array->addressable_shards()) {
    shards.push_back(absl::StrCat("d", shard.device.value(), " ",
                                  ShardIndexText(shard.index), ": ",
                                  Text(*shard.data)));
  }
  Print(absl::StrJoin(shards, "; "));
}

HostId ThisHost() { return HostId(static_cast<int32_t>(host_id())); }

// first, first + 1, ..
Array Rows(int64_t first, int64_t count) {
  std::vector<int32_t> rows(count);
  std::iota(rows.begin(), rows.end(), static_cast<int32_t>(first));
  return Array(rows);
}

// The batch 0, 1, .. of which every host reads its own shard.
absl::StatusOr<Array> ReadBatch(const Mesh& mesh, const SpecEntry& data_axis,
                                const DataLayout& layout) {
  const int64_t rows = layout.batch_size / layout.num_shards;
  ASSIGN_OR_RETURN(const NamedSharding sharding,
                   NamedSharding::Create(mesh, PartitionSpec(data_axis)));
  return make_array_from_process_local_data(
      sharding, Rows(layout.shard_id * rows, rows),
      std::vector<int64_t>{layout.batch_size});
}

// The default mesh: hosts are data.
void DefaultLayout() {
  const auto partitioner = NamedAxisPartitioner::Create(
      {.num_partitions = 1}, World(devices()), ThisHost());
  if (!partitioner.ok()) return Print(partitioner.status());
  const auto layout = partitioner->GetDataLayout(6);
  Print(layout);
  PrintShards(
      ReadBatch(partitioner->mesh(), partitioner->data_axis(), *layout));
  Print(partitioner->GetDataLayout());
  Print(partitioner->GetDataLayout(7));
  Print(partitioner->GetDataLayout(6, 0));
}

// Two hosts along each axis of a mesh of 2x4; hosts out of order.
void ReplicatedLayout() {
  const std::vector<Device> all = devices();
  DeviceGrid grid{{2, 4}, {}};
  for (int id : {4, 5, 0, 1, 2, 3, 6, 7}) grid.devices.push_back(all[id]);
  const Mesh mesh = *Mesh::Create(std::move(grid), {"data", "model"});
  const auto chunker = LocalChunker::Create(mesh, ThisHost());
  if (!chunker.ok()) return Print(chunker.status());
  const auto layout = LayOutData(*chunker, "data", 6);
  Print(layout);
  PrintShards(ReadBatch(mesh, "data", *layout));
  const auto chunk =
      chunker->ChunkInfo({6, 8}, PartitionSpec(nullptr, "model"));
  Print(absl::StrCat(ShardIndexText(chunk->slice), ", replica ",
                     chunk->replica_id));
}

// Files of two shuffled epochs, which every host lists in an order of its own.
void ShuffledFiles() {
  const auto partitioner =
      Partitioner::Create({.num_partitions = 1}, World(devices()), ThisHost());
  if (!partitioner.ok()) return Print(partitioner.status());
  std::vector<std::string> paths = {"f00", "f01", "f02", "f03", "f04", "f05"};
  std::rotate(paths.begin(), paths.begin() + host_id(), paths.end());
  const auto files = FileSet::Create(paths, *partitioner->GetDataLayout(),
                                     {.shuffle_seed = 1});
  if (!files.ok()) return Print(files.status());
  for (int64_t epoch : {0, 1}) {
    Print(absl::StrJoin(files->PathsOfEpoch(epoch), " "));
  }
  Print(assert_equal(Array({files->Fingerprint()})));
}

// Parameters by rules: sharded over all hosts, over those of one, left as they
// are; then gathered.
void ShardAndGather() {
  const Array w = *Array::FromValues<int32_t>({4, 2}, {0, 1, 2, 3, 4, 5, 6, 7});
  const auto params = std::tuple(w, Rows(0, 4), Rows(10, 2));
  const Mesh mesh = *Mesh::Create({{2, 2}, devices()}, {"data", "model"});
  const FsdpShardingRule fsdp({.axis_name = "data", .min_size = 8});
  const auto fns = make_shard_and_gather_fns(
      params,
      std::tuple(fsdp, PartitionSpec(AxisTuple{"model", "data"}), nullptr),
      mesh);
  if (!fns.ok()) return Print(fns.status());
  const auto sharded = apply_shard_and_gather_fns(fns->shard_fns, params);
  if (!sharded.ok()) return Print(sharded.status());
  PrintShards(std::get<0>(*sharded));
  PrintShards(std::get<1>(*sharded));
  const auto gathered = apply_shard_and_gather_fns(fns->gather_fns, *sharded);
  if (!gathered.ok()) return Print(gathered.status());
  Print(absl::StrCat(Text(std::get<0>(*gathered)), " ",
                     Text(std::get<1>(*gathered)), " ",
                     Text(std::get<2>(*gathered))));
}

const ScenarioTable& Scenarios() {
  static const auto& scenarios = *new ScenarioTable{
      {"default_layout", DefaultLayout},
      {"replicated_layout", ReplicatedLayout},
      {"shard_and_gather", ShardAndGather},
      {"shuffled_files", ShuffledFiles},
  };
  return scenarios;
}

}  // namespace
}  // namespace lockstep::internal

int main(int argc, char** argv) {
  return lockstep::internal::RunScenario(argc, argv,
                                         lockstep::internal::Scenarios());
}
