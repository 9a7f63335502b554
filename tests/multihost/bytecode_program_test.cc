// Programs in portable bytecode run as their texts do: on the command line, and
// given to a client.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "client/lockstep.h"
#include "runtime/types/npy.h"
#include "tests/multihost/lockstep_command.h"
#include "tests/multihost/process_cluster.h"
#include "tests/multihost/programs.h"

namespace lockstep::internal {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string PathOf(const std::string& name) {
  return absl::StrCat("tests/bytecode/", name);
}

std::string Contents(const std::string& name) {
  std::ifstream file(PathOf(name), std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

// 0, 1, 2, .. over 8.
Literal Numbers(const std::vector<int64_t>& dims) {
  Literal literal(Shape(ElementType::kF32, dims));
  int next = 0;
  for (float& value : literal.mutable_data<float>()) {
    value = static_cast<float>(next++) / 8;
  }
  return literal;
}

class BytecodeProgramTest : public ::testing::Test {
 protected:
  // The first output of the program on so many hosts, each with as many
  // devices.
  Literal Run(const std::string& program, const std::string& hosts,
              const std::vector<Literal>& inputs) {
    const std::string out = absl::StrCat(scratch_.path(), "/", next_++);
    std::vector<std::string> arguments = {
        "run", PathOf(program), "--hosts", hosts, "--devices-per-host",
        hosts, "--output-dir",  out};
    for (const Literal& input : inputs) {
      arguments.push_back("--input");
      arguments.push_back(
          scratch_.WriteNpy(absl::StrCat("in", next_++, ".npy"), input));
    }
    const CommandResult result = RunLockstep(arguments);
    EXPECT_EQ(result.exit, ExitStatus()) << result.err;
    auto output = ReadNpyFile(absl::StrCat(out, "/0.npy"));
    EXPECT_TRUE(output.ok()) << output.status();
    return output.ok() ? *std::move(output) : Literal();
  }

  int next_ = 0;
  ScratchDirectory scratch_;
};

TEST_F(BytecodeProgramTest, RunsAsItsText) {
  const std::vector<Literal> inputs = {Numbers({2, 3}), Numbers({3, 4}),
                                       Numbers({4})};
  const Literal expected = Run("mlp_1_16_0.mlir", "1", inputs);
  EXPECT_EQ(expected.shape(), Shape(ElementType::kF32, {2, 4}));
  EXPECT_EQ(Run("mlp_0_9_0.mlirbc", "1", inputs), expected);
  EXPECT_EQ(Run("mlp_1_16_0.mlirbc", "1", inputs), expected);
  EXPECT_EQ(Run("mlp.jax", "1", inputs), expected);
}

TEST_F(BytecodeProgramTest, LargeConstantsReachHostsAsTheyAre) {
  const std::vector<Literal> inputs = {Numbers({10, 10})};
  EXPECT_EQ(Run("constants_1_15_0.mlirbc", "1", inputs),
            Run("constants_1_15_0.mlir", "1", inputs));
}

TEST_F(BytecodeProgramTest, ShardsWholeArraysAmongHosts) {
  const std::vector<Literal> inputs = {Numbers({4, 4}), Numbers({4, 4})};
  EXPECT_EQ(Run("sharded_1_15_0.mlirbc", "2", inputs),
            Run("sharded_1_15_0.mlir", "2", inputs));
}

TEST_F(BytecodeProgramTest, InspectAndCompileTakeIt) {
  const CommandResult inspected =
      RunLockstep({"inspect", PathOf("sharded_1_15_0.mlirbc")});
  ASSERT_EQ(inspected.exit, ExitStatus()) << inspected.err;
  EXPECT_THAT(inspected.out,
              StartsWith("module jit_sharded: 1 replica x 4 partitions\n"));
  const CommandResult compiled = RunLockstep({"compile", PathOf("mlp.jax")});
  ASSERT_EQ(compiled.exit, ExitStatus()) << compiled.err;
  EXPECT_THAT(compiled.out, HasSubstr("fingerprint"));
}

TEST_F(BytecodeProgramTest, StandardInputMayBeIt) {
  for (const char* name : {"mlp_1_16_0.mlir", "mlp_1_16_0.mlirbc", "mlp.jax"}) {
    for (const char* command : {"inspect", "compile"}) {
      ChildProcess::Options options;
      options.name = command;
      options.arguments = {
          "/bin/sh", "-c",
          absl::StrCat(LockstepPath(), " ", command, " - < ", PathOf(name))};
      options.captures_stdout = true;
      options.captures_stderr = true;
      absl::StatusOr<ChildProcess> child = ChildProcess::Spawn(options);
      ASSERT_TRUE(child.ok()) << child.status();
      const CommandResult result = Finish(*child);
      EXPECT_EQ(result.exit, ExitStatus()) << name << ": " << result.err;
      EXPECT_THAT(result.out, HasSubstr(absl::string_view(command) == "inspect"
                                            ? "argument 2"
                                            : "fingerprint"));
    }
  }
}

TEST_F(BytecodeProgramTest, WhatIsWrongWithAFileHasItsPlace) {
  const std::string bytes = Contents("mlp_1_16_0.mlirbc");
  const std::string path =
      scratch_.Write("cut.mlirbc", bytes.substr(0, bytes.size() / 2));
  const CommandResult result = RunLockstep({"inspect", path});
  EXPECT_EQ(result.exit, ExitStatus{.code = 1});
  EXPECT_THAT(result.err, StartsWith(absl::StrCat(
                              "lockstep inspect: INVALID_ARGUMENT: ", path)));
}

TEST_F(BytecodeProgramTest, ClientLoadsIt) {
  ProcessCluster::Options options;
  options.hosts = 2;
  options.devices_per_host = 2;
  ProcessCluster cluster(options);
  const auto client = Client::Connect(cluster.address());
  ASSERT_TRUE(client.ok()) << client.status();
  std::vector<Literal> results;
  for (const char* name : {"sharded_1_15_0.mlirbc", "sharded_1_15_0.mlir"}) {
    const auto program = client->LoadProgram(Contents(name));
    ASSERT_TRUE(program.ok()) << program.status();
    const auto arrays =
        client->Run(*program, {Array(Numbers({4, 4})), Array(Numbers({4, 4}))});
    ASSERT_TRUE(arrays.ok()) << arrays.status();
    auto literal = (*arrays)[0].Fetch();
    ASSERT_TRUE(literal.ok()) << literal.status();
    results.push_back(*std::move(literal));
  }
  EXPECT_EQ(results[0], results[1]);
}

}  // namespace
}  // namespace lockstep::internal
