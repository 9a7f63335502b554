// `lockstep run` with programs and files that are wrong: refused before
// anything starts, with who, what, expected and found.
#include <sys/stat.h>

#include <filesystem>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/types/npy.h"
#include "tests/multihost/lockstep_command.h"
#include "tests/multihost/programs.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class RunInputTest : public ::testing::Test {
 protected:
  ~RunInputTest() override {
    EXPECT_EQ(LeftProcesses(), std::vector<std::string>());
  }

  std::string out() const { return scratch_.path() + "/out"; }

  // On a cluster of its own of 2 x 2 devices.
  CommandResult Run(const std::string& program,
                    const std::vector<std::string>& inputs) {
    std::vector<std::string> arguments = {
        "run",     program, "--output-dir",       out(),
        "--hosts", "2",     "--devices-per-host", "2"};
    for (const std::string& input : inputs) {
      arguments.push_back("--input");
      arguments.push_back(input);
    }
    return RunLockstep(arguments);
  }

  void ExpectRefused(const CommandResult& result, const std::string& start) {
    EXPECT_EQ(result.exit, ExitStatus{.code = 1});
    EXPECT_THAT(result.err, StartsWith("lockstep run: " + start));
    EXPECT_FALSE(std::filesystem::exists(out() + "/0.npy"));
  }

  std::string Sum() { return scratch_.Write("sum.mlir", SumProgram(4)); }

  ScratchDirectory scratch_;
};

TEST_F(RunInputTest, SumOverAllReplicas) {
  CommandResult result = Run(Sum(), {scratch_.WriteNpy("x.npy", Ramp(4))});
  ASSERT_EQ(result.exit, ExitStatus()) << result.err;
  EXPECT_EQ(*ReadNpyFile(out() + "/0.npy"),
            Literal::FromValues<float>({4}, {6.f, 6.f, 6.f, 6.f}));
}

TEST_F(RunInputTest, ProgramThatDoesNotParse) {
  std::string program = scratch_.Write("bad.mlir", "module {\n  nonsense\n}\n");
  ExpectRefused(Run(program, {}),
                absl::StrCat("INVALID_ARGUMENT: ", program, ":2:3: "));
}

TEST_F(RunInputTest, ProgramThatHasNoEnd) {
  ExpectRefused(Run("/dev/zero", {}),
                "INVALID_ARGUMENT: /dev/zero: expected a regular file, found a "
                "device");
  ChildProcess::Options options;
  options.name = "run";
  options.arguments = {"/bin/sh", "-c",
                       absl::StrCat(LockstepPath(), " run - --output-dir ",
                                    out(), " < /dev/zero")};
  options.captures_stdout = true;
  options.captures_stderr = true;
  absl::StatusOr<ChildProcess> endless = ChildProcess::Spawn(options);
  ASSERT_TRUE(endless.ok()) << endless.status();
  ExpectRefused(Finish(*endless),
                "INVALID_ARGUMENT: standard input: expected text, found a zero "
                "byte at offset 0");
  const std::string pipe = scratch_.path() + "/pipe.mlir";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  ExpectRefused(Run(pipe, {}),
                absl::StrCat("INVALID_ARGUMENT: ", pipe,
                             ": expected a regular file, found a pipe"));
  ExpectRefused(Run(Sum(), {pipe}),
                absl::StrCat("INVALID_ARGUMENT: input 0: ", pipe,
                             ": expected a regular file"));
}

TEST_F(RunInputTest, ProgramOfMoreDevicesOrBytesThanThereCanBe) {
  const std::string many = scratch_.Write("many.mlir", R"(
module attributes {mhlo.num_replicas = 2147483647 : i32, mhlo.num_partitions = 2147483647 : i32} {
  func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
    return %x : tensor<3xf32>
  }
})");
  ExpectRefused(Run(many, {}),
                absl::StrCat("INVALID_ARGUMENT: ", many,
                             ":3:3: mhlo.num_replicas, mhlo.num_partitions: "
                             "expected at most 16777216 devices, found "
                             "2147483647 replicas of 2147483647 partitions"));
  const std::string large = scratch_.Write("large.mlir", R"(
module attributes {mhlo.num_replicas = 4096 : i32} {
  func.func @main(%x: tensor<4611686018427387903xi8>) -> tensor<1xi8> {
    %0 = stablehlo.constant dense<1> : tensor<1xi8>
    return %0 : tensor<1xi8>
  }
})");
  ExpectRefused(Run(large, {scratch_.WriteNpy("x.npy", Ramp(4))}),
                absl::StrCat("INVALID_ARGUMENT: ", large,
                             ": argument 0 of 4096 devices"));
}

TEST_F(RunInputTest, ProgramThatDoesNotVerify) {
  std::string program = scratch_.Write("bad.mlir", R"(
func.func @main(%x: tensor<3xf32>, %y: tensor<4xf32>) -> tensor<3xf32> {
  %0 = "stablehlo.add"(%x, %y) : (tensor<3xf32>, tensor<4xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
)");
  ExpectRefused(Run(program, {}),
                absl::StrCat("INVALID_ARGUMENT: ", program, ":3:"));
}

TEST_F(RunInputTest, OpThatIsNotSupported) {
  std::string program = scratch_.Write("rng.mlir", R"(
func.func @main(%a: tensor<f32>, %s: tensor<1xi64>) -> tensor<4xf32> {
  %0 = "stablehlo.rng"(%a, %a, %s) <{rng_distribution = #stablehlo<rng_distribution UNIFORM>}> : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
)");
  CommandResult result = Run(program, {});
  ExpectRefused(result, absl::StrCat("UNIMPLEMENTED: ", program, ":3:"));
  EXPECT_THAT(result.err, HasSubstr("stablehlo.rng"));
}

TEST_F(RunInputTest, InputThatIsDamaged) {
  std::string bytes = SerializeNpy(Ramp(4));
  std::string path = scratch_.Write("x.npy", bytes.substr(0, bytes.size() - 4));
  ExpectRefused(Run(Sum(), {path}),
                absl::StrCat("INVALID_ARGUMENT: input 0: ", path, ": "));
}

TEST_F(RunInputTest, InputThatIsNotThere) {
  CommandResult result = Run(Sum(), {scratch_.path() + "/none.npy"});
  EXPECT_EQ(result.exit, ExitStatus{.code = 1});
  EXPECT_THAT(result.err, HasSubstr("/none.npy: "));
}

TEST_F(RunInputTest, InputOfTheWrongShape) {
  CommandResult result = Run(Sum(), {scratch_.WriteNpy("x.npy", Ramp(3))});
  ExpectRefused(result, "INVALID_ARGUMENT: input 0 (");
  EXPECT_THAT(result.err, AllOf(HasSubstr("expected tensor<4xf32>"),
                                HasSubstr("found tensor<3xf32>")));
}

TEST_F(RunInputTest, InputOfTheWrongType) {
  Literal doubles(Shape(ElementType::kF64, {4}));
  CommandResult result = Run(Sum(), {scratch_.WriteNpy("x.npy", doubles)});
  ExpectRefused(result, "INVALID_ARGUMENT: input 0 (");
  EXPECT_THAT(result.err, AllOf(HasSubstr("expected tensor<4xf32>"),
                                HasSubstr("found tensor<4xf64>")));
}

TEST_F(RunInputTest, WrongNumberOfInputs) {
  CommandResult result = Run(Sum(), {});
  ExpectRefused(result, "INVALID_ARGUMENT: ");
  EXPECT_THAT(result.err, HasSubstr("expected 1 input"));
}

TEST_F(RunInputTest, MoreDevicesThanTheClusterHas) {
  std::string program = scratch_.Write("sum.mlir", SumProgram(5));
  CommandResult result = Run(program, {scratch_.WriteNpy("x.npy", Ramp(5))});
  ExpectRefused(result, "INVALID_ARGUMENT: ");
  EXPECT_THAT(result.err,
              AllOf(HasSubstr("5 devices"), HasSubstr("4 devices")));
}

TEST_F(RunInputTest, OutputDirectoryThatIsAFile) {
  scratch_.Write("out", "x");
  CommandResult result = Run(Sum(), {scratch_.WriteNpy("x.npy", Ramp(4))});
  EXPECT_EQ(result.exit, ExitStatus{.code = 1});
  EXPECT_THAT(result.err, AllOf(HasSubstr("FAILED_PRECONDITION"),
                                HasSubstr(scratch_.path() + "/out")));
}

}  // namespace
}  // namespace lockstep::internal
