// Values from host to host with real hosts: row M-13 of
// docs/behaviour/multihost.md, beside what global_arrays_test.cc has.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "tests/multihost/host_programs.h"
#include "tests/multihost/lockstep_command.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

constexpr char kProgram[] = "tests/multihost/host_exchange_program";

// What each host printed, by rank. Fails when a host does.
std::vector<Lines> RunScenario(const std::string& scenario,
                               const std::vector<int>& devices) {
  return RunHosts(kProgram, scenario, devices);
}

TEST(HostExchangeTest, HostsHaveValuesOfDifferentSizes_M13) {
  EXPECT_THAT(RunScenario("ragged", {2, 1, 1}),
              Each(ElementsAre("[] | [[10 11]] | [[20 21] [22 23]]",
                               "[] | [] | [0 1 2]", "0 | 1 | 2", "[] | [] | []",
                               "[]host [0.5]host! [0.5 0.5]host!!", "3 good",
                               "3 good", "|x|xx")));
}

TEST(HostExchangeTest, OnlyDimension0MayDiffer_M13) {
  const auto lines = RunScenario("ragged_differences", {1, 1, 1});
  ASSERT_THAT(lines, Each(SizeIs(5)));
  for (const Lines& host : lines) {
    for (int i : {0, 1, 2}) {
      EXPECT_THAT(
          host[i],
          AllOf(StartsWith("INVALID_ARGUMENT: "), HasSubstr("leaf ''"),
                HasSubstr("host 0 (host0)"), HasSubstr("host 1 (host1)")));
    }
    EXPECT_THAT(host[0], AllOf(HasSubstr("int32 (any, 2)"),
                               HasSubstr("int32 (any, 3)")));
    EXPECT_THAT(host[1],
                AllOf(HasSubstr("int32 (any,)"), HasSubstr("float32 (any,)")));
    EXPECT_THAT(host[2], HasSubstr("int32 ()"));
    EXPECT_EQ(host[4], "[0] | [1] | [2]");
  }
  EXPECT_EQ(lines[1][3], "DATA_LOSS: no such batch");
  for (int rank : {0, 2}) {
    EXPECT_THAT(lines[rank][3],
                AllOf(StartsWith("ABORTED: "), HasSubstr("host 1 (host1)"),
                      HasSubstr("no such batch")));
  }
}

TEST(HostExchangeTest, AnArrayOfSomeHostsIsGatheredOnAll_M13) {
  const auto lines = RunScenario("parts_of_hosts", {1, 1, 1});
  for (const Lines& host : lines) {
    ASSERT_GE(host.size(), 2u);
    EXPECT_EQ(host[0], "[0 1]");
    // The own value of one host, and no value at all on the others.
    EXPECT_THAT(host[1],
                AllOf(StartsWith("INVALID_ARGUMENT: "), HasSubstr("leaf ''"),
                      HasSubstr("host 0 (host0)")));
  }
  for (int rank : {1, 2}) {
    ASSERT_THAT(lines[rank], SizeIs(3));
    EXPECT_THAT(lines[rank][2],
                AllOf(HasSubstr("host 0 (host0)"),
                      HasSubstr("not among the hosts of the call")));
  }
}

TEST(HostExchangeTest, AFileThatOneHostLacksIsNamedOnAll) {
  const auto lines = RunScenario("file_of_one_host", {1, 1});
  ASSERT_THAT(lines[0], SizeIs(3));
  ASSERT_THAT(lines[1], SizeIs(2));
  EXPECT_EQ(lines[0][0], "OK");
  EXPECT_THAT(lines[0][1],
              AllOf(StartsWith("ABORTED: "), HasSubstr("host 1 (host1)"),
                    HasSubstr("file_of_host_1")));
  EXPECT_THAT(lines[1][0],
              AllOf(StartsWith("NOT_FOUND: "), HasSubstr("file_of_host_1")));
  EXPECT_EQ(lines[0][2], "[[0] [1]]");
  EXPECT_EQ(lines[1][1], "[[0] [1]]");
}

TEST(HostExchangeTest, OneHostGetsTheValuesOfAll_M13) {
  const auto lines = RunScenario("to_one_host", {1, 2, 1});
  ASSERT_THAT(lines, Each(SizeIs(7)));
  const auto at = [&](int line) {
    return Lines{lines[0][line], lines[1][line], lines[2][line]};
  };
  EXPECT_THAT(at(0), ElementsAre("none", "none", "[[ 0  1] [10 11] [20 21]]"));
  EXPECT_THAT(at(1), ElementsAre("[0 1 2]", "none", "none"));
  EXPECT_THAT(at(2), ElementsAre("none", "[[ 0  1] [10 11] [20 21]]", "none"));
  EXPECT_THAT(at(3), Each(AllOf(StartsWith("INVALID_ARGUMENT: "),
                                HasSubstr("host 1 (host1)"))));
  EXPECT_THAT(at(4), Each(AllOf(StartsWith("INVALID_ARGUMENT: "),
                                HasSubstr("(1,)"), HasSubstr("(2,)"))));
  EXPECT_THAT(at(5), Each(AllOf(HasSubstr("host 7 is not among the hosts"),
                                HasSubstr("host 2 (host2)"))));
  EXPECT_THAT(at(6), ElementsAre("[[0] [1] [2]]", "none", "none"));
}

TEST(HostExchangeTest, OneHostHasAnEntryForEach_M13) {
  const auto lines = RunScenario("from_one_host", {1, 2, 1});
  ASSERT_THAT(lines, Each(SizeIs(9)));
  const auto at = [&](int line) {
    return Lines{lines[0][line], lines[1][line], lines[2][line]};
  };
  EXPECT_THAT(at(0), ElementsAre("[1 2]", "[3 4]", "[5 6]"));
  EXPECT_THAT(at(1), ElementsAre("0.5", "1.5", "-0.0"));
  EXPECT_THAT(at(2), ElementsAre(StartsWith("[[    0     1]"),
                                 StartsWith("[[     7      8]"),
                                 StartsWith("[[     9     10]")));
  const std::pair<int, std::string> wrong[] = {
      {3, "an entry for each of the 3 hosts, found are 2"},
      {4, "entry 2 has leaf '' as int32 (2,), not int32 (1,)"},
      {5, "entry 2 has leaf '' as float32 (1,), not int32 (1,)"}};
  for (const auto& [line, text] : wrong) {
    EXPECT_THAT(lines[1][line],
                AllOf(StartsWith("INVALID_ARGUMENT: scatter_from_host: "),
                      HasSubstr(text)));
    for (int rank : {0, 2}) {
      EXPECT_THAT(lines[rank][line],
                  AllOf(StartsWith("ABORTED: "), HasSubstr("host 1 (host1)"),
                        HasSubstr(text)));
    }
  }
  EXPECT_THAT(at(6), Each(AllOf(StartsWith("INVALID_ARGUMENT: "),
                                HasSubstr("host 0 (host0)"),
                                HasSubstr("host 1 (host1)"))));
  EXPECT_THAT(at(7), ElementsAre("for 0 [0 0]", "for 1 [1 1]", "for 2 [2 2]"));
  EXPECT_THAT(at(8), ElementsAre("[8]", "[9]", "[10]"));
}

TEST(HostExchangeTest, StringsOfAnyLengthAreTold_M13) {
  const auto lines = RunScenario("strings", {1, 1, 1});
  for (const Lines& host : lines) {
    ASSERT_THAT(host, SizeIs(4)) << "an empty line is not kept";
    EXPECT_EQ(host[0], "aa");
    EXPECT_EQ(host[1], std::string(10000, 'b'));
    EXPECT_THAT(host[2], AllOf(StartsWith("INVALID_ARGUMENT: "),
                               HasSubstr("host 1 (host1), host 2 (host2)"),
                               Not(HasSubstr("host 0"))));
    EXPECT_THAT(host[3],
                AllOf(StartsWith("INVALID_ARGUMENT: "), HasSubstr("text"),
                      HasSubstr("uint8 (0,)"), HasSubstr("uint8 (1,)")));
  }
}

TEST(HostExchangeTest, HostThatDoesNotComeInTimeIsNamed_M13) {
  std::string folder = ::testing::TempDir() + "/exchange.XXXXXX";
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  const std::string release = folder + "/release";
  const Lines calls = {"process_allgather_ragged", "gather_to_host",
                       "process_allgather"};
  for (size_t i = 0; i < calls.size(); ++i) {
    ASSERT_EQ(mkfifo(absl::StrCat(release, i).c_str(), 0600), 0);
  }
  HostCoordinator coordinator(3);
  std::vector<ChildProcess> hosts;
  for (size_t rank : {0, 1, 2}) {
    hosts.push_back(StartHost(kProgram, "late_host", coordinator.address(),
                              rank, 1, {{"LOCKSTEP_TEST_RELEASE", release}}));
  }
  const auto next_lines = [&](const std::vector<int>& ranks) {
    Lines lines;
    for (int rank : ranks) lines.push_back(ReadLine(hosts[rank].stdout_fd()));
    return lines;
  };
  EXPECT_THAT(next_lines({0, 1, 2}), Each("[] | [0] | [0 1]"));
  for (size_t i = 0; i < calls.size(); ++i) {
    const auto late =
        AllOf(StartsWith(absl::StrCat("DEADLINE_EXCEEDED: ", calls[i], ": ")),
              HasSubstr("2 of 3 hosts arrived"),
              HasSubstr("missing: host 1 (host1)"));
    EXPECT_THAT(next_lines({0, 2}), Each(late));
    // It opens once host 1 waits there.
    const int fd = open(absl::StrCat(release, i).c_str(), O_WRONLY | O_CLOEXEC);
    ASSERT_GE(fd, 0);
    EXPECT_THAT(next_lines({1}), Each(late));
    close(fd);
  }
  EXPECT_THAT(next_lines({0, 1, 2}), Each("[0] | [1] | [2]"));
  for (ChildProcess& host : hosts) {
    const CommandResult result = Finish(host);
    EXPECT_TRUE(result.exit.is_success()) << result.out;
  }
  std::filesystem::remove_all(folder);
}

TEST(HostExchangeTest, HostThatIsLostIsNamedAndOthersGoOn_M13) {
  HostCoordinator coordinator(3);
  std::vector<ChildProcess> hosts;
  for (size_t rank : {0, 1, 2}) {
    hosts.push_back(
        StartHost(kProgram, "lost_host", coordinator.address(), rank, 1));
  }
  EXPECT_EQ(Finish(hosts[1]).out, "[] | [0] | [0 1]\n");
  for (size_t rank : {0, 2}) {
    const CommandResult result = Finish(hosts[rank]);
    EXPECT_TRUE(result.exit.is_success()) << result.exit.ToString();
    const Lines lines = absl::StrSplit(result.out, '\n', absl::SkipEmpty());
    ASSERT_THAT(lines, SizeIs(6)) << result.out;
    EXPECT_EQ(lines[0], "[] | [0] | [0 1]");
    for (int i : {1, 2}) {
      EXPECT_THAT(lines[i],
                  AllOf(StartsWith("ABORTED: "), HasSubstr("host 1 (host1)")));
    }
    EXPECT_EQ(lines[3], "[] | [0 1]");
    EXPECT_EQ(lines[4], rank == 2 ? "[[0] [2]]" : "none");
    EXPECT_EQ(lines[5], rank == 2 ? "[2]" : "[1]");
  }
}

}  // namespace
}  // namespace lockstep::internal
