// --cache-dir: processes find each other's kernels, whatever the directory has
// been through, and results never depend on it.
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/multihost/lockstep_command.h"
#include "tests/multihost/programs.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;

namespace fs = std::filesystem;

// Three kernels that cannot be one: a reduction over rows, its use by columns,
// and a loop of another shape.
constexpr char kProgram[] = R"(
func.func @main(%x: tensor<8x16xf32>, %w: tensor<5xf32>) -> (tensor<16xf32>, tensor<5xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<8xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<8xf32>) -> tensor<8x16xf32>
  %2 = stablehlo.multiply %x, %1 : tensor<8x16xf32>
  %3 = stablehlo.reduce(%2 init: %z) applies stablehlo.add across dimensions = [0] : (tensor<8x16xf32>, tensor<f32>) -> tensor<16xf32>
  %4 = stablehlo.exponential %w : tensor<5xf32>
  return %3, %4 : tensor<16xf32>, tensor<5xf32>
}
)";

std::string Content(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class CacheDirectoryTest : public ::testing::Test {
 protected:
  CacheDirectoryTest()
      : program_(scratch_.Write("program.mlir", kProgram)),
        directory_(scratch_.path() + "/cache") {}

  CommandResult Compile() {
    return RunLockstep(
        {"compile", program_, "--explain", "--cache-dir", directory_});
  }
  // `lockstep run OPTIONS...` of one kernel.
  std::vector<std::string> Run(const std::vector<std::string>& options) const {
    std::vector<std::string> command = {"run",
                                        scratch_.Write("exponential.mlir", R"(
func.func @main(%x: tensor<1xf32>) -> tensor<1xf32> {
  %0 = stablehlo.exponential %x : tensor<1xf32>
  return %0 : tensor<1xf32>
}
)"),
                                        "--input",
                                        scratch_.WriteNpy("x.npy", Ramp(1)),
                                        "--output-dir",
                                        scratch_.path() + "/out"};
    command.insert(command.end(), options.begin(), options.end());
    return command;
  }
  // By name; the time is that of the last change.
  std::map<std::string, fs::file_time_type> Files() const {
    std::map<std::string, fs::file_time_type> files;
    for (const auto& entry : fs::directory_iterator(directory_)) {
      files[entry.path().filename()] = entry.last_write_time();
    }
    return files;
  }

  ScratchDirectory scratch_;
  const std::string program_;
  const std::string directory_;
};

TEST_F(CacheDirectoryTest, ASecondProcessCompilesNothingAndGetsTheSame) {
  const CommandResult without = RunLockstep({"compile", program_, "--explain"});
  const CommandResult first = Compile();
  ASSERT_EQ(first.exit, ExitStatus()) << first.err;
  const auto files = Files();
  ASSERT_GE(files.size(), 2u);
  for (const auto& [name, time] : files) EXPECT_THAT(name, EndsWith(".kernel"));

  const CommandResult second = Compile();
  EXPECT_EQ(second.exit, ExitStatus()) << second.err;
  EXPECT_EQ(Files(), files);
  EXPECT_EQ(first.out, without.out);
  EXPECT_EQ(second.out, without.out);
}

TEST_F(CacheDirectoryTest, FilesThatAreTornOrOfAnotherKernelAreMadeAnew) {
  const CommandResult first = Compile();
  ASSERT_EQ(first.exit, ExitStatus()) << first.err;
  std::map<std::string, std::string> contents;
  for (const auto& [name, time] : Files()) {
    contents[name] = Content(directory_ + "/" + name);
  }
  ASSERT_GE(contents.size(), 2u);
  const std::string one = directory_ + "/" + contents.begin()->first;
  const std::string other = directory_ + "/" + contents.rbegin()->first;
  fs::resize_file(one, contents.begin()->second.size() / 2);
  fs::copy_file(one, other, fs::copy_options::overwrite_existing);

  const CommandResult second = Compile();
  EXPECT_EQ(second.exit, ExitStatus()) << second.err;
  EXPECT_EQ(second.out, first.out);
  for (const auto& [name, content] : contents) {
    EXPECT_EQ(Content(directory_ + "/" + name), content) << name;
  }
}

TEST_F(CacheDirectoryTest, ManyProcessesFillItAtOnce) {
  std::vector<ChildProcess> processes;
  for (int i = 0; i < 6; ++i) {
    processes.push_back(
        StartLockstep(absl::StrCat("compile-", i),
                      {"compile", program_, "--cache-dir", directory_}, true));
  }
  std::string said;
  for (ChildProcess& process : processes) {
    const CommandResult result = Finish(process);
    EXPECT_EQ(result.exit, ExitStatus()) << result.err;
    if (said.empty()) said = result.out;
    EXPECT_EQ(result.out, said);
  }
  for (const auto& [name, time] : Files()) {
    EXPECT_THAT(name, EndsWith(".kernel"));
  }
}

TEST_F(CacheDirectoryTest, WorkersOfAClusterUseIt) {
  const CommandResult result =
      RunLockstep(Run({"--hosts", "1", "--cache-dir", directory_}));
  ASSERT_EQ(result.exit, ExitStatus()) << result.err;
  EXPECT_EQ(Files().size(), 1u);
}

TEST_F(CacheDirectoryTest, ADirectoryThatCannotBeWrittenIsNamed) {
  const std::string file = scratch_.Write("file", "x");
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"compile", program_},
        std::vector<std::string>{"worker", "--coordinator", "127.0.0.1:1"},
        Run({"--hosts", "1"})}) {
    std::vector<std::string> arguments = command;
    arguments.insert(arguments.end(), {"--cache-dir", file});
    const CommandResult result = RunLockstep(arguments);
    EXPECT_EQ(result.exit.code, 1) << command[0];
    EXPECT_THAT(result.err,
                AllOf(HasSubstr(file), HasSubstr("cannot be written")))
        << command[0];
  }
}

}  // namespace
}  // namespace lockstep::internal
