// Uses something of every public header, and what their comments show. That it
// compiles without a warning is what is tested, and what it prints.
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "lockstep/lockstep.h"

namespace {

using lockstep::Array;
using lockstep::AxisTuple;
using lockstep::Client;
using lockstep::ElementType;
using lockstep::Mesh;
using lockstep::NamedSharding;
using lockstep::PartitionSpec;
using lockstep::ShardIndex;
using lockstep::Tensor;
using lockstep::Tree;

// make_array.h, device_put.h, host_arrays.h, host_exchange.h,
// ragged_exchange.h, one_host_exchange.h.
absl::Status GlobalShapes() {
  LOCKSTEP_ASSIGN_OR_RETURN(
      Mesh mesh, Mesh::Create({{2, 1}, lockstep::devices()}, {"x", "y"}));
  LOCKSTEP_ASSIGN_OR_RETURN(
      const NamedSharding rows,
      NamedSharding::Create(mesh, PartitionSpec(AxisTuple{"x", "y"})));
  LOCKSTEP_ASSIGN_OR_RETURN(
      const Array made,
      lockstep::make_array_from_callback({4}, rows, [](const ShardIndex& i) {
        return Array({i[0].start(), i[0].start() + 1});
      }));
  LOCKSTEP_ASSIGN_OR_RETURN(
      const Array on_one,
      lockstep::device_put(made, lockstep::local_devices()[1]));
  LOCKSTEP_ASSIGN_OR_RETURN(const Array global,
                            lockstep::host_to_global_array(on_one, mesh));
  LOCKSTEP_ASSIGN_OR_RETURN(const Array gathered,
                            lockstep::process_allgather(global));
  std::cout << made << " " << global.sharding() << " " << gathered << "\n"
            << made.Describe() << "\n";
  // visualize.h.
  LOCKSTEP_ASSIGN_OR_RETURN(const std::string picture,
                            lockstep::visualize_array_sharding(made));
  std::cout << picture;
  LOCKSTEP_ASSIGN_OR_RETURN(const std::vector<std::string> texts,
                            lockstep::process_allgather_ragged("a string"));
  LOCKSTEP_ASSIGN_OR_RETURN(const auto rows_here,
                            lockstep::gather_to_host(Array({1, 2}), 0));
  LOCKSTEP_ASSIGN_OR_RETURN(const Array entry,
                            lockstep::scatter_from_host({Array({3})}, 0));
  std::cout << texts[0] << " " << *rows_here << " " << entry << "\n";
  return lockstep::assert_equal(made);
}

// partitioning.h.
absl::Status Partitioning() {
  LOCKSTEP_ASSIGN_OR_RETURN(
      const auto partitioner,
      lockstep::NamedAxisPartitioner::Create(
          {.num_partitions = 1}, lockstep::World(lockstep::devices()),
          lockstep::HostId(lockstep::host_id())));
  LOCKSTEP_ASSIGN_OR_RETURN(const auto layout, partitioner.GetDataLayout(4));
  std::cout << partitioner.mesh().ToString() << " shard " << layout.shard_id
            << " of " << layout.num_shards << "\n";
  LOCKSTEP_ASSIGN_OR_RETURN(
      const Tree<PartitionSpec> axes,
      lockstep::mesh_axes(
          std::vector{lockstep::LogicalAxisNames("embed", "mlp")},
          partitioner.logical_axis_rules()));
  std::cout << axes[0].leaf().ToString() << "\n";
  const Array w({1.f, 2.f}), step({3});
  const auto params = std::tuple(std::map<std::string, Array>{{"w", w}}, step);
  const lockstep::FsdpShardingRule fsdp({.axis_name = "model", .min_size = 2});
  LOCKSTEP_ASSIGN_OR_RETURN(
      const auto shardings,
      lockstep::match_sharding_rule(std::tuple(fsdp, PartitionSpec()), params,
                                    partitioner.mesh()));
  LOCKSTEP_ASSIGN_OR_RETURN(const auto placed,
                            lockstep::device_put(params, shardings));
  std::cout << std::get<0>(placed).at("w").sharding() << "\n";
  LOCKSTEP_ASSIGN_OR_RETURN(
      const auto by_path,
      lockstep::TreePathShardingRule::Create({{"w", PartitionSpec("model")}},
                                             /*strict=*/false));
  LOCKSTEP_ASSIGN_OR_RETURN(
      const auto fns,
      lockstep::make_shard_and_gather_fns(params, by_path, partitioner.mesh()));
  LOCKSTEP_ASSIGN_OR_RETURN(
      const auto gathered,
      lockstep::apply_shard_and_gather_fns(fns.gather_fns, placed));
  const lockstep::MeshContext context(partitioner.mesh());
  std::cout << std::get<0>(gathered).at("w") << " "
            << lockstep::global_mesh_defined() << "\n";
  return absl::OkStatus();
}

// file_set.h, prefetcher.h.
absl::Status DataInput() {
  LOCKSTEP_ASSIGN_OR_RETURN(
      const lockstep::FileSet files,
      lockstep::FileSet::Create({"c", "a", "b"},
                                {.shard_id = 0, .num_shards = 2}));
  lockstep::Prefetcher<std::string> prefetcher(
      [paths = files.PathsOfEpoch(0), next = size_t{0}]() mutable
          -> absl::StatusOr<std::optional<std::string>> {
        if (next == paths.size()) return std::nullopt;
        return paths[next++];
      },
      {.capacity = 1});
  for (;;) {
    LOCKSTEP_ASSIGN_OR_RETURN(const auto path, prefetcher.Next());
    if (!path.has_value()) break;
    std::cout << *path << " ";
  }
  std::cout << "of " << files.paths().size() << "\n";
  return absl::OkStatus();
}

// tree_fields.h.
template <typename T>
struct Layer {
  T weight;
  std::optional<T> bias;
  LOCKSTEP_TREE_FIELDS(weight, bias)
};

// array_operations.h.
absl::Status Operations() {
  using namespace lockstep;
  Array x({1.f, 4.f});
  const Array y = 2.0 * x + sqrt(x) - maximum(1, x) / 2;
  x -= 1;
  const Array chosen = where(x == 0, astype(y, ElementType::kF16), -x);
  LOCKSTEP_RETURN_IF_ERROR(chosen.Await());
  std::cout << y << " " << clip(chosen, 0, 2) << " " << (x >= y) << "\n";
  return absl::OkStatus();
}

// tree_map.h, and trees where arrays go.
absl::Status Trees() {
  auto apply = lockstep::pmap([](Layer<Tensor> layer, Tensor x) {
    const Tensor y = x * layer.weight;
    layer.weight = layer.bias.has_value() ? y + *layer.bias : y;
    return layer;
  });
  const Array x({1.f, 2.f});
  LOCKSTEP_ASSIGN_OR_RETURN(const Layer<Array> layer,
                            apply(Layer<Array>{x, {}}, x));
  LOCKSTEP_ASSIGN_OR_RETURN(
      const auto moved,
      lockstep::device_put(layer, lockstep::local_devices()[1]));
  const auto ranks =
      lockstep::tree_map([](const Array& a) { return a.rank(); }, moved);
  std::cout << lockstep::tree_structure(ranks) << " "
            << lockstep::tree_leaves(ranks).size() << " " << moved.weight
            << "\n";
  return lockstep::assert_equal(moved);
}

// checkpoint.h.
absl::Status Checkpoints() {
  std::string folder = std::filesystem::temp_directory_path() / "XXXXXX";
  if (mkdtemp(folder.data()) == nullptr) {
    return absl::UnavailableError("no folder for temporary files");
  }
  const Layer<Array> layer{Array({1.f, 2.f}), {}};
  LOCKSTEP_RETURN_IF_ERROR(lockstep::save(folder, layer));
  lockstep::PendingSave pending = lockstep::save_async(folder, layer);
  LOCKSTEP_RETURN_IF_ERROR(pending.Await());
  LOCKSTEP_ASSIGN_OR_RETURN(const auto shapes,
                            lockstep::checkpoint_shapes(folder));
  LOCKSTEP_ASSIGN_OR_RETURN(const auto values,
                            lockstep::restore(folder, shapes));
  LOCKSTEP_ASSIGN_OR_RETURN(
      const Layer<Array> restored,
      lockstep::restore(folder, layer, lockstep::local_devices()[1]));
  std::cout << values.at("weight") << " " << restored.weight << "\n";
  std::filesystem::remove_all(folder);
  return absl::OkStatus();
}

// array_files.h, meshes.h.
absl::Status FilesAndMeshes() {
  LOCKSTEP_ASSIGN_OR_RETURN(
      const lockstep::World world,
      lockstep::FlatWorld({.hosts = 2, .devices_per_host = 4}));
  LOCKSTEP_ASSIGN_OR_RETURN(const Mesh mesh, lockstep::BuildCpuMesh(world));
  std::string file = std::filesystem::temp_directory_path() / "XXXXXX";
  const int opened = mkstemp(file.data());
  if (opened < 0) return absl::UnavailableError("no temporary file");
  close(opened);
  const Layer<Array> layer{Array({1.f, 2.f}), {}};
  LOCKSTEP_RETURN_IF_ERROR(lockstep::save_safetensors(file, layer));
  LOCKSTEP_ASSIGN_OR_RETURN(const auto loaded,
                            lockstep::load_safetensors(file));
  LOCKSTEP_RETURN_IF_ERROR(lockstep::save_npz(file, loaded));
  LOCKSTEP_ASSIGN_OR_RETURN(const auto again, lockstep::load_npz(file));
  LOCKSTEP_RETURN_IF_ERROR(lockstep::save_npy(file, again.at("weight")));
  LOCKSTEP_ASSIGN_OR_RETURN(const Array weight, lockstep::load_npy(file));
  std::cout << mesh.ToString() << " " << weight << "\n";
  std::filesystem::remove(file);
  return absl::OkStatus();
}

// pmap.h, in the host view: a cluster of one.
absl::Status HostView() {
  LOCKSTEP_RETURN_IF_ERROR(lockstep::Initialize({.num_cpu_devices = 2}));
  auto add = lockstep::pmap([](Tensor x) { return x + lockstep::psum(x, "i"); },
                            {.axis_name = "i"});
  absl::StatusOr<Array> y = add(Array({1.f, 2.f}));
  std::cout << lockstep::device_count() << " devices: " << y.value() << "\n";
  // tree.h.
  const Array w({1.f, 2.f}), b({3, 4});
  Tree<Array> params = Tree<Array>::Map({{"w", w}, {"b", b}});
  auto scale = lockstep::pmap(
      [](Tree<Tensor> p, std::vector<Tensor> more,
         std::map<std::string, Tensor> named, Tensor factor) {
        return std::pair(p["w"].leaf() * factor, more[0] + named["c"].dim(-1));
      },
      {.in_axes = {0, 0, 0, std::nullopt}, .donate_argnums = {1}});
  LOCKSTEP_ASSIGN_OR_RETURN(
      const auto scaled,
      scale(params, std::vector<Array>{w},
            std::map<std::string, Array>{
                {"c", *Array::FromValues<float>({2, 3}, {0, 1, 2, 3, 4, 5})}},
            2.0));
  std::cout << scaled.first << " " << scaled.second << "\n";
  LOCKSTEP_RETURN_IF_ERROR(GlobalShapes());
  LOCKSTEP_RETURN_IF_ERROR(Partitioning());
  LOCKSTEP_RETURN_IF_ERROR(DataInput());
  LOCKSTEP_RETURN_IF_ERROR(Trees());
  LOCKSTEP_RETURN_IF_ERROR(Checkpoints());
  LOCKSTEP_RETURN_IF_ERROR(FilesAndMeshes());
  LOCKSTEP_RETURN_IF_ERROR(Operations());
  // live_hosts.h.
  LOCKSTEP_ASSIGN_OR_RETURN(const auto live, lockstep::live_hosts());
  LOCKSTEP_RETURN_IF_ERROR(lockstep::with_live_devices(
      lockstep::devices(), [&](const std::vector<lockstep::Device>& left) {
        std::cout << live.size() << " live host, " << left.size()
                  << " devices\n";
        return absl::OkStatus();
      }));
  // preemption.h.
  LOCKSTEP_RETURN_IF_ERROR(lockstep::notice_preemption());
  LOCKSTEP_ASSIGN_OR_RETURN(const bool saves,
                            lockstep::reached_preemption_sync_point(0));
  std::cout << "saves at step 0: " << (saves ? "yes" : "no") << "\n";
  return lockstep::Shutdown();
}

// ops.h: something of each kind.
Tensor EveryKindOfOperation(Tensor x) {
  using namespace lockstep;
  const Tensor rows = reshape(arange(6, ElementType::kF32), {2, 3});
  Tensor y = sum(dot(rows, transpose(rows))) + tanh(x) * 0;
  y += where(x > 1, astype(axis_index("i"), ElementType::kF32), zeros({}));
  y = fori_loop(0, 3, [](Tensor, Tensor v) { return v + 1; }, y);
  y -= cond(
      x > 0, [&] { return std::vector<Tensor>{x}; },
      [&] { return std::vector<Tensor>{-x}; })[0];
  return y + ppermute(x, "i", {{0, 1}, {1, 0}});
}

// client.h: the global view.
absl::Status GlobalView() {
  LOCKSTEP_ASSIGN_OR_RETURN(
      Client client, Client::Embedded({.hosts = 2, .devices_per_host = 1}));
  auto add = client.pmap([](Tensor x) { return x + lockstep::psum(x, "i"); },
                         {.axis_name = "i"});
  std::cout << client.device_count()
            << " devices: " << add(Array({1.f, 2.f})).value() << "\n";
  auto every = client.pmap(EveryKindOfOperation, {.axis_name = "i"});
  std::cout << every(Array({1.f, 2.f})).value() << "\n";
  // trace_function.h.
  LOCKSTEP_ASSIGN_OR_RETURN(
      const auto traced,
      lockstep::TraceFunction("twice",
                              lockstep::AxisEnvironment::OneAxis("i", 2),
                              {lockstep::Shape(ElementType::kF32, {3})},
                              [](const std::vector<Tensor>& x) {
                                return std::vector<Tensor>{2 * x[0]};
                              }));
  LOCKSTEP_ASSIGN_OR_RETURN(const auto program,
                            client.LoadProgram(traced.text()));
  LOCKSTEP_ASSIGN_OR_RETURN(
      const auto results,
      client.Run(program,
                 {*Array::FromValues<float>({2, 3}, {0, 1, 2, 3, 4, 5})}));
  std::cout << results[0] << "\n";
  return absl::OkStatus();
}

}  // namespace

int main() {
  for (const absl::Status& status : {HostView(), GlobalView()}) {
    if (!status.ok()) {
      std::cerr << status << "\n";
      return 1;
    }
  }
}
