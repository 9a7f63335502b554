// `lockstep compile`: the same text gives the same fingerprint in every
// process; what is wrong with a program or an option is said in one line.
#include <filesystem>
#include <set>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/multihost/lockstep_command.h"
#include "tests/multihost/programs.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// A softmax, a dot and an update; enough for every kind of fusion.
constexpr char kProgram[] = R"(
func.func @main(%x: tensor<8x16xf32>, %w: tensor<16x4xf32>) -> (tensor<8x4xf32>, tensor<16x4xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %l = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %l) applies stablehlo.maximum across dimensions = [1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<8xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<8xf32>) -> tensor<8x16xf32>
  %2 = stablehlo.subtract %x, %1 : tensor<8x16xf32>
  %3 = stablehlo.exponential %2 : tensor<8x16xf32>
  %4 = stablehlo.reduce(%3 init: %z) applies stablehlo.add across dimensions = [1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<8xf32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<8xf32>) -> tensor<8x16xf32>
  %6 = stablehlo.divide %3, %5 : tensor<8x16xf32>
  %7 = stablehlo.dot_general %6, %w, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>
  %8 = stablehlo.multiply %w, %w : tensor<16x4xf32>
  %9 = stablehlo.add %8, %w : tensor<16x4xf32>
  return %7, %9 : tensor<8x4xf32>, tensor<16x4xf32>
}
)";

class CompileTest : public ::testing::Test {
 protected:
  std::string Program() { return scratch_.Write("step.mlir", kProgram); }
  std::string Dump() const { return scratch_.path() + "/dump"; }

  ScratchDirectory scratch_;
};

TEST_F(CompileTest, TwoProcesses_SameFingerprintAndKernels) {
  const std::string program = Program();
  const CommandResult first = RunLockstep({"compile", program, "--explain"});
  const CommandResult second = RunLockstep({"compile", program, "--explain"});
  ASSERT_EQ(first.exit, ExitStatus()) << first.err;
  EXPECT_THAT(first.out, HasSubstr("fingerprint "));
  EXPECT_EQ(first.out, second.out);
}

TEST_F(CompileTest, Explain_NamesFusionsBuffersAndThunks) {
  const CommandResult result = RunLockstep({"compile", Program(), "--explain"});
  ASSERT_EQ(result.exit, ExitStatus()) << result.err;
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("fusions: 2 of"), HasSubstr("  rows   "),
                    HasSubstr("  loop   "), HasSubstr("buffers: arena"),
                    HasSubstr("thunks: 3"), HasSubstr("dot_general")));
}

// The functions of callbacks are elsewhere, which does not matter here.
TEST_F(CompileTest, Explain_NamesCallbacksWithTheirPlaces) {
  const std::string program = scratch_.Write("calls.mlir", R"(
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.custom_call @lockstep.callback(%x) {api_version = 4 : i32, backend_config = {name = "io_callback", number = 3 : i64, ordered = true, place = "train.cc:12"}, has_side_effect = true} : (tensor<2xf32>) -> tensor<2xf32>
  stablehlo.custom_call @lockstep.debug_print(%0) {api_version = 4 : i32, backend_config = {format = "y {}", name = "debug_print", ordered = false, place = "train.cc:13"}, has_side_effect = true} : (tensor<2xf32>) -> ()
  return %0 : tensor<2xf32>
}
)");
  const CommandResult result = RunLockstep({"compile", program, "--explain"});
  ASSERT_EQ(result.exit, ExitStatus()) << result.err;
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("io_callback  "), HasSubstr("calls.mlir:3:"),
                    HasSubstr("{at train.cc:12, function 3, ordered}"),
                    HasSubstr("debug_print  "),
                    HasSubstr("{at train.cc:13, \"y {}\"}")));
}

// "... backend cpu 3 for x86-64-v2, oneDNN sse41, 3 thunks ...".
TEST_F(CompileTest, CpuTarget_NamesTheProcessorAndChangesTheFingerprint) {
  const std::string program = Program();
  const std::string cache = scratch_.path() + "/cache";
  const auto compile = [&](const std::string& target) {
    return RunLockstep({"compile", program, "--cpu-target", target,
                        "--cache-dir", cache + target});
  };
  const CommandResult host = compile("host");
  ASSERT_EQ(host.exit, ExitStatus()) << host.err;
  const CommandResult v2 = compile("x86-64-v2");
#if defined(__x86_64__)
  ASSERT_EQ(v2.exit, ExitStatus()) << v2.err;
  EXPECT_THAT(v2.out, HasSubstr("for x86-64-v2, oneDNN sse41"));
  EXPECT_NE(host.out.substr(host.out.find("fingerprint")),
            v2.out.substr(v2.out.find("fingerprint")));
  // By the variable too, and none of its kernels is one of the host's.
  const CommandResult by_variable =
      RunLockstep({"compile", program, "--cache-dir", cache + "host"},
                  {{"LOCKSTEP_CPU_TARGET", "x86-64-v2"}});
  EXPECT_EQ(by_variable.out, v2.out);
  const auto files = [&](const std::string& target) {
    std::set<std::string> names;
    for (const auto& entry :
         std::filesystem::directory_iterator(cache + target)) {
      names.insert(entry.path().filename());
    }
    return names;
  };
  EXPECT_EQ(files("host").size(), 2 * files("x86-64-v2").size());
#endif
}

TEST_F(CompileTest, CpuTargetThatIsNone_NamesThoseThatAre) {
  const std::string program = Program();
  const CommandResult by_flag =
      RunLockstep({"compile", program, "--cpu-target", "z80"});
  EXPECT_EQ(by_flag.exit, ExitStatus{.code = 2});
  EXPECT_THAT(by_flag.err, AllOf(HasSubstr("expected one of host"),
                                 HasSubstr("found \"z80\"")));
  const CommandResult by_variable =
      RunLockstep({"compile", program}, {{"LOCKSTEP_CPU_TARGET", "z80"}});
  EXPECT_EQ(by_variable.exit, ExitStatus{.code = 2});
  EXPECT_THAT(by_variable.err, HasSubstr("found \"z80\""));
}

// The library of OpenMP would complain of the one, and print all of them.
TEST_F(CompileTest, VariablesOfOpenMp_PrintNothing) {
  const CommandResult result =
      RunLockstep({"compile", Program()}, {{"OMP_NUM_THREADS", "banana"},
                                           {"OMP_DISPLAY_ENV", "true"},
                                           {"GOMP_SPINCOUNT", "many"}});
  EXPECT_EQ(result.exit, ExitStatus()) << result.err;
  EXPECT_EQ(result.err, "");
}

TEST_F(CompileTest, Dump_WritesTheModuleAfterEveryPassThatChangedIt) {
  const CommandResult result =
      RunLockstep({"compile", Program(), "--dump", Dump()});
  ASSERT_EQ(result.exit, ExitStatus()) << result.err;
  EXPECT_TRUE(std::filesystem::exists(Dump() + "/00_parsed.mlir"));
  EXPECT_FALSE(std::filesystem::exists(Dump() + "/01_inline_calls.mlir"));
  std::string fused;
  for (const auto& entry : std::filesystem::directory_iterator(Dump())) {
    const std::string name = entry.path().filename();
    if (name.ends_with("_fuse_loops.mlir")) fused = entry.path();
  }
  ASSERT_NE(fused, "");
  // What was dumped is a program.
  const CommandResult again = RunLockstep({"compile", fused});
  EXPECT_EQ(again.exit, ExitStatus()) << again.err;
}

TEST_F(CompileTest, ProgramThatDoesNotParse_PlaceAndExitCode) {
  const std::string program =
      scratch_.Write("bad.mlir", "module {\n  nonsense\n}\n");
  const CommandResult result = RunLockstep({"compile", program});
  EXPECT_EQ(result.exit, ExitStatus{.code = 1});
  EXPECT_THAT(result.err,
              StartsWith(absl::StrCat(
                  "lockstep compile: INVALID_ARGUMENT: ", program, ":2:3: ")));
}

TEST_F(CompileTest, ProgramOfStandardInput) {
  ChildProcess::Options options;
  options.name = "sh";
  options.arguments = {
      "/bin/sh", "-c",
      absl::StrCat("cat ", Program(), " | ", LockstepPath(), " compile -")};
  options.captures_stdout = true;
  options.captures_stderr = true;
  absl::StatusOr<ChildProcess> process = ChildProcess::Spawn(options);
  ASSERT_TRUE(process.ok()) << process.status();
  const CommandResult result = Finish(*process);
  EXPECT_EQ(result.exit, ExitStatus()) << result.err;
  EXPECT_THAT(result.out, StartsWith("-: backend cpu"));
}

TEST_F(CompileTest, BackendThatIsNotThere_NamesThoseThatAre) {
  const CommandResult result =
      RunLockstep({"compile", Program(), "--backend", "tpu"});
  EXPECT_EQ(result.exit, ExitStatus{.code = 1});
  EXPECT_THAT(result.err, AllOf(HasSubstr("tpu"), HasSubstr("interpreter")));
}

TEST_F(CompileTest, DumpFolderThatIsAFile_IsRefused) {
  const std::string file = scratch_.Write("file", "x");
  const CommandResult result =
      RunLockstep({"compile", Program(), "--dump", file});
  EXPECT_EQ(result.exit, ExitStatus{.code = 1});
  EXPECT_THAT(result.err, HasSubstr(file));
}

}  // namespace
}  // namespace lockstep::internal
