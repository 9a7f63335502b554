// `lockstep run --profile`: what is in the file and on standard output, on
// clusters of several hosts, of their own and running.
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/multihost/lockstep_command.h"
#include "tests/multihost/process_cluster.h"
#include "tests/multihost/programs.h"

namespace lockstep::internal {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

// Five turns of a dot and of a maximum over all 4 replicas.
constexpr char kLoop[] = R"(
module @loop attributes {mhlo.num_replicas = 4 : i32} {
  func.func public @main(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %five = stablehlo.constant dense<5> : tensor<i32>
    %r:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, tensor<64x64xf32>
    cond {
      %c = stablehlo.compare LT, %i, %five : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %next = stablehlo.add %i, %one : tensor<i32>
      %p = stablehlo.dot_general %v, %v, contracting_dims = [1] x [0]
          : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
      %s = "stablehlo.all_reduce"(%p) ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %m = stablehlo.maximum %a, %b : tensor<f32>
        stablehlo.return %m : tensor<f32>
      }) {replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>} : (tensor<64x64xf32>) -> tensor<64x64xf32>
      stablehlo.return %next, %s : tensor<i32>, tensor<64x64xf32>
    }
    return %r#1 : tensor<64x64xf32>
  }
}
)";

class ProfileTest : public ::testing::Test {
 protected:
  ~ProfileTest() override {
    EXPECT_EQ(LeftProcesses(), std::vector<std::string>());
  }

  std::string file() const { return scratch_.path() + "/profile.json"; }
  std::string out() const { return scratch_.path() + "/out"; }

  // Of 4 replicas.
  CommandResult Run(const std::vector<std::string>& more) {
    const Literal zeros(Shape(ElementType::kF32, {4, 64, 64}));
    std::vector<std::string> arguments = {
        "run",          scratch_.Write("loop.mlir", kLoop),
        "--input",      scratch_.WriteNpy("x.npy", zeros),
        "--output-dir", out()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return RunLockstep(arguments);
  }

  nlohmann::json Profile() const {
    std::ifstream text(file());
    return nlohmann::json::parse(text);
  }

  static nlohmann::json Row(const nlohmann::json& profile,
                            const std::string& kind) {
    for (const auto& row : profile["lockstep"]["thunks"]) {
      if (row["kind"] == kind) return row;
    }
    ADD_FAILURE() << "no " << kind;
    return {};
  }

  ScratchDirectory scratch_;
};

TEST_F(ProfileTest, TwoHostsOfTwoDevices) {
  const CommandResult result =
      Run({"--profile", file(), "--hosts", "2", "--devices-per-host", "2"});
  ASSERT_EQ(result.exit, ExitStatus()) << result.err;
  EXPECT_THAT(result.out, StartsWith(out() + "/0.npy: float32[4x64x64]\n"));
  EXPECT_THAT(result.out, HasSubstr("\nprofile of loop: a launch of "));
  EXPECT_THAT(result.out, HasSubstr("  WAITING  "));
  EXPECT_THAT(result.out, HasSubstr("dot_general"));
  EXPECT_THAT(result.out, Not(HasSubstr("not in the trace")));

  const nlohmann::json profile = Profile();
  // Four devices, five turns.
  EXPECT_EQ(Row(profile, "while")["count"], 4);
  EXPECT_EQ(Row(profile, "stablehlo.dot_general")["count"], 20);
  EXPECT_EQ(Row(profile, "stablehlo.dot_general")["flops"],
            20.0 * 2 * 64 * 64 * 64);
  EXPECT_GT(Row(profile, "all_reduce")["waiting_seconds"], 0);
  EXPECT_GT(profile["lockstep"]["limits"]["bytes_per_second"], 0);
  EXPECT_GT(profile["lockstep"]["limits"]["flops_per_second"], 0);

  std::set<std::pair<int, int>> tracks;
  std::map<int, double> micros;
  std::set<int> iterations;
  for (const auto& event : profile["traceEvents"]) {
    if (event["ph"] != "X") continue;
    tracks.emplace(event["pid"].get<int>(), event["tid"].get<int>());
    micros[event["args"]["thunk"]] += event["dur"].get<double>();
    if (event["name"] == "stablehlo.dot_general") {
      iterations.insert(event["args"]["iteration"].get<int>());
    }
  }
  EXPECT_EQ(tracks,
            (std::set<std::pair<int, int>>{{0, 0}, {0, 2}, {1, 4}, {1, 6}}));
  EXPECT_THAT(iterations, ElementsAre(0, 1, 2, 3, 4));
  for (const auto& row : profile["lockstep"]["thunks"]) {
    EXPECT_NEAR(row["total_seconds"].get<double>() * 1e6, micros[row["thunk"]],
                1e-3);
  }
}

TEST_F(ProfileTest, ARunningClusterAndFewerEvents) {
  ProcessCluster::Options options;
  options.hosts = 1;
  options.devices_per_host = 4;
  ProcessCluster cluster(options);
  const CommandResult result =
      Run({"--profile", file(), "--profile-events", "3", "--profile-launches",
           "1", "--coordinator", cluster.address()});
  ASSERT_EQ(result.exit, ExitStatus()) << result.err;
  EXPECT_THAT(result.out,
              HasSubstr("not in the trace, which has the first 12"));
  const nlohmann::json profile = Profile();
  EXPECT_EQ(Row(profile, "stablehlo.dot_general")["count"], 20);
  EXPECT_GT(profile["lockstep"]["events_left_out"], 0);
  for (const auto& device : profile["lockstep"]["devices"]) {
    EXPECT_EQ(device["events"], 3);
  }
}

TEST_F(ProfileTest, AFileThatCannotBeWrittenIsRefusedBeforeAnythingStarts) {
  const std::string missing = scratch_.path() + "/missing/p.json";
  const CommandResult result =
      Run({"--profile", missing, "--hosts", "1", "--devices-per-host", "4"});
  EXPECT_EQ(result.exit, ExitStatus{.code = 1});
  EXPECT_THAT(result.err, StartsWith("lockstep run: FAILED_PRECONDITION: " +
                                     missing + ": cannot be written: "));
  EXPECT_FALSE(std::filesystem::exists(out() + "/0.npy"));
}

}  // namespace
}  // namespace lockstep::internal
