// Launches of thunks in a row as graphs, on emulated GPUs: that their results
// are right, when they are captured and updated, how they fail.
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/arrays/host_tensors.h"
#include "runtime/worker/local_control_plane.h"
#include "runtime/worker/worker.h"
#include "tests/conformance/cuda_backend/dot_programs.h"
#include "tests/cuda_emulation/emulated_cuda.h"

namespace lockstep::internal {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr int kDevices = 2;
constexpr int64_t kSize = 16;

// With an identity as %w: 2 * %x, by two products of cuBLASLt with two kernels
// between and behind.
constexpr char kStep[] = R"(
  func.func @main(%x: tensor<16x16xf32>, %w: tensor<16x16xf32>) -> tensor<16x16xf32> {
    %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
    %sum = stablehlo.add %x, %y : tensor<16x16xf32>
    %z = stablehlo.dot_general %sum, %w, contracting_dims = [1] x [0] : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
    %t = stablehlo.transpose %z, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
    return %t : tensor<16x16xf32>
  }
)";

// The same %n times; what is in the loop is a graph too.
constexpr char kLoop[] = R"(
  func.func @main(%x: tensor<16x16xf32>, %w: tensor<16x16xf32>) -> tensor<16x16xf32> {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %r:2 = stablehlo.while(%i = %zero, %a = %x) : tensor<i32>, tensor<16x16xf32>
      cond {
        %n = stablehlo.constant dense<6> : tensor<i32>
        %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %c : tensor<i1>
      } do {
        %one = stablehlo.constant dense<1> : tensor<i32>
        %next = stablehlo.add %i, %one : tensor<i32>
        %y = stablehlo.dot_general %a, %w, contracting_dims = [1] x [0] : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
        %sum = stablehlo.add %a, %y : tensor<16x16xf32>
        %z = stablehlo.dot_general %sum, %w, contracting_dims = [1] x [0] : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
        stablehlo.return %next, %z : tensor<i32>, tensor<16x16xf32>
      }
    return %r#1 : tensor<16x16xf32>
  }
)";

// 3 * %x, by a sum over both devices between two graphs.
constexpr char kSum[] = R"(
  func.func @main(%x: tensor<16x16xf32>, %w: tensor<16x16xf32>) -> tensor<16x16xf32> {
    %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
    %two = stablehlo.add %x, %y : tensor<16x16xf32>
    %z = stablehlo.dot_general %two, %w, contracting_dims = [1] x [0] : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
    %four = "stablehlo.all_reduce"(%z) ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %c = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %c : tensor<f32>
    }) {replica_groups = dense<> : tensor<0x0xi64>}
        : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %u = stablehlo.dot_general %four, %w, contracting_dims = [1] x [0] : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
    %three = stablehlo.subtract %u, %x : tensor<16x16xf32>
    %r = stablehlo.dot_general %three, %w, contracting_dims = [1] x [0] : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
    return %r : tensor<16x16xf32>
  }
)";

class GraphsTest : public ::testing::Test {
 protected:
  void SetUp() override { Set("no_faults,release"); }
  void TearDown() override {
    Set("no_faults,release");
    Unload();
    unsetenv("LOCKSTEP_CUDA_GRAPHS");
  }

  static void Set(const std::string& settings) {
    ASSERT_TRUE(cuda::Hooks().set(settings.c_str())) << settings;
  }

  // What the driver was asked for since this was made, by all devices.
  class Calls {
   public:
    int64_t launches() const { return Since("cuGraphLaunch", launches_); }
    int64_t captures() const {
      return Since("cuStreamBeginCapture", captures_);
    }
    int64_t made() const { return Since("cuGraphInstantiate", made_); }
    int64_t updates() const { return Since("cuGraphExecUpdate", updates_); }

   private:
    static int64_t Since(const char* function, int64_t before) {
      return cuda::Hooks().count(function) - before;
    }
    const int64_t launches_ = Since("cuGraphLaunch", 0);
    const int64_t captures_ = Since("cuStreamBeginCapture", 0);
    const int64_t made_ = Since("cuGraphInstantiate", 0);
    const int64_t updates_ = Since("cuGraphExecUpdate", 0);
  };

  // On devices of which the process knows nothing.
  void Load(const std::string& text, std::vector<int> donated = {}) {
    Unload();
    Worker::Options options;
    options.backend = "cuda";
    options.platform = "cuda";
    options.local_device_count = kDevices;
    options.info.name = "local";
    options.info.expected_hosts = 1;
    auto worker = Worker::Create(std::move(options),
                                 std::make_unique<LocalControlPlane>());
    ASSERT_EQ(worker.status(), absl::OkStatus());
    worker_ = *std::move(worker);
    ProgramSpec spec;
    spec.name = "p";
    spec.text =
        absl::StrCat("module attributes {mhlo.num_replicas = ", kDevices,
                     " : i32} {\n", text, "}\n");
    spec.assignment = DeviceAssignment::Iota(kDevices, 1);
    spec.donated_arguments = std::move(donated);
    const auto program = worker_->Load(spec);
    ASSERT_EQ(program.status(), absl::OkStatus());
    program_ = *program;
    w_ = PutOnAll([](int64_t i, int64_t j) { return i == j ? 1.f : 0.f; });
  }

  void Unload() {
    program_ = nullptr;
    w_.clear();
    worker_ = nullptr;
  }

  template <typename F>
  ShardLists PutOnAll(const F& value) {
    ShardLists lists;
    for (const GlobalDeviceId device : program_->local_devices()) {
      Literal literal(Shape(ElementType::kF32, {kSize, kSize}));
      for (int64_t i = 0; i < kSize * kSize; ++i) {
        literal.mutable_data<float>()[static_cast<size_t>(i)] =
            value(i / kSize, i % kSize);
      }
      lists.push_back({*worker_->Put(std::move(literal), device)});
    }
    return lists;
  }
  ShardLists Ones() {
    return PutOnAll([](int64_t, int64_t) { return 1.f; });
  }

  ShardLists Launch(const ShardLists& x) {
    ShardLists arguments;
    for (size_t i = 0; i < x.size(); ++i) {
      arguments.push_back({x[i][0], w_[i][0]});
    }
    const auto results = worker_->Launch(program_, arguments);
    EXPECT_EQ(results.status(), absl::OkStatus());
    return results.ok() ? *results : ShardLists();
  }

  static void ExpectAll(const ShardLists& results, float expected) {
    ASSERT_EQ(results.size(), kDevices);
    for (const auto& of_device : results) {
      const auto value = FetchLiteral(*of_device[0]);
      ASSERT_EQ(value.status(), absl::OkStatus());
      EXPECT_THAT(value->data<float>(), Each(expected));
    }
  }

  std::unique_ptr<Worker> worker_;
  std::shared_ptr<LoadedProgram> program_;
  ShardLists w_;
};

// The first word of each line of the thunks, with what is before it.
std::vector<std::string> ThunksOf(const std::string& dump) {
  std::vector<std::string> thunks;
  for (absl::string_view line : absl::StrSplit(dump, '\n')) {
    const size_t begin = line.find_first_not_of(' ');
    if (begin == line.npos) continue;
    thunks.emplace_back(line.substr(0, line.find(' ', begin)));
  }
  return thunks;
}

TEST_F(GraphsTest, TheDumpShowsWhatIsInAGraph_TheHostStandsBetween) {
  const std::string dump = DumpOfDot(R"(
  func.func @main(%x: tensor<16x16xf32>) -> tensor<16x16xf32> {
    %a = stablehlo.add %x, %x : tensor<16x16xf32>
    %b = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0] : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
    %c = stablehlo.multiply %b, %a : tensor<16x16xf32>
    %id = stablehlo.replica_id : tensor<ui32>
    %f = stablehlo.convert %id : (tensor<ui32>) -> tensor<f32>
    %g = stablehlo.broadcast_in_dim %f, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %d = stablehlo.subtract %c, %g : tensor<16x16xf32>
    return %d : tensor<16x16xf32>
  }
)");
  EXPECT_THAT(
      ThunksOf(dump.substr(dump.find("thunks"))),
      ElementsAre("thunks:", "  graph", "    [0]", "      stablehlo.add",
                  "      stablehlo.dot_general", "      stablehlo.multiply",
                  "  replica_id", "  graph", "    [0]",
                  "      stablehlo.convert", "      stablehlo.broadcast_in_dim",
                  "      stablehlo.subtract"))
      << dump;
  // One is none.
  EXPECT_THAT(DumpOfDot(DotProgram(16, 16, 16)), Not(HasSubstr("graph")));
}

TEST_F(GraphsTest, FromTheSecondLaunchOnAGraphRuns) {
  Load(kStep);
  const ShardLists ones = Ones();
  const Calls calls;
  ExpectAll(Launch(ones), 2);
  EXPECT_EQ(calls.captures(), 0);
  ExpectAll(Launch(ones), 2);
  EXPECT_EQ(calls.captures(), kDevices);
  EXPECT_EQ(calls.launches(), kDevices);
  for (int i = 0; i < 10; ++i) ExpectAll(Launch(ones), 2);
  EXPECT_EQ(calls.launches(), 11 * kDevices);
  // A result lies where the last ones were, or beside one that is not free yet.
  EXPECT_LE(calls.captures(), 4 * kDevices);
  EXPECT_EQ(calls.updates(), 0);
}

TEST_F(GraphsTest, WhenBuffersMoveTheGraphIsUpdated) {
  Load(kStep);
  const ShardLists ones = Ones();
  const Calls calls;
  std::vector<ShardLists> kept;
  for (int i = 0; i < 10; ++i) {
    kept.push_back(Launch(ones));
    ExpectAll(kept.back(), 2);
  }
  EXPECT_EQ(calls.launches(), 9 * kDevices);
  EXPECT_EQ(calls.captures(), 9 * kDevices);
  EXPECT_EQ(calls.made(), 4 * kDevices);
  EXPECT_EQ(calls.updates(), 5 * kDevices);
  for (const ShardLists& results : kept) ExpectAll(results, 2);
}

TEST_F(GraphsTest, WhatCannotBeUpdatedIsMadeAnew) {
  Load(kStep);
  const ShardLists ones = Ones();
  const Calls calls;
  std::vector<ShardLists> kept;
  Set("fail=cuGraphExecUpdate:1:910");
  for (int i = 0; i < 10; ++i) {
    kept.push_back(Launch(ones));
    ExpectAll(kept.back(), 2);
  }
  EXPECT_EQ(calls.made(), 4 * kDevices + 1);
  EXPECT_EQ(calls.launches(), 9 * kDevices);
}

TEST_F(GraphsTest, LaunchesThatFollowEachOtherWithoutWaitingOverlap) {
  Load(kStep);
  const ShardLists ones = Ones();
  const Calls calls;
  ShardLists x = Launch(ones);
  Set("hold");
  for (int i = 0; i < 7; ++i) x = Launch(x);
  Set("release");
  ExpectAll(x, 256);
  EXPECT_EQ(calls.launches(), 7 * kDevices);
}

TEST_F(GraphsTest, ACollectiveStandsBetweenGraphs) {
  Load(kSum);
  const Calls calls;
  const int64_t sums = cuda::Hooks().count("ncclAllReduce");
  ShardLists x = Launch(Ones());
  Set("hold");
  for (int i = 0; i < 5; ++i) x = Launch(x);
  Set("release");
  ExpectAll(x, 729);
  EXPECT_EQ(calls.launches(), 5 * 2 * kDevices);
  EXPECT_EQ(cuda::Hooks().count("ncclAllReduce"), sums + 6 * kDevices);
}

TEST_F(GraphsTest, ADonatedArgumentIsWrittenInPlace) {
  Load(kStep, {0});
  const Calls calls;
  ShardLists x = Ones();
  for (int i = 0; i < 2; ++i) x = Launch(x);
  ExpectAll(x, 4);
  const int64_t kernels = cuda::Hooks().count("cuLaunchKernel");
  for (int i = 0; i < 6; ++i) x = Launch(x);
  ExpectAll(x, 256);
  EXPECT_EQ(calls.captures(), kDevices);
  EXPECT_EQ(calls.launches(), 7 * kDevices);
  EXPECT_EQ(cuda::Hooks().count("cuLaunchKernel"), kernels);
}

TEST_F(GraphsTest, TheBodyOfALoopIsAGraphFromItsSecondTurnOn) {
  Load(kLoop);
  const Calls calls;
  ExpectAll(Launch(Ones()), 64);
  EXPECT_GT(calls.captures(), 0);
  EXPECT_GE(calls.launches(), 5 * kDevices);
  ExpectAll(Launch(Ones()), 64);
}

TEST_F(GraphsTest, WithoutGraphsTheResultsAreTheSame) {
  setenv("LOCKSTEP_CUDA_GRAPHS", "0", 1);
  Load(kStep);
  const ShardLists ones = Ones();
  const Calls calls;
  for (int i = 0; i < 3; ++i) ExpectAll(Launch(ones), 2);
  EXPECT_EQ(calls.captures(), 0);
  EXPECT_EQ(calls.launches(), 0);
}

TEST_F(GraphsTest, HostsWithAndWithoutGraphsHaveTheSameProgram) {
  const std::string with = DumpOfDot(kStep);
  setenv("LOCKSTEP_CUDA_GRAPHS", "0", 1);
  EXPECT_EQ(DumpOfDot(kStep), with);
}

TEST_F(GraphsTest, WhatCannotBeCapturedRunsAllTheSame) {
  for (const char* fault : {"cuStreamBeginCapture:1:900", "cublasLtMatmul:1:13",
                            "cuLaunchKernel:1:701", "cuStreamEndCapture:1:901",
                            "cuGraphInstantiate:1:2"}) {
    Load(kStep);
    const ShardLists ones = Ones();
    ExpectAll(Launch(ones), 2);
    const Calls calls;
    Set(absl::StrCat("fail=", fault));
    ExpectAll(Launch(ones), 2);
    EXPECT_EQ(calls.launches(), kDevices - 1) << fault;
    Set("no_faults");
    ExpectAll(Launch(ones), 2);
    EXPECT_EQ(calls.launches(), 2 * kDevices - 1) << fault;
  }
}

TEST_F(GraphsTest, AGraphThatCannotBeLaunchedIsNamed_TheNextLaunchWorks) {
  Load(kStep);
  const ShardLists ones = Ones();
  for (int i = 0; i < 3; ++i) ExpectAll(Launch(ones), 2);
  Set("fail=cuGraphLaunch:1:2");
  const ShardLists failed = Launch(ones);
  absl::Status status;
  for (const auto& of_device : failed) status.Update(of_device[0]->Await());
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted) << status;
  for (const char* part : {"cuda:", "p:4:", "p:7:", "cuGraphLaunch"}) {
    EXPECT_THAT(status.message(), HasSubstr(part));
  }
  Set("no_faults");
  ExpectAll(Launch(ones), 2);
}

TEST_F(GraphsTest, WhatFailsInAGraphLosesTheDevice_WhatComesBehindFailsWithIt) {
  for (const char* fault : {"kernel:1:719", "matmul:1:719"}) {
    Load(kStep);
    const ShardLists ones = Ones();
    for (int i = 0; i < 3; ++i) ExpectAll(Launch(ones), 2);
    Set("hold");
    Set(absl::StrCat("fail=", fault));
    const ShardLists first = Launch(ones);
    const ShardLists second = Launch(first);
    Set("release");
    for (const ShardLists& results : {first, second}) {
      absl::Status status;
      for (const auto& of_device : results) {
        status.Update(of_device[0]->Await());
      }
      EXPECT_EQ(status.code(), absl::StatusCode::kInternal) << status;
      EXPECT_THAT(status.message(), HasSubstr("cuda:"));
      EXPECT_THAT(status.message(), HasSubstr("CUDA_ERROR_LAUNCH_FAILED"));
    }
    Unload();
    Set("no_faults");
  }
}

}  // namespace
}  // namespace lockstep::internal
