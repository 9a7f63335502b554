// Random programs with random shardings give on the devices of several hosts,
// compiled by the cpu backend, what they give whole on the interpreter. What
// their hosts send, and what their devices take, is what is planned.
//
// By hand: LOCKSTEP_RANDOM_PROGRAMS=1000 runs more of them,
// LOCKSTEP_FIRST_PROGRAM=123 begins elsewhere.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/synchronization/mutex.h"
#include "runtime/arrays/host_tensors.h"
#include "runtime/base/status.h"
#include "runtime/executable/executable.h"
#include "runtime/frontend/parser.h"
#include "runtime/ir/clone.h"
#include "runtime/ir/module.h"
#include "runtime/ir/printer.h"
#include "runtime/ir/verifier.h"
#include "runtime/worker/compiled_program.h"
#include "runtime/worker/worker.h"
#include "tests/generator/random_program.h"
#include "tests/generator/result_comparison.h"
#include "tests/partition/counting_transport.h"
#include "tests/partition/partitioned_run.h"
#include "tests/partition/planned_bytes.h"
#include "tests/partition/random_shardings.h"
#include "tests/worker/worker_cluster.h"

namespace lockstep::internal {
namespace {

constexpr uint64_t kPrograms = 20;
constexpr int kMostFailures = 3;

using ShardTable = std::vector<std::vector<Literal>>;  // [device][value]

// Hosts whose devices run partitioned programs.
class PartitionHosts {
 public:
  explicit PartitionHosts(std::vector<int> devices_per_host)
      : sent_(std::make_shared<std::atomic<int64_t>>(0)),
        cluster_({std::move(devices_per_host), "cpu", /*over_ucx=*/false,
                  [sent = sent_](std::unique_ptr<Transport> transport) {
                    return std::make_unique<CountingTransport>(
                        std::move(transport), sent);
                  }}),
        arenas_(static_cast<size_t>(device_count())) {}

  int device_count() { return cluster_.worker(0).world().device_count(); }
  // Payload bytes that hosts have sent to each other.
  int64_t sent() const { return sent_->load(); }

  // Runs the module once, with device `devices[i]` as its partition i.
  absl::StatusOr<ShardTable> Run(const Module& module,
                                 const std::vector<int64_t>& devices,
                                 const ShardTable& shards);

 private:
  absl::Status RunOnHost(Worker& worker, const ProgramSpec& spec,
                         const ShardTable& shards, ShardTable& results);

  std::shared_ptr<std::atomic<int64_t>> sent_;
  WorkerCluster cluster_;
  std::vector<int64_t> arenas_;  // by device, see CheckMemory
};

absl::StatusOr<ShardTable> PartitionHosts::Run(
    const Module& module, const std::vector<int64_t>& devices,
    const ShardTable& shards) {
  ProgramSpec spec;
  spec.name = "random";
  spec.module = CloneModule(module);
  std::vector<GlobalDeviceId> ids;
  for (const int64_t device : devices) ids.emplace_back(device);
  ASSIGN_OR_RETURN(
      spec.assignment,
      DeviceAssignment::Create(1, static_cast<int32_t>(ids.size()), ids));
  absl::Mutex mutex;
  std::vector<std::string> problems;
  ShardTable results(devices.size());
  cluster_.OnEveryHost([&](int host) {
    Worker& worker = cluster_.worker(host);
    const bool takes_part = std::any_of(
        ids.begin(), ids.end(),
        [&](GlobalDeviceId id) { return worker.local_device(id) != nullptr; });
    if (!takes_part) return;
    const absl::Status status = RunOnHost(worker, spec, shards, results);
    if (status.ok()) return;
    absl::MutexLock lock(&mutex);
    problems.push_back(absl::StrCat("host ", host, ": ", status.ToString()));
  });
  if (problems.empty()) return results;
  return absl::InternalError(absl::StrJoin(problems, "\n"));
}

// Whether a launch has taken as much memory of the device as its executable
// says. `arena` is the largest arena of the launches before, which the device
// keeps, and then of this one too.
absl::Status CheckMemory(const LocalDevice& device,
                         const LocalDevice::Statistics& before,
                         const Executable& executable, int64_t& arena) {
  int64_t planned = executable.launch_bytes() - executable.arena_size();
  if (executable.arena_size() > arena) {
    planned += executable.arena_size() - arena;
    arena = executable.arena_size();
  }
  const int64_t peak = device.statistics().peak;
  if (peak == std::max(before.peak, before.in_use + planned)) {
    return absl::OkStatus();
  }
  return absl::InternalError(absl::StrCat(
      device.name(), ": expected ", planned, " bytes for the launch beside ",
      before.in_use, ", found a peak of ", peak));
}

absl::Status PartitionHosts::RunOnHost(Worker& worker, const ProgramSpec& spec,
                                       const ShardTable& shards,
                                       ShardTable& results) {
  ASSIGN_OR_RETURN(const auto program, worker.Load(spec));
  const auto& compiled = static_cast<const CompiledProgram&>(*program);
  const std::vector<int32_t>& places = compiled.local_places();
  ShardLists arguments;
  std::vector<LocalDevice::Statistics> before;
  for (size_t i = 0; i < places.size(); ++i) {
    const GlobalDeviceId device = program->local_devices()[i];
    arguments.emplace_back();
    for (const Literal& shard : shards[places[i]]) {
      ASSIGN_OR_RETURN(arguments.back().emplace_back(),
                       worker.Put(shard, device));
    }
    before.push_back(worker.local_device(device)->statistics());
  }
  ASSIGN_OR_RETURN(const ShardLists outputs, worker.Launch(program, arguments));
  for (size_t i = 0; i < places.size(); ++i) {
    for (const auto& output : outputs[i]) {
      ASSIGN_OR_RETURN(results[places[i]].emplace_back(),
                       FetchLiteral(*output));
    }
    const GlobalDeviceId device = program->local_devices()[i];
    RETURN_IF_ERROR(CheckMemory(*worker.local_device(device), before[i],
                                compiled.executable(),
                                arenas_[static_cast<size_t>(device.value())]));
  }
  return absl::OkStatus();
}

// Some devices of the cluster, in any order.
std::vector<int64_t> DrawDevices(RandomShardings& random, int64_t count,
                                 int64_t all) {
  std::vector<int64_t> devices(static_cast<size_t>(all));
  std::iota(devices.begin(), devices.end(), 0);
  random.Shuffle(devices);
  devices.resize(static_cast<size_t>(count));
  return devices;
}

class HostsTest : public ::testing::TestWithParam<std::vector<int>> {};
INSTANTIATE_TEST_SUITE_P(
    Clusters, HostsTest,
    ::testing::Values(std::vector<int>{8}, std::vector<int>{4, 4},
                      std::vector<int>{3, 1, 4}, std::vector<int>{2, 2, 2, 2},
                      // Whatever is sent is sent between hosts.
                      std::vector<int>{1, 1, 1, 1, 1, 1, 1, 1}),
    [](const auto& info) { return absl::StrJoin(info.param, "_"); });

TEST_P(HostsTest, ShardsGiveWhatWholeArraysDo) {
  PartitionHosts hosts(GetParam());
  const bool has_one_device_each =
      GetParam().size() == static_cast<size_t>(hosts.device_count());
  const uint64_t first = NumberOfVariable("LOCKSTEP_FIRST_PROGRAM", 0);
  const uint64_t count =
      NumberOfVariable("LOCKSTEP_RANDOM_PROGRAMS", kPrograms);
  int failures = 0;
  int counted = 0;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    const RandomProgram program =
        MakeRandomProgram(Entropy(seed), {.max_ops = 20, .max_elements = 256});
    const auto module = ParseAndVerify(program.text, "generated");
    ASSERT_TRUE(module.ok()) << module.status() << "\n" << program.text;
    const auto expected = RunWhole(**module, program.arguments);
    ASSERT_TRUE(expected.ok()) << expected.status();
    RandomShardings random(static_cast<uint32_t>(seed));
    AddRandomShardings(random, **module);
    ASSERT_EQ(Verify(**module), absl::OkStatus());
    std::optional<int64_t> planned;
    int64_t sent = 0;
    const std::unique_ptr<Module> partitioned = CloneModule(**module);
    const auto found = RunPartitioned(
        *partitioned, program.arguments,
        [&](const Module& spmd,
            ShardTable shards) -> absl::StatusOr<ShardTable> {
          const auto devices = static_cast<int64_t>(shards.size());
          planned = PlannedBytes(spmd, devices);
          const int64_t before = hosts.sent();
          ASSIGN_OR_RETURN(
              ShardTable results,
              hosts.Run(spmd,
                        DrawDevices(random, devices, hosts.device_count()),
                        shards));
          sent = hosts.sent() - before;
          return results;
        });
    std::string problem;
    if (!found.ok()) {
      problem = found.status().ToString();
    } else if (const auto mismatch =
                   FirstMismatch(program, *expected, *found)) {
      problem = *mismatch;
    } else if (has_one_device_each && planned.has_value() && *planned > 0) {
      ++counted;
      if (sent != *planned) {
        problem = absl::StrCat("expected ", *planned, " bytes, sent ", sent);
      }
    }
    if (problem.empty()) continue;
    ADD_FAILURE() << "program " << seed << ": " << problem << "\n"
                  << Print(**module) << "\n"
                  << Print(*partitioned);
    if (++failures == kMostFailures) break;
  }
  if (has_one_device_each && count >= kPrograms) {
    EXPECT_GT(counted, static_cast<int>(count) / 4);
  }
}

}  // namespace
}  // namespace lockstep::internal
