#include "runtime/worker/worker.h"

#include <cstring>
#include <numeric>
#include <set>
#include <string>
#include <thread>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/arrays/host_tensors.h"
#include "runtime/backends/backend_registry.h"
#include "runtime/devices/fake/fake_device.h"
#include "runtime/worker/local_control_plane.h"

namespace lockstep::internal {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::unique_ptr<Worker> MakeWorker(int devices, const std::string& backend,
                                   const std::string& platform) {
  Worker::Options options;
  options.backend = backend;
  options.platform = platform;
  options.local_device_count = devices;
  options.info.name = "local";
  options.info.expected_hosts = 1;
  auto worker =
      Worker::Create(std::move(options), std::make_unique<LocalControlPlane>());
  EXPECT_EQ(worker.status(), absl::OkStatus());
  return *std::move(worker);
}

// `text` with N for the number of replicas.
ProgramSpec Spec(const std::string& text, int replicas) {
  ProgramSpec spec;
  spec.name = "step";
  spec.text = absl::StrReplaceAll(text, {{"$N", absl::StrCat(replicas)}});
  spec.assignment = DeviceAssignment::Iota(replicas, 1);
  return spec;
}

constexpr char kAddPsum[] = R"(
module @step attributes {mhlo.num_replicas = $N : i32} {
  func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
    %sum = "stablehlo.all_reduce"(%x) ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %c = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %c : tensor<f32>
    }) {replica_groups = dense<> : tensor<0x0xi64>}
        : (tensor<2xf32>) -> tensor<2xf32>
    %y = stablehlo.add %x, %sum : tensor<2xf32>
    return %y : tensor<2xf32>
  }
})";

// Loops %n times over psum(x) / N + 1.
constexpr char kLoop[] = R"(
module @loop attributes {mhlo.num_replicas = $N : i32} {
  func.func @main(%x: tensor<f32>, %n: tensor<i32>) -> (tensor<f32>, tensor<i32>) {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %onef = stablehlo.constant dense<1.0> : tensor<f32>
    %count = stablehlo.constant dense<$N.0> : tensor<f32>
    %r:2 = stablehlo.while(%v = %x, %i = %zero) : tensor<f32>, tensor<i32>
    cond {
      %more = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %s = "stablehlo.all_reduce"(%v) ({
        ^bb0(%a: tensor<f32>, %b: tensor<f32>):
          %c = stablehlo.add %a, %b : tensor<f32>
          stablehlo.return %c : tensor<f32>
      }) {replica_groups = dense<> : tensor<0x0xi64>} : (tensor<f32>) -> tensor<f32>
      %m = stablehlo.divide %s, %count : tensor<f32>
      %w = stablehlo.add %m, %onef : tensor<f32>
      %j = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %w, %j : tensor<f32>, tensor<i32>
    }
    return %r#0, %r#1 : tensor<f32>, tensor<i32>
  }
})";

constexpr char kDouble[] = R"(
module @double attributes {mhlo.num_replicas = $N : i32} {
  func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
    %y = stablehlo.add %x, %x : tensor<2xf32>
    return %y : tensor<2xf32>
  }
})";

Literal Rows(int rows) {
  Literal literal(Shape(ElementType::kF32, {rows, 2}));
  auto data = literal.mutable_data<float>();
  std::iota(data.begin(), data.end(), 0.f);
  return literal;
}

// One list of arguments per device, from whole arrays with a row per device.
ShardLists Shards(Worker& worker, const LoadedProgram& program,
                  const std::vector<Literal>& arguments) {
  ShardLists lists(program.local_devices().size());
  for (const Literal& argument : arguments) {
    const Shape& whole = argument.shape();
    EXPECT_EQ(whole.dim(0), static_cast<int64_t>(lists.size()));
    for (size_t k = 0; k < lists.size(); ++k) {
      Literal row(Shape(whole.element_type(), whole.dims().subspan(1)));
      std::memcpy(row.mutable_bytes(),
                  argument.bytes() + k * row.shape().byte_size(),
                  row.shape().byte_size());
      lists[k].push_back(
          *worker.Put(std::move(row), program.local_devices()[k]));
    }
  }
  return lists;
}

// The result of every device, one after the other.
Literal Stack(const ShardLists& lists, size_t result) {
  std::vector<std::byte> bytes;
  Shape row;
  for (const auto& list : lists) {
    auto value = FetchLiteral(*list[result]);
    EXPECT_EQ(value.status(), absl::OkStatus());
    if (!value.ok()) return Literal();
    row = value->shape();
    bytes.insert(bytes.end(), value->byte_span().begin(),
                 value->byte_span().end());
  }
  Dims dims = {static_cast<int64_t>(lists.size())};
  dims.insert(dims.end(), row.dims().begin(), row.dims().end());
  Literal whole(Shape(row.element_type(), dims));
  std::memcpy(whole.mutable_bytes(), bytes.data(), bytes.size());
  return whole;
}

// On devices whose memory and time are the host's, and on others.
class WorkerTest : public ::testing::TestWithParam<std::string> {
 protected:
  static std::unique_ptr<Worker> MakeWorker(
      int devices, const std::string& backend = "interpreter") {
    return lockstep::internal::MakeWorker(devices, backend, GetParam());
  }
};
INSTANTIATE_TEST_SUITE_P(Platforms, WorkerTest,
                         ::testing::Values("cpu", "fake"),
                         [](const auto& info) { return info.param; });

class WorkerDevicesTest
    : public ::testing::TestWithParam<std::tuple<std::string, int>> {};
INSTANTIATE_TEST_SUITE_P(Devices, WorkerDevicesTest,
                         ::testing::Combine(::testing::Values("cpu", "fake"),
                                            ::testing::Values(1, 2, 3, 4, 8)),
                         [](const auto& info) {
                           return absl::StrCat(std::get<0>(info.param),
                                               std::get<1>(info.param));
                         });

TEST_P(WorkerDevicesTest, PsumRunsOverAllDevices) {
  const auto& [platform, n] = GetParam();
  auto worker = MakeWorker(n, "interpreter", platform);
  auto program = *worker->Load(Spec(kAddPsum, n));
  const Literal x = Rows(n);
  auto results = *worker->Launch(program, Shards(*worker, *program, {x}));
  const Literal y = Stack(results, 0);
  float sums[2] = {0, 0};
  for (int k = 0; k < n; ++k) {
    for (int c = 0; c < 2; ++c) sums[c] += x.data<float>()[2 * k + c];
  }
  for (int k = 0; k < n; ++k) {
    for (int c = 0; c < 2; ++c) {
      EXPECT_EQ(y.data<float>()[2 * k + c],
                x.data<float>()[2 * k + c] + sums[c]);
    }
  }
}

TEST_P(WorkerDevicesTest, CollectiveInALoopRunsEveryIteration) {
  const auto& [platform, n] = GetParam();
  auto worker = MakeWorker(n, "interpreter", platform);
  auto program = *worker->Load(Spec(kLoop, n));
  Literal x(Shape(ElementType::kF32, {n}));
  Literal counts(Shape(ElementType::kS32, {n}));
  for (float& v : x.mutable_data<float>()) v = 2;
  for (int32_t& c : counts.mutable_data<int32_t>()) c = 10;
  auto results =
      *worker->Launch(program, Shards(*worker, *program, {x, counts}));
  const Literal y = Stack(results, 0);
  for (float v : y.data<float>()) EXPECT_EQ(v, 12);
  const Literal iterations = Stack(results, 1);
  for (int32_t i : iterations.data<int32_t>()) EXPECT_EQ(i, 10);
}

TEST_P(WorkerTest, LaunchesFollowEachOtherWithoutWaiting) {
  auto worker = MakeWorker(4);
  auto program = *worker->Load(Spec(kDouble, 4));
  ShardLists values = Shards(*worker, *program, {Rows(4)});
  for (int i = 0; i < 10; ++i) values = *worker->Launch(program, values);
  const Literal y = Stack(values, 0);
  for (int i = 0; i < 8; ++i) EXPECT_EQ(y.data<float>()[i], 1024.f * i);
}

TEST_P(WorkerTest, ProgramRunsOnTheDevicesOfItsAssignmentInItsOrder) {
  auto worker = MakeWorker(4);
  ProgramSpec spec = Spec(kAddPsum, 2);
  spec.assignment =
      *DeviceAssignment::Create(2, 1, {GlobalDeviceId(3), GlobalDeviceId(1)});
  auto program = *worker->Load(spec);
  EXPECT_THAT(program->local_devices(),
              ElementsAre(GlobalDeviceId(3), GlobalDeviceId(1)));
  auto results = *worker->Launch(program, Shards(*worker, *program, {Rows(2)}));
  EXPECT_EQ(results[0][0]->device(), GlobalDeviceId(3));
  EXPECT_THAT(Stack(results, 0).data<float>(), ElementsAre(2, 5, 4, 7));
}

TEST_P(WorkerTest, DonatedArgumentIsGoneAndItsMemoryReused) {
  auto worker = MakeWorker(1);
  ProgramSpec spec = Spec(kDouble, 1);
  spec.donated_arguments = {0};
  auto program = *worker->Load(spec);
  ShardLists arguments = Shards(*worker, *program, {Rows(1)});
  auto results = *worker->Launch(program, arguments);
  EXPECT_THAT(FetchLiteral(*results[0][0])->data<float>(), ElementsAre(0, 2));
  absl::Status read = FetchLiteral(*arguments[0][0]).status();
  EXPECT_EQ(read.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(read.message(), HasSubstr("launch 1 of step"));
  // A second launch with it is refused, and the worker goes on.
  EXPECT_EQ(worker->Launch(program, arguments).status().code(),
            absl::StatusCode::kFailedPrecondition);
  EXPECT_TRUE(
      worker->Launch(program, Shards(*worker, *program, {Rows(1)})).ok());
}

TEST_P(WorkerTest, BufferThatIsDonatedAndPassedTwiceIsRefused) {
  auto worker = MakeWorker(1);
  ProgramSpec spec = Spec(R"(
    func.func @main(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
      %z = stablehlo.add %x, %y : tensor<2xf32>
      return %z : tensor<2xf32>
    })",
                          1);
  spec.donated_arguments = {1};
  auto program = *worker->Load(spec);
  auto buffer =
      *worker->Put(Literal::FromValues<float>({2}, {1, 2}), GlobalDeviceId(0));
  EXPECT_THAT(worker->Launch(program, {{buffer, buffer}}).status().message(),
              HasSubstr("argument 1 on device 0 is donated"));
  EXPECT_TRUE(FetchLiteral(*buffer).ok());
}

// Whoever let go of the other one after the launch was asked for.
TEST_P(WorkerTest, WhatSharesItsMemoryWithADonatedArgumentIsNotWrittenTo) {
  auto worker = MakeWorker(1);
  ProgramSpec spec = Spec(R"(
    func.func @main(%x: tensor<1000xf32>, %y: tensor<1000xf32>,
                    %gate: tensor<1000xf32>) -> tensor<1000xf32> {
      %r = stablehlo.reverse %y, dims = [0] : tensor<1000xf32>
      %s = stablehlo.add %x, %r : tensor<1000xf32>
      %z = stablehlo.add %s, %gate : tensor<1000xf32>
      return %z : tensor<1000xf32>
    })",
                          1);
  Literal ascending(Shape(ElementType::kF32, {1000}));
  std::iota(ascending.mutable_data<float>().begin(),
            ascending.mutable_data<float>().end(), 0.f);
  for (const int donated : {0, 1}) {
    spec.donated_arguments = {donated};
    auto program = *worker->Load(spec);
    auto x = *worker->Put(ascending, GlobalDeviceId(0));
    auto y = *x->Share();
    const auto gate =
        std::make_shared<Buffer>(ascending.shape(), GlobalDeviceId(0));
    ShardLists arguments = {{x, y, gate}};
    const auto results = *worker->Launch(program, arguments);
    arguments.clear();
    x.reset();
    y.reset();
    const auto zeros =
        *worker->Put(Literal(ascending.shape()), GlobalDeviceId(0));
    ASSERT_TRUE(zeros->Await().ok());
    gate->SetMemory({*zeros->Memory(), nullptr});
    EXPECT_THAT(FetchLiteral(*results[0][0])->data<float>(),
                ::testing::Each(999.0f));
  }
}

TEST_P(WorkerTest, WrongArgumentsNamePositionExpectedAndFound) {
  auto worker = MakeWorker(2);
  auto program = *worker->Load(Spec(kDouble, 2));
  const GlobalDeviceId d0(0), d1(1);
  auto good = [](GlobalDeviceId device) {
    return std::make_shared<Buffer>(Shape(ElementType::kF32, {2}), device);
  };
  auto shaped = std::make_shared<Buffer>(Shape(ElementType::kF32, {3}), d1);
  auto typed = std::make_shared<Buffer>(Shape(ElementType::kS32, {2}), d1);
  struct Case {
    ShardLists arguments;
    std::string message;
  };
  for (const Case& c : std::vector<Case>{
           {{{good(d0)}}, "for 2 local devices, found them for 1"},
           {{{good(d0)}, {}}, "expected 1 arguments, found 0 on device 1"},
           {{{good(d0)}, {shaped}},
            "step: argument 0 on device 1: expected tensor<2xf32>, found "
            "tensor<3xf32>"},
           {{{good(d0)}, {typed}}, "found tensor<2xi32>"},
           {{{good(d0)}, {good(d0)}}, "found one on device 0"},
           {{{good(d0)}, {nullptr}}, "expected a buffer, found none"}}) {
    absl::Status status = worker->Launch(program, c.arguments).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(status.message(), HasSubstr(c.message));
  }
}

TEST_P(WorkerTest, PoisonedArgumentOfOneDeviceFailsAllWithItsCause) {
  auto worker = MakeWorker(4);
  auto program = *worker->Load(Spec(kAddPsum, 4));
  ShardLists arguments = Shards(*worker, *program, {Rows(4)});
  arguments[2][0] = std::make_shared<Buffer>(Shape(ElementType::kF32, {2}),
                                             GlobalDeviceId(2));
  auto results = *worker->Launch(program, arguments);
  // The other devices may be waiting for device 2 by then.
  arguments[2][0]->SetError(absl::DataLossError("disk on fire"));
  for (const auto& list : results) {
    absl::Status status = list[0]->Await();
    EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
    EXPECT_THAT(status.message(), HasSubstr("disk on fire"));
  }
  // The devices stay usable.
  auto next = *worker->Launch(program, Shards(*worker, *program, {Rows(4)}));
  EXPECT_THAT(Stack(next, 0).data<float>(),
              ElementsAre(12, 17, 14, 19, 16, 21, 18, 23));
}

TEST_P(WorkerTest, LoopThatOneDeviceLeavesEarlyFailsOnAll) {
  auto worker = MakeWorker(3);
  auto program = *worker->Load(Spec(kLoop, 3));
  const Literal x = Literal::FromValues<float>({3}, {1, 1, 1});
  const Literal counts = Literal::FromValues<int32_t>({3}, {5, 5, 4});
  // Device 2 ends its launch; the next collective there is of another launch.
  auto first = *worker->Launch(program, Shards(*worker, *program, {x, counts}));
  const Literal equal = Literal::FromValues<int32_t>({3}, {5, 5, 5});
  auto second = *worker->Launch(program, Shards(*worker, *program, {x, equal}));
  EXPECT_EQ(first[0][0]->Await().code(), absl::StatusCode::kFailedPrecondition);
  auto third = *worker->Launch(program, Shards(*worker, *program, {x, equal}));
  EXPECT_THAT(Stack(third, 0).data<float>(), ElementsAre(6, 6, 6));
}

TEST_P(WorkerTest, ProgramThatDoesNotCompileNamesThePlace) {
  auto worker = MakeWorker(1);
  ProgramSpec spec = Spec(
      "func.func @main(%x: tensor<2xf32>) -> tensor<3xf32> {\n"
      "  return %x : tensor<2xf32>\n}",
      1);
  absl::Status status = worker->Load(spec).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("step:2:"));
}

TEST_P(WorkerTest, UnknownCustomCallIsRefusedAtCompile) {
  auto worker = MakeWorker(1);
  ProgramSpec spec = Spec(
      "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
      "  %y = stablehlo.custom_call @magic(%x) : (tensor<2xf32>) -> "
      "tensor<2xf32>\n"
      "  return %y : tensor<2xf32>\n}",
      1);
  absl::Status status = worker->Load(spec).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(status.message(), HasSubstr("magic"));
  EXPECT_THAT(status.message(), HasSubstr("step:2:"));
}

// J-11.
TEST_P(WorkerTest, ReplicaCountMustMatchTheAssignment) {
  auto worker = MakeWorker(4);
  ProgramSpec spec = Spec(kDouble, 4);
  spec.assignment = DeviceAssignment::Iota(2, 1);
  absl::Status status = worker->Load(spec).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("4 replicas"));
}

TEST_P(WorkerTest, AssignmentWithUnknownDevicesIsRefused) {
  auto worker = MakeWorker(2);
  absl::Status status = worker->Load(Spec(kDouble, 3)).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("device 2"));
}

TEST_P(WorkerTest, ProgramThatNeedsMoreMemoryThanThereIsIsRefused) {
  auto worker = MakeWorker(1);
  const absl::Status status = worker
                                  ->Load(Spec(R"(
    func.func @main(%x: tensor<f32>) -> tensor<1048576x1048576xf32> {
      %y = stablehlo.broadcast_in_dim %x, dims = []
          : (tensor<f32>) -> tensor<1048576x1048576xf32>
      return %y : tensor<1048576x1048576xf32>
    })",
                                              1))
                                  .status();
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(status.message(),
              HasSubstr("a launch needs 4.0 TiB of memory on each device; "));
  EXPECT_THAT(status.message(),
              HasSubstr(GetParam() == "cpu" ? "; this host has "
                                            : "; each has 16.0 GiB"));
}

TEST_P(WorkerTest, SameProgramHasTheSameFingerprintAndAnotherHasNot) {
  auto worker = MakeWorker(2);
  const uint64_t first = (*worker->Load(Spec(kDouble, 2)))->fingerprint();
  EXPECT_EQ((*worker->Load(Spec(kDouble, 2)))->fingerprint(), first);
  EXPECT_NE((*worker->Load(Spec(kAddPsum, 2)))->fingerprint(), first);
  ProgramSpec donating = Spec(kDouble, 2);
  donating.donated_arguments = {0};
  EXPECT_NE((*worker->Load(donating))->fingerprint(), first);
}

TEST_P(WorkerTest, LocalProgramsMayBeLaunchedFromSeveralThreads) {
  auto worker = MakeWorker(4);
  auto program = *worker->Load(Spec(kAddPsum, 4));
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 5; ++i) {
        auto results =
            *worker->Launch(program, Shards(*worker, *program, {Rows(4)}));
        EXPECT_THAT(Stack(results, 0).data<float>(),
                    ElementsAre(12, 17, 14, 19, 16, 21, 18, 23));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(worker->Synchronize(absl::InfiniteFuture()), absl::OkStatus());
}

TEST_P(WorkerTest, CallsAfterShutdownAreRefused) {
  auto worker = MakeWorker(1);
  auto program = *worker->Load(Spec(kDouble, 1));
  EXPECT_EQ(worker->Shutdown(), absl::OkStatus());
  EXPECT_EQ(worker->Shutdown(), absl::OkStatus());
  EXPECT_EQ(worker->Launch(program, Shards(*worker, *program, {Rows(1)}))
                .status()
                .code(),
            absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(worker->Load(Spec(kDouble, 1)).status().code(),
            absl::StatusCode::kFailedPrecondition);
}

TEST(WorkerPlatformsTest, UnknownPlatformNamesThoseThereAre) {
  Worker::Options options;
  options.platform = "abacus";
  absl::Status status =
      Worker::Create(options, std::make_unique<LocalControlPlane>()).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(status.message(), HasSubstr("there are: cpu, cuda, fake"));
}

TEST_P(WorkerTest, PutOnAnotherHostsDeviceIsRefused) {
  auto worker = MakeWorker(2);
  const absl::Status status =
      worker->Put(Literal::Scalar(1.0f), GlobalDeviceId(2)).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(status.message(), HasSubstr("device 2 is not on this host"));
}

TEST_P(WorkerTest, NullBackendGivesZeros) {
  auto worker = MakeWorker(2, "null");
  auto program = *worker->Load(Spec(kAddPsum, 2));
  auto results = *worker->Launch(program, Shards(*worker, *program, {Rows(2)}));
  EXPECT_THAT(Stack(results, 0).data<float>(), ElementsAre(0, 0, 0, 0));
}

TEST(WorkerOnFakeTest, WhatFailsOnADeviceFailsItsLaunchAndNoOther) {
  using Operation = FakeDevice::Operation;
  auto worker = MakeWorker(3, "interpreter", "fake");
  auto program = *worker->Load(Spec(kAddPsum, 3));
  auto& device =
      static_cast<FakeDevice&>(*worker->local_device(GlobalDeviceId(1)));
  const ShardLists arguments = Shards(*worker, *program, {Rows(3)});
  for (const auto& list : arguments) ASSERT_TRUE(list[0]->Await().ok());
  for (Operation operation :
       {Operation::kAllocate, Operation::kCopy, Operation::kCall}) {
    int failures = 0;
    // Until the n-th is none of the launch's any more.
    for (int n = 1;; ++n) {
      device.FailNth(operation, n, absl::DataLossError("bus error"));
      auto results = *worker->Launch(program, arguments);
      const absl::Status status = results[1][0]->Await();
      device.FailNth(operation, 0, absl::OkStatus());
      if (status.ok()) break;
      ++failures;
      for (const auto& list : results) {
        // Those that were done before are right.
        const absl::Status other = list[0]->Await();
        if (!other.ok()) {
          EXPECT_THAT(other.message(), HasSubstr("bus error"));
        }
      }
      auto next = *worker->Launch(program, arguments);
      EXPECT_THAT(Stack(next, 0).data<float>(),
                  ElementsAre(6, 10, 8, 12, 10, 14));
    }
    EXPECT_GT(failures, 0);
  }
}

TEST(WorkerBackendsTest, UnknownBackendNamesThoseThereAre) {
  Worker::Options options;
  options.backend = "abacus";
  absl::Status status =
      Worker::Create(options, std::make_unique<LocalControlPlane>()).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(status.message(), HasSubstr("interpreter, null"));
}

TEST(WorkerBackendsTest, EachBackendHasADigestOfItsOwn) {
  std::set<std::string> digests;
  for (const std::string& name : BackendNames()) {
    std::string version = (*FindBackend(name))->version();
    std::pair<std::string, std::string> parts =
        absl::StrSplit(version, absl::MaxSplits(' ', 1));
    EXPECT_TRUE(digests.insert(parts.first).second) << name << ": " << version;
  }
}

}  // namespace
}  // namespace lockstep::internal
