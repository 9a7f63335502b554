// That launches are put on a GPU without waiting for the ones before them, with
// the backend and the collectives of that platform.
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "absl/time/clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/arrays/host_tensors.h"
#include "runtime/worker/local_control_plane.h"
#include "runtime/worker/worker.h"
#include "tests/cuda_emulation/emulated_cuda.h"

namespace lockstep::internal {
namespace {

using ::testing::Each;

constexpr int kDevices = 2;

constexpr char kStep[] = R"(
module @step attributes {mhlo.num_replicas = 2 : i32} {
  func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
    %y = stablehlo.add %x, %x : tensor<8xf32>
    %sum = "stablehlo.all_reduce"(%y) ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %c = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %c : tensor<f32>
    }) {replica_groups = dense<> : tensor<0x0xi64>}
        : (tensor<8xf32>) -> tensor<8xf32>
    %z = stablehlo.subtract %sum, %x : tensor<8xf32>
    return %z : tensor<8xf32>
  }
})";

std::unique_ptr<Worker> MakeWorker() {
  Worker::Options options;
  options.backend = "cuda";
  options.platform = "cuda";
  options.local_device_count = kDevices;
  options.info.name = "local";
  options.info.expected_hosts = 1;
  auto worker =
      Worker::Create(std::move(options), std::make_unique<LocalControlPlane>());
  EXPECT_EQ(worker.status(), absl::OkStatus());
  return worker.ok() ? *std::move(worker) : nullptr;
}

// Streams stand still while this lives.
class HeldStreams {
 public:
  HeldStreams() { EXPECT_TRUE(cuda::Hooks().set("hold")); }
  ~HeldStreams() { EXPECT_TRUE(cuda::Hooks().set("release")); }
};

class LaunchPipeline : public ::testing::Test {
 protected:
  void SetUp() override {
    worker_ = MakeWorker();
    ASSERT_NE(worker_, nullptr);
    ProgramSpec spec;
    spec.name = "step";
    spec.text = kStep;
    spec.assignment = DeviceAssignment::Iota(kDevices, 1);
    const auto program = worker_->Load(spec);
    ASSERT_EQ(program.status(), absl::OkStatus());
    program_ = *program;
    for (const GlobalDeviceId device : program_->local_devices()) {
      Literal ones(Shape(ElementType::kF32, {8}));
      for (float& x : ones.mutable_data<float>()) x = 1;
      start_.push_back({*worker_->Put(std::move(ones), device)});
    }
  }

  ShardLists Launch(const ShardLists& arguments) {
    const auto results = worker_->Launch(program_, arguments);
    EXPECT_EQ(results.status(), absl::OkStatus());
    return results.ok() ? *results : ShardLists();
  }

  static int64_t Kernels() { return cuda::Hooks().count("cuLaunchKernel"); }

  std::unique_ptr<Worker> worker_;
  std::shared_ptr<LoadedProgram> program_;
  ShardLists start_;
};

TEST_F(LaunchPipeline, WhatComesBehindIsOnTheDeviceBeforeTheFirstHasRun) {
  const int64_t before = Kernels();
  FetchLiteral(*Launch(start_)[0][0]).status().IgnoreError();
  const int64_t kernels = Kernels() - before;
  ASSERT_GT(kernels, 0);
  ShardLists results;
  {
    const HeldStreams held;
    const int64_t start = Kernels();
    results = start_;
    for (int i = 0; i < 3; ++i) results = Launch(results);
    const absl::Time deadline = absl::Now() + absl::Seconds(60);
    while (Kernels() < start + 3 * kernels && absl::Now() < deadline) {
      std::this_thread::yield();
    }
    EXPECT_EQ(Kernels(), start + 3 * kernels);
    EXPECT_FALSE(results[0][0]->is_ready());
  }
  for (const auto& of_device : results) {
    const auto value = FetchLiteral(*of_device[0]);
    ASSERT_EQ(value.status(), absl::OkStatus());
    EXPECT_THAT(value->data<float>(), Each(27));
  }
}

}  // namespace
}  // namespace lockstep::internal
