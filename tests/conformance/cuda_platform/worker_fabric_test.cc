// Which collectives a worker uses, on emulated GPUs. Nothing here names the
// package of NCCL: that it is linked is the worker's business.
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "coordinator/server.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/arrays/host_tensors.h"
#include "runtime/collectives/device_fabric.h"
#include "runtime/collectives/in_memory_transport/in_memory_network.h"
#include "runtime/worker/local_control_plane.h"
#include "runtime/worker/session/coordinator_session.h"
#include "runtime/worker/worker.h"
#include "tests/cuda_emulation/emulated_cuda.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr int kDevices = 2;

constexpr char kSum[] = R"(
module @sum attributes {mhlo.num_replicas = 2 : i32} {
  func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
    %sum = "stablehlo.all_reduce"(%x) ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %c = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %c : tensor<f32>
    }) {replica_groups = dense<> : tensor<0x0xi64>}
        : (tensor<2xf32>) -> tensor<2xf32>
    return %sum : tensor<2xf32>
  }
})";

ProgramSpec SumSpec() {
  ProgramSpec spec;
  spec.name = "sum";
  spec.text = kSum;
  spec.assignment = DeviceAssignment::Iota(kDevices, 1);
  return spec;
}

// Runs a sum over all devices of `platform`, and returns how often NCCL was
// asked for one.
int64_t SumsByNccl(const std::string& platform,
                   ReductionMode mode = ReductionMode::kFast) {
  const int64_t before = cuda::Hooks().count("ncclAllReduce");
  Worker::Options options;
  options.backend = "cpu";
  options.platform = platform;
  options.reduction_mode = mode;
  options.local_device_count = kDevices;
  options.info.name = "local";
  options.info.expected_hosts = 1;
  const auto worker =
      Worker::Create(std::move(options), std::make_unique<LocalControlPlane>());
  EXPECT_EQ(worker.status(), absl::OkStatus());
  if (!worker.ok()) return -1;
  const auto program = (*worker)->Load(SumSpec());
  EXPECT_EQ(program.status(), absl::OkStatus());
  if (!program.ok()) return -1;
  ShardLists arguments;
  for (const GlobalDeviceId device : (*program)->local_devices()) {
    Literal value(Shape(ElementType::kF32, {2}));
    value.mutable_data<float>()[0] = 1;
    value.mutable_data<float>()[1] = 2;
    arguments.push_back({*(*worker)->Put(std::move(value), device)});
  }
  const auto results = (*worker)->Launch(*program, arguments);
  EXPECT_EQ(results.status(), absl::OkStatus());
  if (!results.ok()) return -1;
  for (const auto& list : *results) {
    const auto sum = FetchLiteral(*list[0]);
    EXPECT_EQ(sum.status(), absl::OkStatus());
    if (!sum.ok()) return -1;
    EXPECT_THAT(sum->data<float>(), ElementsAre(2, 4));
  }
  return cuda::Hooks().count("ncclAllReduce") - before;
}

TEST(WorkerFabric, TheWorkerHasTheFabricOfCudaLinked) {
  EXPECT_THAT(PlatformsWithFabric(), Contains("cuda"));
  EXPECT_THAT(PlatformsWithFabric(), Not(Contains("cpu")));
}

TEST(WorkerFabric, GpusSumByNccl) { EXPECT_EQ(SumsByNccl("cuda"), kDevices); }

TEST(WorkerFabric, GpusSumByTheHostInTheModeOrdered) {
  EXPECT_EQ(SumsByNccl("cuda", ReductionMode::kOrdered), 0);
}

TEST(WorkerFabric, DevicesOfAPlatformWithoutAFabricSumByTheHost) {
  EXPECT_EQ(SumsByNccl("cpu"), 0);
}

// M-18: two hosts with one GPU each, whose reduction modes differ.
TEST(WorkerFabric, HostsOfDifferentReductionModesAreRefused_BothNamed) {
  constexpr ReductionMode kModes[] = {ReductionMode::kFast,
                                      ReductionMode::kOrdered};
  CoordinatorServer::Options options;
  options.coordinator.expected_hosts = 2;
  const auto server = *CoordinatorServer::Start(options);
  const auto network = InMemoryNetwork::Create();
  absl::Status loaded[2];
  std::vector<std::thread> hosts;
  for (int host = 0; host < 2; ++host) {
    hosts.emplace_back([&, host] {
      SessionOptions session;
      session.address = server->address();
      Worker::Options worker;
      worker.platform = "cuda";
      worker.local_devices = {host};
      worker.reduction_mode = kModes[host];
      worker.info.name = absl::StrCat("gpu", host);
      worker.info.requested_rank = host;
      worker.make_transport = [&] { return network->NewTransport(); };
      const auto made =
          Worker::Create(std::move(worker), MakeCoordinatorSession(session));
      ASSERT_EQ(made.status(), absl::OkStatus());
      loaded[host] = (*made)->Load(SumSpec()).status();
    });
  }
  for (std::thread& host : hosts) host.join();
  for (const absl::Status& status : loaded) {
    EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
    EXPECT_THAT(
        std::string(status.message()),
        AllOf(HasSubstr("collectives by"), HasSubstr("host 0 (gpu0)"),
              HasSubstr("reduction mode fast"), HasSubstr("host 1 (gpu1)"),
              HasSubstr("reduction mode ordered")));
  }
}

}  // namespace
}  // namespace lockstep::internal
