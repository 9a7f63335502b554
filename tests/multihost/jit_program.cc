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
  return RunScenario(argc, argv,
                     {{"layers", Layers},
                      {"shard_map", ShardMap},
                      {"move_parameters", MoveParameters},
                      {"disagreement", Disagreement},
                      {"failure_beside_moves", FailureBesideMoves},
                      {"mesh_of_one_host", MeshOfOneHost}});
}
