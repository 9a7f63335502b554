// One host of the host view that makes, moves and reads arrays of global shape.
// Joins the cluster by its environment and runs the scenario that its argument
// names; prints one line per result.
#include <signal.h>

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "client/lockstep.h"
#include "runtime/base/status.h"
#include "tests/multihost/array_scenarios.h"
#include "tests/multihost/scenario_program.h"

namespace lockstep::internal {
namespace {

// M-1, M-5.
void Callback() {
  int calls = 0;
  const NamedSharding rows = ShardingOf(MeshOf({8}), PartitionSpec("x"));
  const auto array =
      make_array_from_callback({16}, rows, [&](const ShardIndex& index) {
        ++calls;
        return PartOf({16}, index);
      });
  PrintShards(array);
  std::cout << *array << std::endl;
  Print(absl::StrCat(calls, " calls, ", array->global_shards().size(),
                     " shards, addressable: ", array->is_fully_addressable(),
                     ", bytes: ", array->on_device_size_in_bytes()));
  Print(array->Fetch().status());
  Print(GlobalIota({4}, ShardingOf(MeshOf({8}), PartitionSpec())));
}

// M-3: which specs can be fetched.
void Fetchable() {
  const auto print = [](const Mesh& mesh, const std::vector<int64_t>& dims,
                        const std::vector<PartitionSpec>& specs) {
    std::vector<std::string> answers;
    for (const PartitionSpec& spec : specs) {
      const auto array = GlobalIota(dims, ShardingOf(mesh, spec));
      const auto value = array->Fetch();
      answers.push_back(!value.ok()                     ? "no"
                        : *value == *Iota(dims).Fetch() ? "yes"
                                                        : "wrong");
    }
    Print(absl::StrJoin(answers, " "));
  };
  print(MeshOf({4, 2}), {8, 2},
        {PartitionSpec("x", "y"), PartitionSpec("x"),
         PartitionSpec(AxisTuple{"x", "y"}), PartitionSpec("y"),
         PartitionSpec()});
  print(MeshOf({2, 2, 2}), {8, 4, 2},
        {PartitionSpec("x", "y", "z"), PartitionSpec(AxisTuple{"x", "y"}, "z"),
         PartitionSpec("z"), PartitionSpec(nullptr, nullptr, "z")});
}

// M-4: arrays on the devices of host 1 only.
void Elsewhere() {
  const NamedSharding there =
      ShardingOf(MeshOf({2}, {2, 3}), PartitionSpec("x"));
  const auto array = GlobalIota({4}, there);
  PrintShards(array);
  const auto put = device_put(Iota({4}), there);
  const auto moved =
      device_put(*array, ShardingOf(MeshOf({2}, {3, 2}), PartitionSpec("x")));
  for (const auto& each : {array, put, moved}) {
    Print(absl::StrCat(ShapeText(*each),
                       " here: ", each->addressable_shards().size(),
                       " holds: ", HoldsIota(*each)));
  }
  Print(array->Fetch().status());
}

// M-7: mesh (2, 2, 2), every host with a local part of (4, 4).
void ProcessLocalData() {
  const auto array = make_array_from_process_local_data(
      ShardingOf(MeshOf({2, 2, 2}), PartitionSpec(AxisTuple{"x", "y"}, "z")),
      Iota({4, 4}, 100 * host_id()));
  Print(array.ok() ? ShapeText(*array) : StatusLine(array.status()));
  PrintShards(array);
}

// M-7 on a mesh whose columns are not uniform over the hosts.
void UnevenMesh() {
  const NamedSharding sharding = ShardingOf(
      MeshOf({2, 4}, {0, 1, 2, 3, 4, 6, 5, 7}), PartitionSpec("x", "y"));
  const Array data = Iota({2, 4}, 100 * host_id());
  Print(make_array_from_process_local_data(sharding, data).status());
  PrintShards(make_array_from_process_local_data(sharding, data, {{4, 8}}));
}

// M-6.
void DeviceArrays() {
  const NamedSharding rows = ShardingOf(MeshOf({4}), PartitionSpec("x"));
  std::vector<Array> parts;
  for (const Device& device : local_devices()) {
    parts.push_back(*device_put(Array({device.id.value()}), device));
  }
  std::swap(parts[0], parts[1]);
  PrintShards(make_array_from_single_device_arrays({4}, rows, parts));
  parts.resize(host_id() == 0 ? 1 : 2);
  Print(make_array_from_single_device_arrays({4}, rows, parts).status());
  // M-20, of what lies on devices.
  const NamedSharding copies =
      ShardingOf(MeshOf({2, 2}, {0, 2, 1, 3}), PartitionSpec("x"));
  for (int wrong : {0, 1}) {
    parts.clear();
    for (int i = 0; i < 2; ++i) {
      parts.push_back(
          *device_put(Array({i == 1 && host_id() == 1 ? i + wrong : i}),
                      local_devices()[i]));
    }
    PrintShards(make_array_from_single_device_arrays({2}, copies, parts));
  }
  Print(GlobalIota({4}, ShardingOf(MeshOf({4}), PartitionSpec())));
}

// M-18, M-20: hosts that differ, each time followed by a call that is right.
void Differences() {
  const NamedSharding rows = ShardingOf(MeshOf({4}), PartitionSpec("x"));
  const NamedSharding same = ShardingOf(MeshOf({4}), PartitionSpec());
  const bool is_first = host_id() == 0;
  Print(GlobalIota({is_first ? 4 : 8}, rows).status());
  Print(GlobalIota({4}, is_first ? rows : same).status());
  const NamedSharding swapped =
      ShardingOf(MeshOf({4}, {1, 0, 2, 3}), PartitionSpec("x"));
  Print(GlobalIota({4}, is_first ? rows : swapped).status());
  Print(device_put(is_first ? Array({1, 2}) : Array({1, 3}), same).status());
  Print(device_put(is_first ? Array({1, 2, 3, 4}) : Array({1, 2, 3, 5}), rows)
            .status());
  ArrayOptions unchecked;
  unchecked.check_equal = false;
  Print(device_put(is_first ? Array({1, 2}) : Array({1, 3}), same, unchecked)
            .status());
  Print(make_array_from_callback(
            {4}, rows,
            [&](const ShardIndex& index) -> absl::StatusOr<Array> {
              if (is_first) return absl::NotFoundError("no such file");
              return PartOf({4}, index);
            })
            .status());
  Print(GlobalIota({4}, same));
}

// M-20 for a part that two of three hosts have.
void SharedPart() {
  const NamedSharding halves =
      ShardingOf(MeshOf({2, 2}, {0, 2, 1, 4}), PartitionSpec("x"));
  // d0 of host 0 and d2 of host 1 have the first half, d1 of host 0 and d4 of
  // host 2 the second.
  for (int wrong : {-1, 2}) {
    const auto array =
        make_array_from_callback({2}, halves, [&](const ShardIndex& index) {
          const auto value = static_cast<int32_t>(index[0].start());
          return Array({host_id() == wrong ? 7 : value});
        });
    PrintShards(array);
  }
}

// T-27: each spec of the table, on 2×4 with the mesh (2, 4).
void LocalToGlobal() {
  const Mesh mesh = MeshOf({2, 4}, {}, {"data", "model"});
  for (const PartitionSpec& spec :
       {PartitionSpec("data"), PartitionSpec("model"), PartitionSpec(),
        PartitionSpec("data", "model")}) {
    const bool is_same =
        !spec.entry(0).axes().empty() && spec.entry(0).axes()[0] == "data";
    const Array local = Iota({8, 4}, is_same ? 100 * host_id() : 0);
    const auto global = host_local_array_to_global_array(local, mesh, spec);
    const auto back = global_array_to_host_local_array(*global, mesh, spec);
    Print(absl::StrCat(ShapeText(*global), " and back ", ShapeText(*back), ": ",
                       *back->Fetch() == *local.Fetch()));
  }
  const Mesh line = MeshOf({8}, {}, {"x"});
  std::vector<int32_t> values = {0, 1, 2, 3};
  for (int32_t& value : values) value *= host_id();
  PrintShards(host_local_array_to_global_array(Array(values), line,
                                               PartitionSpec("x")));
  Print(host_local_array_to_global_array(Iota({4}, host_id()), line,
                                         PartitionSpec())
            .status());
}

// L-1 and L-2 on a mesh whose hosts alternate.
void AnyMesh() {
  const Mesh mixed = MeshOf({4}, {0, 4, 1, 5});
  const Array local = Iota({4}, 100 * host_id());
  const auto global = host_to_global_array(local, mixed);
  PrintShards(global);
  Print(global_to_host_array(*global));
  Print(host_local_array_to_global_array(local, mixed, PartitionSpec("x"))
            .status());
  // Hosts on the minor axis.
  const Mesh minor = MeshOf({4, 2}, {0, 4, 1, 5, 2, 6, 3, 7});
  const auto rows = host_to_global_array(Iota({4}, 100 * host_id()), minor);
  PrintShards(rows);
  Print(global_to_host_array(*rows));
  // Leaves whose shards are here in another order.
  const auto other =
      host_to_global_array(Iota({4}, 100 * host_id()), MeshOf({8}));
  Print(global_to_host_array(
            Tree<Array>::Map(
                {{"a", *other}, {"b", Tree<Array>::Map({{"c", *rows}})}}))
            .status());
  Print(host_to_global_array(Iota({4}, host_id()), minor,
                             DataPartition::kReplicated)
            .status());
}

// S-10.
void Batch() {
  const Mesh mesh = MeshOf({2, 4});
  const Array rows = Iota({8}, 8 * host_id());
  using Axes = std::vector<std::string>;
  PrintShards(local_data_to_global_array(rows, mesh));
  for (const Axes& axes : {Axes{"x"}, Axes{"y"}, Axes{"y", "x"}}) {
    PrintShards(local_data_to_global_array(rows, mesh, {.axes = axes}));
  }
  PrintShards(local_data_to_global_array(Iota({2, 8}, 100 * host_id()), mesh,
                                         {.batch_dim = 1}));
  // Parts are in the order of the world, blocks in that of the mesh.
  PrintShards(
      local_data_to_global_array(rows, MeshOf({8}, {7, 1, 0, 5, 2, 4, 3, 6})));
  Print(local_data_to_global_array(rows, mesh, {.axes = Axes{"z"}}).status());
  Print(local_data_to_global_array(Iota({6}, 0), mesh).status());
  const auto tree = local_data_to_global_array(
      Tree<Array>::Map({{"a", rows}, {"b", Iota({7}, 0)}}), mesh);
  Print(tree.status());
  // One host that is wrong fails the call on all.
  Print(local_data_to_global_array(host_id() == 1 ? Iota({6}, 0) : rows, mesh)
            .status());
  Print(local_data_to_global_array(rows, mesh,
                                   {.axes = Axes{host_id() == 1 ? "z" : "y"}})
            .status());
  PrintShards(local_data_to_global_array(rows, mesh));
}

// M-9 between any two of these, and from there to one of fewer devices.
void Reshard() {
  const Mesh meshes[] = {MeshOf({2, 4}), MeshOf({4, 2}),
                         MeshOf({4, 2}, {5, 0, 7, 2, 1, 4, 3, 6})};
  const PartitionSpec specs[] = {PartitionSpec(), PartitionSpec("x"),
                                 PartitionSpec("y", "x"),
                                 PartitionSpec(nullptr, AxisTuple{"x", "y"})};
  const std::vector<int64_t> dims = {8, 16};
  int good = 0;
  for (const Mesh& from : meshes) {
    for (const PartitionSpec& before : specs) {
      const auto array = GlobalIota(dims, ShardingOf(from, before));
      for (const Mesh& to : meshes) {
        for (const PartitionSpec& after : specs) {
          const auto moved = device_put(*array, ShardingOf(to, after));
          if (!moved.ok()) return Print(moved.status());
          good += HoldsIota(*moved) ? 1 : 0;
        }
      }
    }
  }
  Print(absl::StrCat(good, " of 144"));
}

void OtherDevices() {
  const std::vector<int64_t> dims = {12, 4};
  // On hosts 0 and 1; on host 2; on all three, some devices of each.
  const NamedSharding shardings[] = {
      ShardingOf(MeshOf({4}, {0, 1, 2, 3}), PartitionSpec("x")),
      ShardingOf(MeshOf({2}, {5, 4}), PartitionSpec(nullptr, "x")),
      ShardingOf(MeshOf({3}, {1, 2, 5}), PartitionSpec("x"))};
  for (const NamedSharding& from : shardings) {
    for (const NamedSharding& to : shardings) {
      const auto moved = device_put(*GlobalIota(dims, from), to);
      if (!moved.ok()) return Print(moved.status());
      Print(absl::StrCat(moved->addressable_shards().size(),
                         " here, good: ", HoldsIota(*moved)));
    }
  }
}

// To and from one device.
void OneDevice() {
  const NamedSharding rows = ShardingOf(MeshOf({4}), PartitionSpec("x"));
  const NamedSharding same = ShardingOf(MeshOf({4}), PartitionSpec());
  const Device last = devices()[3];
  PrintShards(device_put(*GlobalIota({4}, rows), last));
  PrintShards(device_put(*GlobalIota({4}, same), last));
  const auto mine = device_put(Iota({4}), local_devices()[0]);
  Print(mine);
  Print(device_put(*mine, rows).status());
  PrintShards(device_put(*mine, local_devices()[1]));
}

// Hosts that reshard differently.
void OtherReshard() {
  const Mesh mesh = MeshOf({4});
  const auto array = GlobalIota({4, 4}, ShardingOf(mesh, PartitionSpec("x")));
  const NamedSharding columns = ShardingOf(mesh, PartitionSpec(nullptr, "x"));
  const NamedSharding same = ShardingOf(mesh, PartitionSpec());
  const auto first = device_put(*array, host_id() == 0 ? columns : same);
  Print(first.ok() ? first->Await() : first.status());
  Print(device_put(*array, same));
}

// Host 1 is killed between two reshardings.
void LostHost() {
  const NamedSharding rows = ShardingOf(MeshOf({6}), PartitionSpec("x"));
  const NamedSharding columns =
      ShardingOf(MeshOf({6}), PartitionSpec(nullptr, "x"));
  const auto array = GlobalIota({6, 6}, rows);
  Print(device_put(*array, columns)->Await());
  if (host_id() == 1) raise(SIGKILL);
  const auto moved = device_put(*array, columns);
  Print(moved.ok() ? moved->Await() : moved.status());
  Print(absl::StrCat("the old one holds: ", HoldsIota(*array)));
  const Mesh rest = MeshOf({4}, {0, 1, 4, 5});
  const auto other = GlobalIota({4, 4}, ShardingOf(rest, PartitionSpec("x")));
  Print(device_put(*other, ShardingOf(rest, PartitionSpec(nullptr, "x")))
            ->Await());
}

// M-13.
void Gather() {
  const int32_t first = 4 * host_id();
  const Array values = Iota({4}, first);
  Print(process_allgather(values));
  Print(process_allgather(values, {.tiled = true}));
  for (bool tiled : {false, true}) {
    Print(process_allgather(Array(Literal::Scalar(first)), {.tiled = tiled}));
  }
  const auto tree = process_allgather(
      Tree<Array>::Map({{"a", Array(Literal::Scalar(0.5 + first))},
                        {"b", Tree<Array>::List({Array({true, false})})}}));
  Print((*tree)["a"].leaf());
  Print((*tree)["b"][0].leaf());
  const auto global =
      GlobalIota({4}, ShardingOf(MeshOf({2}, {0, 2}), PartitionSpec("x")));
  Print(process_allgather(*global, {.tiled = true}));
  Print(process_allgather(*global).status());
  Print(process_allgather(Iota({host_id() == 0 ? 2 : 3})).status());
  Print(process_allgather(host_id() == 0 ? Array({1.f}) : Array({1})).status());
  Print(process_allgather(Iota({1}, first), {.tiled = true}));
}

// M-13 between two of three hosts, then after the third one was killed.
void GatherOfSome() {
  const GatherHostsOptions options = {.exchange = {.hosts = {0, 2}}};
  const Array mine = Iota({1}, host_id());
  Print(process_allgather(mine, options));
  Print(process_allgather(mine));
  if (host_id() == 1) raise(SIGKILL);
  Print(process_allgather(mine).status());
  Print(process_allgather(mine, options));
}

void Broadcast() {
  const int32_t first = 4 * host_id();
  Print(broadcast_one_to_all(Iota({4}, first)));
  std::vector<uint8_t> bytes = {0, 1, 2, 3};
  for (uint8_t& byte : bytes) byte += first;
  const auto same = broadcast_one_to_all(Array(bytes), host_id() == 1);
  Print(absl::StrCat(Text(same), " ", NumpyName(same->dtype())));
  // -0 stays what it is.
  Print(broadcast_one_to_all(Array({host_id() == 0 ? -0.0f : 1.0f})));
  Print(broadcast_one_to_all(Iota({1}), host_id() != 0).status());
  Print(broadcast_one_to_all(Iota({1}), false).status());
  Print(broadcast_one_to_all(Iota({1}, first), host_id() == 2));
}

// M-14.
void Equality() {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  Print(assert_equal(Array({1.f, nan})));
  Print(assert_equal(Array({host_id() == 1 ? -0.0f : 0.0f})));
  const auto tree = [](int32_t value) {
    return Tree<Array>::Map(
        {{"a", Array({1})},
         {"b", Tree<Array>::List(
                   {*Array::FromValues<int32_t>({2, 2}, {1, 2, value, 4})})}});
  };
  Print(assert_equal(tree(host_id() == 2 ? 7 : 3)));
  Print(assert_equal(tree(3)));
}

const ScenarioTable& Scenarios() {
  static const auto& scenarios = *new ScenarioTable{
      {"callback", Callback},
      {"fetchable", Fetchable},
      {"elsewhere", Elsewhere},
      {"process_local_data", ProcessLocalData},
      {"uneven_mesh", UnevenMesh},
      {"device_arrays", DeviceArrays},
      {"differences", Differences},
      {"shared_part", SharedPart},
      {"local_to_global", LocalToGlobal},
      {"any_mesh", AnyMesh},
      {"batch", Batch},
      {"reshard", Reshard},
      {"other_devices", OtherDevices},
      {"one_device", OneDevice},
      {"other_reshard", OtherReshard},
      {"lost_host", LostHost},
      {"gather", Gather},
      {"gather_of_some", GatherOfSome},
      {"broadcast", Broadcast},
      {"equality", Equality},
  };
  return scenarios;
}

}  // namespace
}  // namespace lockstep::internal

int main(int argc, char** argv) {
  return lockstep::internal::RunScenario(argc, argv,
                                         lockstep::internal::Scenarios());
}
