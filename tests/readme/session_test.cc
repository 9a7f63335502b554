// Runs the session that the root README shows, and compares what it prints.
#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/multihost/lockstep_command.h"
#include "tests/multihost/programs.h"
#include "tests/readme/console_session.h"

namespace lockstep::internal {
namespace {

using ::testing::ElementsAre;

TEST(ConsoleSessionTest, BlocksAreReadAsCommandsAndOutput) {
  std::vector<ConsoleStep> steps = ParseConsoleSession(
      "text\n```console\n$ a \\\n  b\nout 1\nout 2\n$ c\n```\n"
      "```sh\n$ not this\n```\n");
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_EQ(steps[0].line, 3);
  EXPECT_EQ(steps[0].command, "a   b");
  EXPECT_THAT(steps[0].output, ElementsAre("out 1", "out 2"));
  EXPECT_EQ(steps[1].command, "c");
  EXPECT_TRUE(steps[1].output.empty());
}

TEST(ConsoleSessionTest, DotsStandForAnything) {
  EXPECT_TRUE(OutputMatches({"a ... c"}, {"a b c"}));
  EXPECT_FALSE(OutputMatches({"a ... c"}, {"a b d"}));
  EXPECT_TRUE(OutputMatches({"x", "...", "y"}, {"x", "1", "2", "y"}));
  EXPECT_TRUE(OutputMatches({"x", "...", "y"}, {"x", "y"}));
  EXPECT_FALSE(OutputMatches({"x"}, {"x", "y"}));
  EXPECT_FALSE(OutputMatches({"x", "y"}, {"x"}));
}

CommandResult RunShell(const std::string& command) {
  ChildProcess::Options options;
  options.name = command;
  options.arguments = {"/bin/bash", "-c", command};
  options.environment = {
      {"LOCKSTEP_TEST_MARK", absl::StrCat(getpid())},
      {"PATH", absl::StrCat(
                   std::filesystem::path(LockstepPath()).parent_path().string(),
                   ":", getenv("PATH"))}};
  options.captures_stdout = true;
  options.captures_stderr = true;
  absl::StatusOr<ChildProcess> shell = ChildProcess::Spawn(options);
  EXPECT_TRUE(shell.ok()) << shell.status();
  return Finish(*shell);
}

TEST(ReadmeTest, SessionPrintsWhatItShows) {
  ScratchDirectory scratch;
  setenv("XDG_RUNTIME_DIR", scratch.path().c_str(), 1);
  std::ifstream file("README.md");
  std::string markdown((std::istreambuf_iterator<char>(file)), {});
  std::vector<ConsoleStep> steps = ParseConsoleSession(markdown);
  ASSERT_FALSE(steps.empty());
  for (const ConsoleStep& step : steps) {
    CommandResult result = RunShell(step.command);
    EXPECT_EQ(result.exit, ExitStatus()) << step.command << "\n" << result.err;
    std::vector<std::string> lines =
        absl::StrSplit(result.out, '\n', absl::SkipEmpty());
    EXPECT_TRUE(OutputMatches(step.output, lines))
        << "README.md:" << step.line << ": $ " << step.command << "\nexpected\n"
        << absl::StrJoin(step.output, "\n") << "\nfound\n"
        << result.out;
  }
  RunLockstep({"down"});
  EXPECT_EQ(LeftProcesses(), std::vector<std::string>());
}

}  // namespace
}  // namespace lockstep::internal
