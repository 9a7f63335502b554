// One host of the host view that saves and restores arrays of global shape in
// the folder CHECKPOINT_FOLDER. Joins the cluster by its environment and runs
// the scenario that its argument names; prints one line per result.
#include <signal.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "client/lockstep.h"
#include "runtime/base/status.h"
#include "runtime/types/box.h"
#include "tests/multihost/scenario_program.h"

namespace lockstep::internal {
namespace {

using Arrays = std::map<std::string, Array>;
using Shardings = std::map<std::string, NamedSharding>;

void Print(const std::string& line) { std::cout << line << std::endl; }

void Print(const absl::Status& status) { Print(StatusLine(status)); }

const std::string& Folder() {
  static const auto* const folder =
      new std::string(std::getenv("CHECKPOINT_FOLDER"));
  return *folder;
}

std::vector<Device> DevicesOfHosts(const std::vector<int>& hosts) {
  std::vector<Device> chosen;
  for (const Device& device : devices()) {
    for (int host : hosts) {
      if (device.host == HostId(host)) chosen.push_back(device);
    }
  }
  return chosen;
}

NamedSharding Over(std::vector<int64_t> dims, std::vector<Device> on,
                   PartitionSpec spec) {
  std::vector<std::string> names = {"x", "y"};
  names.resize(dims.size());
  return *NamedSharding::Create(
      *Mesh::Create({std::move(dims), std::move(on)}, std::move(names)),
      std::move(spec));
}

Literal Iota(const std::vector<int64_t>& dims, int32_t first) {
  Literal literal(Shape(ElementType::kS32, dims));
  const auto elements = literal.mutable_data<int32_t>();
  std::iota(elements.begin(), elements.end(), first);
  return literal;
}

// The part of first, first + 1, .. at an index.
Array PartOf(absl::Span<const int64_t> dims, const ShardIndex& index,
             int32_t first) {
  Box box;
  for (size_t dim = 0; dim < dims.size(); ++dim) {
    box.starts.push_back(index[dim].start());
    box.sizes.push_back(index[dim].stop(dims[dim]) - index[dim].start());
  }
  const auto whole = HostTensor::Of(
      std::make_shared<const Literal>(Iota({dims.begin(), dims.end()}, first)));
  return Array(Literal::CopyOf(TakeBox(whole, box)->view));
}

const std::map<std::string, std::vector<int64_t>>& DimsOfArrays() {
  static const auto* const dims =
      new std::map<std::string, std::vector<int64_t>>{
          {"columns", {24, 12}}, {"grid", {12, 24}}, {"same", {6}}};
  return *dims;
}

// By columns, as a grid where the devices make one, and a copy on each.
Shardings ShardingsOn(const std::vector<Device>& on) {
  const auto count = static_cast<int64_t>(on.size());
  const int64_t minor = count % 2 == 0 ? 2 : 1;
  return {{"columns", Over({count}, on, PartitionSpec(nullptr, "x"))},
          {"grid", Over({count / minor, minor}, on, PartitionSpec("y", "x"))},
          {"same", Over({count}, on, PartitionSpec())}};
}

Arrays ArraysOn(const std::vector<Device>& on, int32_t first) {
  Arrays arrays;
  for (const auto& [name, sharding] : ShardingsOn(on)) {
    const std::vector<int64_t>& dims = DimsOfArrays().at(name);
    arrays.emplace(
        name, *make_array_from_callback(dims, sharding,
                                        [&](const ShardIndex& index) {
                                          return PartOf(dims, index, first);
                                        },
                                        {.dtype = ElementType::kS32}));
  }
  return arrays;
}

// "columns 2 grid 2 same 2: good": how many shards are here, and whether each
// is that of first, first + 1, ..
std::string Text(const Arrays& arrays, int32_t first) {
  std::vector<std::string> counts;
  bool is_good = true;
  for (const auto& [name, array] : arrays) {
    const std::vector<ArrayShard> shards = array.addressable_shards();
    counts.push_back(absl::StrCat(name, " ", shards.size()));
    for (const ArrayShard& shard : shards) {
      const auto found = shard.data->Fetch();
      is_good =
          is_good && found.ok() &&
          *found ==
              *PartOf(array.shape().dims(), shard.index, first).host_value();
    }
  }
  return absl::StrCat(absl::StrJoin(counts, " "), ": ",
                      is_good ? "good" : "wrong");
}

absl::StatusOr<Arrays> RestoreOn(const std::vector<Device>& on) {
  std::map<std::string, Shape> forms;
  for (const auto& [name, dims] : DimsOfArrays()) {
    forms.emplace(name, Shape(ElementType::kS32, dims));
  }
  return restore(Folder(), forms, ShardingsOn(on), {.allow_unused = true});
}

void PrintRestored(const std::vector<Device>& on, int32_t first) {
  const absl::StatusOr<Arrays> arrays = RestoreOn(on);
  Print(arrays.ok() ? Text(*arrays, first) : StatusLine(arrays.status()));
}

// With a value that is in host memory.
void Save() {
  Arrays arrays = ArraysOn(devices(), 5);
  arrays.emplace("step", Array(Literal::Scalar(7)));
  Print(save(Folder(), arrays));
}

void Restore() {
  PrintRestored(devices(), 5);
  const auto shapes = checkpoint_shapes(Folder());
  if (!shapes.ok()) return Print(shapes.status());
  const auto values = restore(Folder(), *shapes);
  if (!values.ok()) return Print(values.status());
  bool is_good = true;
  for (const auto& [name, dims] : DimsOfArrays()) {
    is_good = is_good && *values->at(name).host_value() == Iota(dims, 5);
  }
  Print(absl::StrCat("step ", *values->at("step").ToString(), ": ", is_good));
}

// Part of the devices of the cluster.
void OtherMesh() {
  std::vector<Device> reversed = devices();
  std::swap(reversed.front(), reversed.back());
  PrintRestored(reversed, 5);
  PrintRestored({devices()[1], devices()[2]}, 5);
  PrintRestored(DevicesOfHosts({1}), 5);
}

void Differences() {
  const bool is_first = host_id() == 0;
  const Arrays arrays = ArraysOn(devices(), 5);
  Print(save(Folder(), arrays));
  Arrays other = arrays;
  if (is_first) other.erase("grid");
  Print(save(Folder(), other));
  Print(save(Folder(), Array(Literal::Scalar(host_id()))));
  if (!is_first) {
    other["grid"] = Array::Failed(absl::DataLossError("no such batch"));
  }
  other["grid"] = is_first ? arrays.at("grid") : other["grid"];
  Print(save(Folder(), other));
  auto twice = pmap([](Tensor x) { return 2 * x; });
  Print(save(Folder(), *twice(Iota({2}, 0))));
  Print(restore(Folder(), arrays,
                is_first ? ShardingsOn(devices())
                         : ShardingsOn({devices()[3], devices()[1],
                                        devices()[2], devices()[0]}))
            .status());
  PrintRestored(devices(), 5);
}

// Arrays of hosts 1 and 2 are not the business of host 0.
void Elsewhere() {
  const std::vector<Device> there = DevicesOfHosts({1, 2});
  const Arrays arrays = ArraysOn(there, 5);
  Print(save(Folder(), arrays));
  if (host_id() != 0) PrintRestored(there, 5);
  Print(SyncHosts("saved"));
  PrintRestored(DevicesOfHosts({0}), 5);
}

// Host LOST is killed between writing and the meeting of hosts; those that are
// left go on with what there was.
void LostHost() {
  const int lost = std::atoi(std::getenv("LOST"));
  std::vector<int> rest;
  for (int host : {0, 1, 2}) {
    if (host != lost) rest.push_back(host);
  }
  Print(save(Folder(), ArraysOn(devices(), 5)));
  PendingSave pending = save_async(Folder(), ArraysOn(devices(), 1000));
  if (host_id() == lost) raise(SIGKILL);
  Print(pending.Await());
  const std::vector<Device> left = DevicesOfHosts(rest);
  PrintRestored(left, 5);
  Arrays arrays = ArraysOn(left, 2000);
  arrays.emplace("step", Array(Literal::Scalar(7)));
  Print(save(Folder(), arrays));
  PrintRestored(left, 2000);
  std::map<std::string, Tree<NamedSharding>> places;
  for (const auto& [name, sharding] : ShardingsOn(left)) {
    places.emplace(name, sharding);
  }
  places.emplace("step", Tree<NamedSharding>());
  const auto restored = restore(Folder(), arrays, places);
  Print(restored.ok() ? *restored->at("step").ToString()
                      : StatusLine(restored.status()));
}

// For ever: every array has one value throughout, from one save to the next.
void ManySaves() {
  const std::vector<int64_t> dims = {256, 1024};
  const NamedSharding rows =
      Over({device_count()}, devices(), PartitionSpec("x"));
  const Arrays forms = {{"a", Array(Literal(Shape(ElementType::kS32, dims)))},
                        {"b", Array(Literal(Shape(ElementType::kS32, dims)))}};
  int32_t value = 0;
  if (std::getenv("GOES_ON") != nullptr) {
    const auto restored = restore(Folder(), forms);
    if (!restored.ok()) return Print(restored.status());
    value = restored->at("a").ToVector<int32_t>()->at(0);
    for (const auto& [name, array] : *restored) {
      const auto elements = array.ToVector<int32_t>();
      if (std::count(elements->begin(), elements->end(), value) !=
          array.size()) {
        return Print("a mixture");
      }
    }
    Print(absl::StrCat("found ", value));
  }
  while (true) {
    ++value;
    const auto array =
        make_array_from_callback(dims, rows, [&](const ShardIndex& index) {
          const int64_t count = index[0].stop(dims[0]) - index[0].start();
          return Array(Literal::FromValues<int32_t>(
              {count, dims[1]},
              std::vector<int32_t>(static_cast<size_t>(count * dims[1]),
                                   value)));
        });
    if (!array.ok()) return Print(array.status());
    PendingSave pending =
        save_async(Folder(), Arrays{{"a", *array}, {"b", *array}});
    if (const absl::Status saved = pending.Await(); !saved.ok()) {
      return Print(saved);
    }
    Print(absl::StrCat("saved ", value));
  }
}

const ScenarioTable& Scenarios() {
  static const auto& scenarios = *new ScenarioTable{
      {"save", Save},
      {"restore", Restore},
      {"other_mesh", OtherMesh},
      {"differences", Differences},
      {"elsewhere", Elsewhere},
      {"lost_host", LostHost},
      {"many_saves", ManySaves},
  };
  return scenarios;
}

}  // namespace
}  // namespace lockstep::internal

int main(int argc, char** argv) {
  return lockstep::internal::RunScenario(argc, argv,
                                         lockstep::internal::Scenarios());
}
