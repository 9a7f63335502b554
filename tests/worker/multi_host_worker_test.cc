// Workers of several hosts in one process, with a real coordinator over
// loopback and collectives over each transport.

#include <functional>
#include <numeric>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/arrays/host_tensors.h"
#include "runtime/worker/worker.h"
#include "tests/worker/worker_cluster.h"

namespace lockstep::internal {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char kAddPsum[] = R"(
module @step attributes {mhlo.num_replicas = $N : i32} {
  func.func @main(%x: tensor<f32>) -> tensor<f32> {
    %sum = "stablehlo.all_reduce"(%x) ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %c = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %c : tensor<f32>
    }) {replica_groups = dense<> : tensor<0x0xi64>}
        : (tensor<f32>) -> tensor<f32>
    %y = stablehlo.add %x, %sum : tensor<f32>
    return %y : tensor<f32>
  }
})";

constexpr char kGather[] = R"(
module @gather attributes {mhlo.num_replicas = $N : i32} {
  func.func @main(%x: tensor<f32>) -> tensor<$Nxf32> {
    %r = stablehlo.reshape %x : (tensor<f32>) -> tensor<1xf32>
    %y = "stablehlo.all_gather"(%r) {all_gather_dim = 0 : i64,
        replica_groups = dense<> : tensor<0x0xi64>}
        : (tensor<1xf32>) -> tensor<$Nxf32>
    return %y : tensor<$Nxf32>
  }
})";

// Enough elements that the sum and the square run beside each other.
constexpr char kSumBesideSquare[] = R"(
module @beside attributes {mhlo.num_replicas = $N : i32} {
  func.func @main(%x: tensor<f32>) -> (tensor<262144xf32>, tensor<262144xf32>) {
    %many = stablehlo.broadcast_in_dim %x, dims = [] : (tensor<f32>) -> tensor<262144xf32>
    %sum = "stablehlo.all_reduce"(%many) ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %c = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %c : tensor<f32>
    }) {replica_groups = dense<> : tensor<0x0xi64>}
        : (tensor<262144xf32>) -> tensor<262144xf32>
    %square = stablehlo.multiply %many, %many : tensor<262144xf32>
    return %sum, %square : tensor<262144xf32>, tensor<262144xf32>
  }
})";

ProgramSpec Spec(const std::string& text, int replicas,
                 const std::string& name = "step") {
  ProgramSpec spec;
  spec.name = name;
  spec.text = absl::StrReplaceAll(text, {{"$N", absl::StrCat(replicas)}});
  spec.assignment = DeviceAssignment::Iota(replicas, 1);
  return spec;
}

// Device k holds the value k.
ShardLists OwnIds(Worker& worker, const LoadedProgram& program) {
  ShardLists lists;
  for (GlobalDeviceId device : program.local_devices()) {
    lists.push_back({*worker.Put(
        Literal::Scalar(static_cast<float>(device.value())), device)});
  }
  return lists;
}

std::vector<float> Values(const ShardLists& lists) {
  std::vector<float> values;
  for (const auto& list : lists) {
    absl::StatusOr<Literal> value = FetchLiteral(*list[0]);
    EXPECT_EQ(value.status(), absl::OkStatus());
    if (value.ok()) {
      for (float v : value->data<float>()) values.push_back(v);
    }
  }
  return values;
}

class MultiHostTest : public ::testing::TestWithParam<WorkerCluster::Options> {
};
INSTANTIATE_TEST_SUITE_P(
    Clusters, MultiHostTest,
    ::testing::Values(
        WorkerCluster::Options{{4, 4}, "cpu", /*over_ucx=*/false},
        WorkerCluster::Options{{4, 4}, "cpu", /*over_ucx=*/true},
        WorkerCluster::Options{{1, 1, 1}, "cpu", /*over_ucx=*/true},
        WorkerCluster::Options{{4, 2, 2}, "cpu", /*over_ucx=*/false},
        WorkerCluster::Options{{4, 2, 2}, "fake", /*over_ucx=*/false},
        WorkerCluster::Options{{2, 2}, "fake", /*over_ucx=*/true}));

class MultiHostWorkerTest : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Platforms, MultiHostWorkerTest,
                         ::testing::Values("cpu", "fake"),
                         [](const auto& info) { return info.param; });

TEST_P(MultiHostTest, CollectivesRunOverAllDevicesOfAllHosts) {
  WorkerCluster cluster(GetParam());
  const int n = cluster.worker(0).world().device_count();
  cluster.OnEveryHost([&](int host) {
    Worker& worker = cluster.worker(host);
    EXPECT_EQ(worker.host_id(), HostId(host));
    auto psum = worker.Load(Spec(kAddPsum, n));
    ASSERT_EQ(psum.status(), absl::OkStatus());
    auto gather = worker.Load(Spec(kGather, n, "gather"));
    ASSERT_EQ(gather.status(), absl::OkStatus());
    for (int i = 0; i < 5; ++i) {
      auto sums = *worker.Launch(*psum, OwnIds(worker, **psum));
      auto all = *worker.Launch(*gather, OwnIds(worker, **gather));
      const float sum = static_cast<float>(n * (n - 1) / 2);
      std::vector<float> expected;
      for (GlobalDeviceId device : (*psum)->local_devices()) {
        expected.push_back(static_cast<float>(device.value()) + sum);
      }
      EXPECT_EQ(Values(sums), expected);
      std::vector<float> everything(n);
      std::iota(everything.begin(), everything.end(), 0.f);
      EXPECT_EQ(Values({all[0]}), everything);
    }
  });
}

TEST_P(MultiHostTest, CollectivesRunBesideOtherWork) {
  WorkerCluster cluster(GetParam());
  const int n = cluster.worker(0).world().device_count();
  cluster.OnEveryHost([&](int host) {
    Worker& worker = cluster.worker(host);
    auto program = worker.Load(Spec(kSumBesideSquare, n, "beside"));
    ASSERT_EQ(program.status(), absl::OkStatus());
    for (int i = 0; i < 3; ++i) {
      const auto results = *worker.Launch(*program, OwnIds(worker, **program));
      for (size_t device = 0; device < results.size(); ++device) {
        const auto id =
            static_cast<float>((*program)->local_devices()[device].value());
        const auto sum = static_cast<float>(n * (n - 1) / 2);
        EXPECT_TRUE(Values({{results[device][0]}}) ==
                    std::vector<float>(262144, sum));
        EXPECT_TRUE(Values({{results[device][1]}}) ==
                    std::vector<float>(262144, id * id));
      }
    }
  });
}

// M-11.
TEST_P(MultiHostWorkerTest, ProgramOnSomeHostsLeavesTheOthersAlone) {
  WorkerCluster cluster({{2, 2, 2}, GetParam(), /*over_ucx=*/false});
  cluster.OnEveryHost([&](int host) {
    ProgramSpec spec = Spec(kAddPsum, 4);
    spec.assignment =
        *DeviceAssignment::Create(4, 1,
                                  {GlobalDeviceId(5), GlobalDeviceId(0),
                                   GlobalDeviceId(4), GlobalDeviceId(1)});
    auto program = cluster.worker(host).Load(spec);
    if (host == 1) {
      EXPECT_EQ(program.status().code(), absl::StatusCode::kFailedPrecondition);
      EXPECT_THAT(program.status().message(), HasSubstr("host 1 (h1)"));
      EXPECT_THAT(program.status().message(),
                  HasSubstr("host 0 (h0), host 2 (h2)"));
      return;
    }
    ASSERT_EQ(program.status(), absl::OkStatus());
    Worker& worker = cluster.worker(host);
    auto results = *worker.Launch(*program, OwnIds(worker, **program));
    if (host == 0) {
      EXPECT_THAT(Values(results), ElementsAre(10, 11));
    } else {
      EXPECT_THAT(Values(results), ElementsAre(15, 14));
    }
  });
}

// M-18.
TEST_P(MultiHostWorkerTest, DifferentProgramsAreRefusedOnEveryHost) {
  WorkerCluster cluster({{1, 1}, GetParam(), /*over_ucx=*/false});
  cluster.OnEveryHost([&](int host) {
    std::string text = kAddPsum;
    if (host == 1) {
      text = absl::StrReplaceAll(
          text, {{"%y = stablehlo.add", "%y = stablehlo.multiply"}});
    }
    absl::Status status = cluster.worker(host).Load(Spec(text, 2)).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
    EXPECT_THAT(status.message(), HasSubstr("stablehlo.multiply"));
    // The next program is agreed on.
    EXPECT_EQ(cluster.worker(host).Load(Spec(kAddPsum, 2)).status(),
              absl::OkStatus());
  });
}

// M-18.
TEST_P(MultiHostWorkerTest, CompileFailureOfOneHostAbortsTheOthers) {
  WorkerCluster cluster({{1, 1}, GetParam(), /*over_ucx=*/false});
  cluster.OnEveryHost([&](int host) {
    ProgramSpec spec = Spec(kAddPsum, 2);
    if (host == 1) spec.text = "func.func @main( oops";
    absl::Status status = cluster.worker(host).Load(spec).status();
    if (host == 1) {
      EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    } else {
      EXPECT_EQ(status.code(), absl::StatusCode::kAborted);
      EXPECT_THAT(status.message(), HasSubstr("host 1 (h1)"));
    }
  });
}

TEST_P(MultiHostWorkerTest, WrongArgumentOfOneHostEndsThatLaunchOnly) {
  WorkerCluster cluster({{2, 2}, GetParam(), /*over_ucx=*/true});
  cluster.OnEveryHost([&](int host) {
    Worker& worker = cluster.worker(host);
    auto program = *worker.Load(Spec(kAddPsum, 4));
    ShardLists arguments = OwnIds(worker, *program);
    if (host == 1) {
      arguments[0][0] = *worker.Put(Literal::FromValues<float>({2}, {1, 2}),
                                    GlobalDeviceId(2));
    }
    auto results = worker.Launch(program, arguments);
    if (host == 1) {
      EXPECT_EQ(results.status().code(), absl::StatusCode::kInvalidArgument);
    } else {
      ASSERT_EQ(results.status(), absl::OkStatus());
      for (const auto& list : *results) {
        absl::Status status = list[0]->Await();
        EXPECT_EQ(status.code(), absl::StatusCode::kAborted);
        EXPECT_THAT(status.message(), HasSubstr("host 1 (h1)"));
        EXPECT_THAT(status.message(), HasSubstr("tensor<2xf32>"));
      }
    }
    const std::vector<float> values =
        Values(*worker.Launch(program, OwnIds(worker, *program)));
    EXPECT_EQ(values[0], host == 0 ? 6 : 8);
  });
}

TEST_P(MultiHostWorkerTest, FailedCallStandsForALaunchThatCannotStart) {
  WorkerCluster cluster({{1, 1}, GetParam(), /*over_ucx=*/false});
  cluster.OnEveryHost([&](int host) {
    Worker& worker = cluster.worker(host);
    auto program = *worker.Load(Spec(kAddPsum, 2));
    if (host == 1) {
      CallRequest request;
      request.devices = {{GlobalDeviceId(0), GlobalDeviceId(1)}};
      request.description = {program->fingerprint(), "step"};
      const auto call = *worker.BeginCall(request);
      worker.FailCall(*call, absl::DataLossError("no input"));
    } else {
      auto results = *worker.Launch(program, OwnIds(worker, *program));
      absl::Status status = results[0][0]->Await();
      EXPECT_EQ(status.code(), absl::StatusCode::kAborted);
      EXPECT_THAT(status.message(), HasSubstr("no input"));
    }
    EXPECT_EQ(Values(*worker.Launch(program, OwnIds(worker, *program))),
              std::vector<float>{host == 0 ? 1.f : 2.f});
  });
}

// M-19.
TEST_P(MultiHostWorkerTest, LaunchesInDifferentOrdersFailOnEveryHost) {
  WorkerCluster cluster({{1, 1}, GetParam(), /*over_ucx=*/false});
  cluster.OnEveryHost([&](int host) {
    Worker& worker = cluster.worker(host);
    auto psum = *worker.Load(Spec(kAddPsum, 2));
    auto gather = *worker.Load(Spec(kGather, 2, "gather"));
    auto first =
        *worker.Launch(host == 0 ? psum : gather, OwnIds(worker, *psum));
    auto second =
        *worker.Launch(host == 0 ? gather : psum, OwnIds(worker, *psum));
    absl::Status status = first[0][0]->Await();
    EXPECT_TRUE(absl::IsFailedPrecondition(status) || absl::IsAborted(status))
        << status;
    EXPECT_THAT(status.message(), HasSubstr("gather"));
    EXPECT_FALSE(second[0][0]->Await().ok());
    // Agreed again, the hosts go on.
    EXPECT_EQ(Values(*worker.Launch(psum, OwnIds(worker, *psum))),
              std::vector<float>{host == 0 ? 1.f : 2.f});
  });
}

TEST_P(MultiHostWorkerTest, ThreadsThatTakeTurnsLaunchInOneOrder) {
  WorkerCluster cluster({{1, 1}, GetParam(), /*over_ucx=*/false});
  cluster.OnEveryHost([&](int host) {
    Worker& worker = cluster.worker(host);
    auto program = *worker.Load(Spec(kAddPsum, 2));
    auto results = *worker.Launch(program, OwnIds(worker, *program));
    ShardLists others;
    std::thread other(
        [&] { others = *worker.Launch(program, OwnIds(worker, *program)); });
    other.join();
    EXPECT_EQ(Values(results), std::vector<float>{host == 0 ? 1.f : 2.f});
    EXPECT_EQ(Values(others), std::vector<float>{host == 0 ? 1.f : 2.f});
  });
}

}  // namespace
}  // namespace lockstep::internal
