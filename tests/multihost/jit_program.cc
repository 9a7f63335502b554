// One host of the host view that runs programs over whole arrays. Joins the
// cluster by its environment and runs the scenario that its argument names;
// prints one line per result.
#include <cstdint>
#include <iostream>
#include <map>
#include <string>
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

// In one line: the value where it is here, else the shards that are.
void Print(const absl::StatusOr<Array>& array) {
  if (!array.ok()) return Print(StatusLine(array.status()));
  if (array->is_fetchable()) {
    const auto text = array->ToString();
    return Print(text.ok() ? absl::StrReplaceAll(*text, {{"\n", ""}})
                           : StatusLine(text.status()));
  }
  std::vector<std::string> shards;
  for (const ArrayShard& shard : array->addressable_shards()) {
    const auto text = shard.data->ToString();
    shards.push_back(absl::StrCat(ShardIndexText(shard.index), ": ",
                                  text.ok()
                                      ? absl::StrReplaceAll(*text, {{"\n", ""}})
                                      : StatusLine(text.status())));
  }
  Print(absl::StrJoin(shards, "; "));
}

// data=4, model=2, in the order of the devices.
Mesh DataModel() {
  return *Mesh::Create({{4, 2}, devices()}, {"data", "model"});
}

Array Counting(const std::vector<int64_t>& dims) {
  int64_t size = 1;
  for (int64_t dim : dims) size *= dim;
  std::vector<float> values;
  for (int64_t i = 0; i < size; ++i) {
    values.push_back(static_cast<float>(i % 5) - 2);
  }
  return *Array::FromValues(dims, values);
}

// A layer whose sums are over devices of both hosts, and one whose result
// stays where it is.
void Layers() {
  const auto layers = [](Tensor x, Tensor w1, Tensor w2) {
    const Tensor hidden =
        with_sharding_constraint(matmul(x, w1), PartitionSpec("data", "model"));
    return matmul(hidden, w2);
  };
  JitOptions options = {
      .in_shardings = {PartitionSpec("data"), PartitionSpec(nullptr, "model"),
                       PartitionSpec("model")},
      .out_shardings = PartitionSpec(),
      .mesh = DataModel(),
      .name = "layers"};
  const Array x = Counting({4, 3}), w1 = Counting({3, 4}),
              w2 = Counting({4, 2});
  const auto program = jit(layers, options);
  Print(program(x, w1, w2));
  Print(program(x, w1, w2));  // what is compiled already
  options.out_shardings = PartitionSpec("data");
  Print(jit(layers, options)(x, w1, w2));
  // Without shardings, on a device of each host.
  Print(jit([](Tensor a, Tensor b) { return matmul(a, b); })(x, w1));
}

// Y-7, on devices of both hosts.
void ShardMap() {
  const auto gather = shard_map(
      [](Tensor x) { return all_gather(x, "data", {.dim = 0, .tiled = true}); },
      DataModel(), PartitionSpec("data"), PartitionSpec());
  Print(gather(Counting({4, 2})));
  const auto sum = shard_map([](Tensor x) { return psum(x, "data"); },
                             DataModel(), PartitionSpec("data", "model"),
                             PartitionSpec(nullptr, "model"));
  Print(sum(Counting({4, 2})));
}

// Y-14: the matmul of the guide, whose devices along 'y' have parts of the sum.
void CustomPartitioning() {
  const Mesh mesh = *Mesh::Create({{4, 2}, devices()}, {"x", "y"});
  const auto whole = [](Tensor x, Tensor y) { return matmul(x, y); };
  const PartitionSpec by_x(nullptr, nullptr, "x");
  const PartitionSpec by_y(nullptr, nullptr, "y");
  auto custom = custom_partitioning(whole);
  const absl::Status status = custom.DefPartition(
      {.partition =
           [&](const Mesh& given, const std::vector<ShardedShape>& args,
               const std::vector<ShardedShape>&) {
             const int64_t n = args[1].shape.dim(2) / 2;
             return CustomPartition{
                 .mesh = given,
                 .lower_fn =
                     [n](Tensor x, Tensor y) {
                       const Tensor part = dynamic_slice(
                           x, {0, 0, 0, axis_index("y") * n},
                           {x.shape().dim(0), x.shape().dim(1), n, n});
                       return psum(matmul(part, y), "y");
                     },
                 .result_shardings = by_x,
                 .arg_shardings = {by_x, by_y}};
           },
       .sharding_rule = "... i j, ... j k -> ... i k"});
  if (!status.ok()) return Print(StatusLine(status));
  const auto on_shards = [&](Tensor x, Tensor y) { return custom(x, y); };
  JitOptions options = {.in_shardings = {by_x, by_y},
                        .out_shardings = by_x,
                        .mesh = mesh,
                        .name = "matmul"};
  // N = 1, one batch.
  Print(jit(on_shards, options)(
      *Array::FromValues<float>({1, 1, 4, 2}, {0, 1, 2, 3, 4, 5, 6, 7}),
      *Array::FromValues<float>({1, 1, 2, 4}, {0, 1, 2, 3, 4, 5, 6, 7})));
  options.out_shardings = PartitionSpec();
  for (const int64_t n : {1, 2, 4}) {
    const Array x = Counting({2, 3, 4 * n, 2 * n});
    const Array y = Counting({2, 3, 2 * n, 4 * n});
    Print(jit(on_shards, options)(x, y));
    Print(jit(whole)(x, y));
  }
}

// Hosts whose partitions differ: neither waits.
void CustomPartitioningDisagreement() {
  const Mesh mesh = DataModel();
  auto scale = custom_partitioning([](Tensor x) { return x * 2.0; });
  const double times = host_id() == 0 ? 2.0 : 3.0;
  const absl::Status status = scale.DefPartition(
      {.partition =
           [times](const Mesh&, const std::vector<ShardedShape>& args,
                   const std::vector<ShardedShape>&) {
             return CustomPartition{
                 .lower_fn = [times](Tensor x) { return x * times; },
                 .result_shardings = args[0].sharding,
                 .arg_shardings = args[0].sharding};
           },
       .sharding_rule = "i -> i"});
  if (!status.ok()) return Print(StatusLine(status));
  Print(jit([&](Tensor x) { return scale(x); },
            {.in_shardings = {PartitionSpec("data")},
             .mesh = mesh,
             .name = "scaled"})(Counting({8})));
}

// T-26.
void MoveParameters() {
  const auto partitioner =
      NamedAxisPartitioner::Create({.num_partitions = 2}, World(devices()),
                                   HostId(static_cast<int32_t>(host_id())));
  if (!partitioner.ok()) return Print(StatusLine(partitioner.status()));
  using State = std::map<std::string, Array>;
  const auto moved = move_params_to_devices(
      *partitioner, State{{"w", Counting({2, 4})}, {"b", Counting({2})}},
      std::map<std::string, JitSharding>{{"w", PartitionSpec(nullptr, "model")},
                                         {"b", nullptr}});
  if (!moved.ok()) return Print(StatusLine(moved.status()));
  Print(moved->at("w"));
  Print(moved->at("b"));
}

// Hosts that want different things: neither waits, and the next call runs.
void Disagreement() {
  const JitOptions options = {.mesh = DataModel(), .name = "step"};
  const double added = host_id() == 0 ? 1.0 : 2.0;
  const Array x = Counting({4});
  Print(jit([added](Tensor a) { return a + added; }, options)(x));
  const auto failing = jit(
      [](Tensor a) {
        return host_id() == 0
                   ? a
                   : with_sharding_constraint(a, PartitionSpec("rows"));
      },
      options);
  Print(failing(x));
  Print(jit([](Tensor a) { return a + 1.0; }, options)(x));
}

// One host fails while the others have to move an argument first: the calls
// that follow meet their like.
void FailureBesideMoves() {
  const Mesh mesh = DataModel();
  const auto x = device_put(
      Counting({4, 2}), *NamedSharding::Create(mesh, PartitionSpec("data")));
  if (!x.ok()) return Print(StatusLine(x.status()));
  const JitOptions options = {.in_shardings = {PartitionSpec(nullptr, "model")},
                              .out_shardings = PartitionSpec(),
                              .mesh = mesh,
                              .name = "moves"};
  const auto failing = jit(
      [](Tensor a) {
        return host_id() == 0
                   ? a
                   : with_sharding_constraint(a, PartitionSpec("rows"));
      },
      options);
  Print(failing(*x));
  for (const double added : {1.0, 2.0}) {
    Print(jit([](Tensor a, Tensor b) { return a + b; },
              {.in_shardings = {PartitionSpec(nullptr, "model"), nullptr},
               .out_shardings = PartitionSpec(),
               .mesh = mesh})(*x, added));
  }
}

// Over the devices of host 0: host 1 is in no call.
void MeshOfOneHost() {
  std::vector<Device> four = devices();
  four.resize(4);
  const Mesh mesh = *Mesh::Create({{4}, std::move(four)}, {"data"});
  Print(jit([](Tensor a) { return a + 1.0; }, {.mesh = mesh})(Counting({4})));
  Print(jit([](Tensor a) { return a + 1.0; },
            {.mesh = DataModel()})(Counting({4})));
}

}  // namespace
}  // namespace lockstep::internal

int main(int argc, char** argv) {
  using namespace lockstep::internal;
  return RunScenario(
      argc, argv,
      {{"layers", Layers},
       {"shard_map", ShardMap},
       {"custom_partitioning", CustomPartitioning},
       {"custom_partitioning_disagreement", CustomPartitioningDisagreement},
       {"move_parameters", MoveParameters},
       {"disagreement", Disagreement},
       {"failure_beside_moves", FailureBesideMoves},
       {"mesh_of_one_host", MeshOfOneHost}});
}
