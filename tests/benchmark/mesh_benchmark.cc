// Meshes and shardings of 16,384 devices on 2,048 hosts, beside a copy of the
// list of devices; plans that reshard an array over 1,024 devices.
//
//   bazel run -c opt //tests/benchmark:mesh_benchmark
//
// Times are medians.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <vector>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "runtime/base/check.h"
#include "runtime/mesh/addressable_slices.h"
#include "runtime/mesh/host_shapes.h"
#include "runtime/mesh/mesh.h"
#include "runtime/mesh/named_sharding.h"
#include "runtime/mesh/reshard_plan.h"
#include "runtime/mesh/shard_layout.h"
#include "runtime/mesh/simulated_world.h"
#include "runtime/mesh/world.h"

namespace lockstep::internal {
namespace {

void Report(const char* what, const std::function<void()>& call) {
  constexpr int kRounds = 21;
  std::vector<double> milliseconds;
  for (int round = 0; round < kRounds; ++round) {
    const absl::Time start = absl::Now();
    call();
    milliseconds.push_back(absl::ToDoubleMilliseconds(absl::Now() - start));
  }
  std::sort(milliseconds.begin(), milliseconds.end());
  std::printf("%-56s %8.3f ms\n", what, milliseconds[kRounds / 2]);
}

void Run() {
  const World world = *FlatWorld({.hosts = 2048, .devices_per_host = 8});
  const DeviceGrid grid{{16, 64, 16}, world.devices()};
  const std::vector<std::string> names = {"replica", "data", "model"};
  const std::vector<int64_t> shape = {32768, 8192};
  Report("a copy of the list of 16,384 devices", [&] {
    std::vector<Device> copy = world.devices();
    copy.pop_back();  // as whoever asks for a copy
    LOCKSTEP_CHECK(copy.size() == 16383);
  });
  Report("a mesh of them, (16, 64, 16)",
         [&] { LOCKSTEP_CHECK(Mesh::Create(grid, names).ok()); });
  const Mesh mesh = *Mesh::Create(grid, names);
  const NamedSharding sharding = *NamedSharding::Create(
      mesh, PartitionSpec(AxisTuple{"replica", "data"}, "model"));
  const NamedSharding replicated =
      *NamedSharding::Create(mesh, PartitionSpec("model"));
  Report("slices of all devices, two dimensions over three axes", [&] {
    LOCKSTEP_CHECK(DeviceSlices(sharding, shape)->size() == 16384);
  });
  Report("replica ids of all devices, 1,024 copies", [&] {
    LOCKSTEP_CHECK(
        ShardLayout::Create(replicated, shape)->ReplicaIds().back() == 1023);
  });
  Report("the local shape of the last host", [&] {
    LOCKSTEP_CHECK(GlobalToLocalShape(sharding, HostId(2047), shape).ok());
  });
  Report("its slices among those of all hosts", [&] {
    LOCKSTEP_CHECK(HostIndexAndCount(sharding, HostId(2047), 0, 2).ok());
  });
}

void RunPlans() {
  const World world = *FlatWorld({.hosts = 128, .devices_per_host = 8});
  const Mesh mesh = *Mesh::Create({{32, 32}, world.devices()}, {"x", "y"});
  const std::vector<int64_t> shape = {8192, 8192};
  const auto over = [&](PartitionSpec spec) {
    return *NamedSharding::Create(mesh, std::move(spec));
  };
  const AxisTuple all = {"x", "y"};
  const NamedSharding rows = over(PartitionSpec(all));
  const auto plan = [&](const char* what, const NamedSharding& from,
                        const NamedSharding& to) {
    Report(what, [&] {
      LOCKSTEP_CHECK(ReshardPlan::Create(from, to, shape)->rank_count() ==
                     1024);
    });
  };
  plan("a plan over 1,024 devices, rows to columns", rows,
       over(PartitionSpec(nullptr, all)));
  plan("rows to copies of the whole", rows, over(PartitionSpec()));
  plan("copies of the whole to rows", over(PartitionSpec()), rows);
  plan("rows to blocks", rows, over(PartitionSpec("x", "y")));
  plan("blocks to blocks the other way", over(PartitionSpec("x", "y")),
       over(PartitionSpec("y", "x")));
}

}  // namespace
}  // namespace lockstep::internal

int main() {
  lockstep::internal::Run();
  lockstep::internal::RunPlans();
}
