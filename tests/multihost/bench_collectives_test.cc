// `lockstep bench collectives`, as its user sees it. Nothing is expected of
// times but that there are some.
#include <signal.h>
#include <sys/stat.h>

#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/multihost/lockstep_command.h"
#include "tests/multihost/process_cluster.h"
#include "tests/multihost/programs.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::StartsWith;

class BenchCollectivesTest : public ::testing::Test {
 protected:
  ~BenchCollectivesTest() override {
    EXPECT_EQ(LeftProcesses(), std::vector<std::string>());
  }

  static CommandResult Bench(std::vector<std::string> arguments,
                             std::map<std::string, std::string> more = {}) {
    arguments.insert(arguments.begin(), {"bench", "collectives"});
    return RunLockstep(std::move(arguments), std::move(more));
  }

  // All rows are as one wants them.
  static void ExpectRight(const nlohmann::json& report, size_t rows) {
    ASSERT_EQ(report["collectives"].size(), rows);
    for (const auto& row : report["collectives"]) {
      EXPECT_EQ(row["wrong"], 0) << row.dump();
      EXPECT_EQ(row["iterations"], 5) << row.dump();
      // What is smaller may take no longer than noise.
      if (row["size"] >= 1000000) {
        EXPECT_GT(row["seconds"].get<double>(), 0) << row.dump();
      }
      EXPECT_GT(row["launch_seconds"].get<double>(), 0) << row.dump();
    }
  }

  // A process of this test whose command line has `word`; 0: none.
  static pid_t FindProcess(absl::string_view word) {
    for (const std::string& process : LeftProcesses()) {
      int pid = 0;
      if (absl::StrContains(process, word) &&
          absl::SimpleAtoi(process.substr(0, process.find(':')), &pid)) {
        return pid;
      }
    }
    return 0;
  }

  ScratchDirectory scratch_;
};

TEST_F(BenchCollectivesTest, AllOfThemGiveWhatTheyMust) {
  const CommandResult result =
      Bench({"--op", "all", "--hosts", "2", "-b", "1000", "-e", "1M", "-f",
             "1000", "--iterations", "5", "--json"});
  ASSERT_EQ(result.exit, ExitStatus()) << result.err;
  const auto report = nlohmann::json::parse(result.out);
  EXPECT_EQ(report["hosts"], 2);
  EXPECT_EQ(report["devices"], 2);
  ExpectRight(report, 12);
  EXPECT_EQ(report["average_busbw"].size(), 6u);
  const auto& row = report["collectives"][3];
  EXPECT_EQ(row["op"], "all_gather");
  EXPECT_EQ(row["size"], 1000000);
  EXPECT_EQ(row["count"], 125000);
  EXPECT_EQ(row["type"], "float32");
  EXPECT_EQ(row["redop"], "none");
}

TEST_F(BenchCollectivesTest, SeveralDevicesOfHostsAndOtherTypes) {
  for (const auto& [name, type] :
       {std::pair{"bf16", "bfloat16"}, {"int8", "int8"}, {"f64", "float64"}}) {
    const CommandResult result =
        Bench({"--op", "all", "--hosts", "3", "--devices-per-host", "2", "-b",
               "48K", "-e", "48K", "-n", "1", "--dtype", name, "--json"});
    ASSERT_EQ(result.exit, ExitStatus()) << result.err;
    const auto report = nlohmann::json::parse(result.out);
    EXPECT_EQ(report["devices"], 6);
    ExpectRight(report, 6);
    EXPECT_EQ(report["collectives"][0]["type"], type);
  }
}

TEST_F(BenchCollectivesTest, TheTableEndsWithTheAverage) {
  const CommandResult result =
      Bench({"--op", "broadcast", "-b", "64", "-e", "64", "-n", "5"});
  ASSERT_EQ(result.exit, ExitStatus()) << result.err;
  EXPECT_THAT(result.out,
              AllOf(StartsWith("# 2 hosts, 2 devices, platform "),
                    HasSubstr("\n          64            16   float32    none  "
                              "     0  "),
                    HasSubstr("\n# Out of bounds values : 0 OK\n"
                              "# Avg bus bandwidth    : ")));
}

TEST_F(BenchCollectivesTest, OnAClusterThatRuns) {
  ProcessCluster cluster({});
  const CommandResult result = Bench({"--coordinator", cluster.address(), "-b",
                                      "1K", "-e", "1K", "-n", "5", "--json"});
  ASSERT_EQ(result.exit, ExitStatus()) << result.err;
  const auto report = nlohmann::json::parse(result.out);
  EXPECT_EQ(report["devices"], 2 * DevicesPerHost());
  ExpectRight(report, 1);
  EXPECT_TRUE(cluster.worker(0).is_running());
}

TEST_F(BenchCollectivesTest, WordsThatAreNotKnownAreNamedWithTheNearest) {
  const CommandResult op = Bench({"--op", "all_reduse"});
  EXPECT_EQ(op.exit, ExitStatus{.code = 2});
  EXPECT_THAT(op.err,
              AllOf(StartsWith("lockstep bench collectives: INVALID_ARGUMENT: "
                               "--op: expected one of all_reduce, all_gather,"),
                    HasSubstr("found \"all_reduse\"; did you mean "
                              "all_reduce?")));
  const CommandResult behind_all = Bench({"--op", "all,foo"});
  EXPECT_EQ(behind_all.exit, ExitStatus{.code = 2});
  const CommandResult type = Bench({"--dtype", "flaot32"});
  EXPECT_EQ(type.exit, ExitStatus{.code = 2});
  EXPECT_THAT(type.err, HasSubstr("did you mean float32?"));
  const CommandResult both =
      Bench({"--hosts", "2", "--coordinator", "127.0.0.1:1"});
  EXPECT_EQ(both.exit, ExitStatus{.code = 2});
}

TEST_F(BenchCollectivesTest, SizesThatCannotBeAreRefusedBeforeAnythingStarts) {
  const std::map<std::string, std::string> none = {
      {"LOCKSTEP_BINARY", "/nowhere/lockstep"}};
  const CommandResult order = Bench({"-b", "1M", "-e", "1K"}, none);
  EXPECT_EQ(order.exit, ExitStatus{.code = 1});
  EXPECT_THAT(order.err, HasSubstr("the smallest size is 1048576 bytes, and "
                                   "the largest 1024"));
  const CommandResult one = Bench({"--hosts", "1"}, none);
  EXPECT_THAT(one.err, HasSubstr("expected at least 2 devices, found 1"));
  for (const char* size : {"much", "0", "-4", "9E"}) {
    EXPECT_EQ(Bench({"-b", size}).exit, ExitStatus{.code = 2}) << size;
  }
}

TEST_F(BenchCollectivesTest, HostsThatDoNotStartAreNamed) {
  const std::string program = scratch_.Write(
      "broken", absl::StrCat("#!/bin/sh\n[ \"$1\" = worker ] && exit 7\nexec ",
                             LockstepPath(), " \"$@\"\n"));
  ASSERT_EQ(chmod(program.c_str(), 0700), 0);
  const CommandResult result = Bench({}, {{"LOCKSTEP_BINARY", program}});
  EXPECT_NE(result.exit, ExitStatus());
  EXPECT_THAT(result.err,
              AllOf(HasSubstr("worker-"), HasSubstr("exited with code 7")));
  EXPECT_EQ(result.out, "");
}

TEST_F(BenchCollectivesTest, AWorkerThatDiesMeanwhileIsNamed) {
  ChildProcess bench = StartLockstep("bench",
                                     {"bench", "collectives", "-b", "64", "-e",
                                      "64", "--iterations", "1000000"},
                                     true);
  while (true) {
    const std::string line = ReadLine(bench.stderr_fd());
    ASSERT_NE(line, "");
    if (absl::StrContains(line, "measuring")) break;
  }
  const pid_t worker = FindProcess("lockstep worker");
  ASSERT_GT(worker, 0);
  ASSERT_EQ(kill(worker, SIGKILL), 0);
  const absl::Time killed = absl::Now();
  const CommandResult result = Finish(bench);
  EXPECT_LT(absl::Now() - killed, absl::Seconds(30));
  EXPECT_EQ(result.exit, ExitStatus{.code = 1});
  EXPECT_THAT(result.err,
              AllOf(HasSubstr("lockstep bench collectives: ABORTED: all_reduce "
                              "of 64 bytes of float32: "),
                    HasSubstr("host ")));
}

}  // namespace
}  // namespace lockstep::internal
