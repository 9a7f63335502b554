// Which collectives a worker has on each platform. Nothing here refers to
// NCCL's: that they are there at all is the worker's doing, which links them.
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "runtime/arrays/host_tensors.h"
#include "runtime/worker/local_control_plane.h"
#include "runtime/worker/worker.h"
#include "tests/cuda_emulation/emulated_cuda.h"

namespace lockstep::internal {
namespace {

constexpr char kSum[] = R"(
module @sum attributes {mhlo.num_replicas = 2 : i32} {
  func.func @main(%x: tensor<f32>) -> tensor<f32> {
    %sum = "stablehlo.all_reduce"(%x) ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %c = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %c : tensor<f32>
    }) {replica_groups = dense<> : tensor<0x0xi64>}
        : (tensor<f32>) -> tensor<f32>
    return %sum : tensor<f32>
  }
})";

// How often NCCL was asked for a sum while a worker with two devices of
// `platform` made one.
int64_t SumsByNccl(const std::string& platform) {
  Worker::Options options;
  options.platform = platform;
  options.local_device_count = 2;
  options.info.name = "local";
  options.info.expected_hosts = 1;
  const auto worker =
      Worker::Create(std::move(options), std::make_unique<LocalControlPlane>());
  EXPECT_EQ(worker.status(), absl::OkStatus());
  if (!worker.ok()) return -1;
  ProgramSpec spec;
  spec.name = "sum";
  spec.text = kSum;
  spec.assignment = DeviceAssignment::Iota(2, 1);
  const auto program = (*worker)->Load(std::move(spec));
  EXPECT_EQ(program.status(), absl::OkStatus());
  if (!program.ok()) return -1;
  ShardLists arguments;
  for (const GlobalDeviceId device : (*program)->local_devices()) {
    arguments.push_back({*(*worker)->Put(
        Literal::Scalar(static_cast<float>(device.value() + 1)), device)});
  }
  const int64_t before = cuda::Hooks().count("ncclAllReduce");
  const auto results = (*worker)->Launch(*program, arguments);
  EXPECT_EQ(results.status(), absl::OkStatus());
  if (!results.ok()) return -1;
  for (const auto& of_device : *results) {
    const absl::StatusOr<Literal> value = FetchLiteral(*of_device[0]);
    EXPECT_EQ(value.status(), absl::OkStatus());
    if (!value.ok()) return -1;
    EXPECT_EQ(value->data<float>()[0], 3);
  }
  return cuda::Hooks().count("ncclAllReduce") - before;
}

TEST(WorkerFabric, OnCudaDevicesCollectivesAreThoseOfNccl) {
  EXPECT_EQ(SumsByNccl("cuda"), 2);
}

TEST(WorkerFabric, OnOtherDevicesCollectivesAreThoseOfTheHosts) {
  EXPECT_EQ(SumsByNccl("cpu"), 0);
}

}  // namespace
}  // namespace lockstep::internal
