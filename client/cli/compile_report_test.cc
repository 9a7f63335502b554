#include "client/cli/compile_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "client/cli/module_dump.h"
#include "runtime/backends/backend_registry.h"
#include "runtime/frontend/parser.h"
#include "runtime/ir/clone.h"
#include "runtime/passes/partition/partition_module.h"
#include "runtime/passes/pipelines.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr char kProgram[] = R"(
func.func @main(%x: tensor<8x4xf32>, %w: tensor<4x2xf32>) -> tensor<8x2xf32> {
  %c = stablehlo.constant dense<2.0> : tensor<8x4xf32>
  %0 = stablehlo.multiply %x, %c : tensor<8x4xf32>
  %1 = stablehlo.exponential %0 : tensor<8x4xf32>
  %2 = stablehlo.dot_general %1, %w, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  return %2 : tensor<8x2xf32>
}
)";

struct Compiled {
  std::shared_ptr<const Module> module;
  std::shared_ptr<const Executable> executable;
};

Compiled Compile() {
  auto module = ParseAndVerify(kProgram, "m.mlir");
  EXPECT_TRUE(module.ok()) << module.status();
  PassManager passes;
  AddOptimizationPasses(passes);
  EXPECT_TRUE(passes.Run(**module).ok());
  Compiled compiled;
  compiled.module = *std::move(module);
  auto executable =
      (*FindBackend("interpreter"))
          ->Compile(compiled.module, DeviceAssignment::Iota(1, 1), {});
  EXPECT_TRUE(executable.ok()) << executable.status();
  compiled.executable = *std::move(executable);
  return compiled;
}

TEST(CompileReport, NamesFusionsBuffersAndThunks) {
  const Compiled compiled = Compile();
  const std::string report =
      CompileReport(*compiled.module, *compiled.executable);
  for (const char* expected : {
           "fusions: 1 of 3 ops; 1 other ops",
           "loop   m.mlir:5:8 -> tensor<8x4xf32>",
           "1 inputs; exponential, multiply",
           "buffers: arena 128 B, of which at most 128 B at a time",
           "argument 1 tensor<4x2xf32>",
           "result 0 tensor<8x2xf32>",
           "thunks: 2",
           // 8 x 4 elements of two ops; 8 x 2 x 4 products and sums.
           "128 B      128 B         64  lockstep.fusion  m.mlir:5:8",
           "160 B       64 B        128  stablehlo.dot_general  m.mlir:6:8",
       }) {
    EXPECT_TRUE(absl::StrContains(report, expected)) << expected << "\nnot in\n"
                                                     << report;
  }
}

TEST(CompileReport, SaysWhereCollectivesAreStartedAndAwaited) {
  auto module = ParseAndVerify(R"(
module attributes {mhlo.num_replicas = 2 : i32} {
func.func @main(%x: tensor<8xf32>, %y: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %s = "stablehlo.all_reduce"(%x) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %c : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<8xf32>) -> tensor<8xf32>
  %0 = stablehlo.negate %y : tensor<8xf32>
  %1 = stablehlo.negate %s : tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}
})",
                               "m.mlir");
  ASSERT_TRUE(module.ok()) << module.status();
  const std::shared_ptr<const Module> shared = *std::move(module);
  CompileOptions options;
  options.overlap = OverlapPolicy::Always();
  const auto executable =
      (*FindBackend("interpreter"))
          ->Compile(shared, DeviceAssignment::Iota(2, 1), options);
  ASSERT_TRUE(executable.ok()) << executable.status();
  const std::string report = CompileReport(*shared, **executable);
  for (const char* expected : {
           "thunks: 4",
           "all_reduce_start  m.mlir:4:8, awaited at 2 {",
           "0 B        0 B          0  all_reduce_done  m.mlir:4:8, "
           "started at 0",
       }) {
    EXPECT_TRUE(absl::StrContains(report, expected)) << expected << "\nnot in\n"
                                                     << report;
  }
}

TEST(CollectiveReport, SaysWhatEachSendsForWhichOp) {
  const auto read = [](const char* text) {
    auto module = ParseAndVerify(text, "m.mlir");
    EXPECT_TRUE(module.ok()) << module.status();
    return *std::move(module);
  };
  const auto written = read(R"(sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<8x6xf32> {
  %0 = stablehlo.cosine %a : tensor<8x6xf32>
  %1 = "stablehlo.sort"(%0) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %2 = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %2 : tensor<i1>
  }) : (tensor<8x6xf32>) -> tensor<8x6xf32>
  return %1 : tensor<8x6xf32>
}
)");
  const std::unique_ptr<Module> compiled = CloneModule(*written);
  ASSERT_TRUE(PartitionModule(*compiled).ok());
  const std::string report = CollectiveReport(*written, *compiled);
  EXPECT_TRUE(absl::StrContains(report, "for stablehlo.sort at m.mlir:4:8"))
      << report;
  EXPECT_TRUE(absl::StrContains(report, "in which each device sends"))
      << report;
  const auto whole =
      read(R"(func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  return %a : tensor<8xf32>
})");
  EXPECT_EQ(CollectiveReport(*whole, *whole), "collectives: none\n");
}

TEST(ModuleDump, WritesAStageThatChangedTheModule) {
  const std::string directory = testing::TempDir() + "/dump/below";
  absl::StatusOr<ModuleDump> dump = ModuleDump::Create(directory);
  ASSERT_TRUE(dump.ok()) << dump.status();
  auto module = ParseAndVerify(kProgram, "m.mlir");
  ASSERT_TRUE(module.ok());
  dump->Add("parsed", **module);
  dump->Add("nothing", **module);
  (*module)->set_name("named");
  dump->Add("name", **module);
  EXPECT_TRUE(dump->status().ok()) << dump->status();
  EXPECT_EQ(dump->file_count(), 2);
  EXPECT_TRUE(std::filesystem::exists(directory + "/00_parsed.mlir"));
  EXPECT_FALSE(std::filesystem::exists(directory + "/01_nothing.mlir"));
  std::ifstream file(directory + "/02_name.mlir");
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  EXPECT_TRUE(absl::StrContains(text, "module @named"));
}

// Y-18.
TEST(ModuleDump, StagesOfPropagationHaveTheNamesOfShardy) {
  const std::string directory = testing::TempDir() + "/shardings";
  absl::StatusOr<ModuleDump> dump = ModuleDump::Create(directory);
  ASSERT_TRUE(dump.ok()) << dump.status();
  auto module = ParseAndVerify(R"(
sdy.mesh @mesh = <["data"=4, "model"=2]>
func.func @main(%x: tensor<16x128xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}p0, {?}]>},
                %w1: tensor<128x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data", ?}p2, {"model", ?}p1]>},
                %w2: tensor<256x10xf32>) -> tensor<16x10xf32> {
  %0 = stablehlo.tanh %x : tensor<16x128xf32>
  %1 = stablehlo.dot_general %0, %w1, contracting_dims = [1] x [0] : (tensor<16x128xf32>, tensor<128x256xf32>) -> tensor<16x256xf32>
  %2 = stablehlo.dot_general %1, %w2, contracting_dims = [1] x [0] : (tensor<16x256xf32>, tensor<256x10xf32>) -> tensor<16x10xf32>
  %3 = stablehlo.sine %2 : tensor<16x10xf32>
  return %3 : tensor<16x10xf32>
})",
                               "m.mlir");
  ASSERT_TRUE(module.ok()) << module.status();
  dump->Add("parsed", **module);
  const auto layout = PartitionModule(
      **module, [&](absl::string_view stage, const Module& changed) {
        dump->Add(stage, changed);
      });
  ASSERT_TRUE(layout.ok()) << layout.status();
  EXPECT_TRUE(dump->status().ok()) << dump->status();
  const auto read = [&](absl::string_view stage) {
    std::ifstream file(absl::StrCat(directory, "/shardy/", stage, ".mlir"));
    EXPECT_TRUE(file.is_open()) << stage;
    return std::string((std::istreambuf_iterator<char>(file)), {});
  };
  const auto after = [&](int priority) {
    return read(absl::StrCat("propagation_after_user_priority_", priority));
  };
  // Row Y-17 of the guide.
  EXPECT_THAT(after(0), AllOf(HasSubstr("<@mesh, [{}, {}], "
                                        "replicated={\"data\", \"model\"}>"),
                              HasSubstr("[<@mesh, [{\"data\", ?}, {?}]>]")));
  EXPECT_THAT(after(1),
              HasSubstr("[<@mesh, [{\"data\", ?}, {\"model\", ?}]>]"));
  EXPECT_THAT(after(2), HasSubstr("%arg1: tensor<128x256xf32> {sdy.sharding = "
                                  "#sdy.sharding<@mesh, [{\"data\", ?}, "
                                  "{\"model\", ?}]>}"));
  EXPECT_THAT(read("sdy_module_after_sdy_export"),
              HasSubstr("%arg1: tensor<128x256xf32> {sdy.sharding = "
                        "#sdy.sharding<@mesh, [{\"data\"}, {\"model\"}]>}"));
  const auto last = ParseAndVerify(read("sdy_module_after_sdy_export"), "m");
  EXPECT_TRUE(last.ok()) << last.status();
}

TEST(ModuleDump, AFolderThatIsAFileIsRefused) {
  const std::string path = testing::TempDir() + "/file";
  std::ofstream(path) << "x";
  EXPECT_EQ(ModuleDump::Create(path).status().code(),
            absl::StatusCode::kFailedPrecondition);
}

}  // namespace
}  // namespace lockstep::internal
