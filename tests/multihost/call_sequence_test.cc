// Hosts of the host view that do not make the same calls: every call has its
// place, so nothing is computed from calls that differ, nobody hangs, and the
// calls after it are right again. Spec M-14, M-19, M-20 and M-23.
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/time/clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/multihost/host_programs.h"
#include "tests/multihost/lockstep_command.h"
#include "tests/multihost/programs.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::StartsWith;

constexpr char kProgram[] = "tests/multihost/call_sequence_program";

std::vector<Lines> RunScenario(const std::string& scenario, int hosts = 2) {
  return RunHosts(kProgram, scenario, std::vector<int>(hosts, 2));
}

// What two devices of each of `hosts` hosts have after a sum of `step`.
std::string SumOf(int hosts, int step) {
  const std::string sum = std::to_string(2 * hosts * step);
  return "[" + sum + " " + sum + "]";
}

// Step 3 fails on every host with what `failed` says; the others are right.
void ExpectOnlyStepThreeFails(const std::vector<Lines>& outputs,
                              const ::testing::Matcher<std::string>& failed) {
  const int hosts = static_cast<int>(outputs.size());
  for (const Lines& output : outputs) {
    ASSERT_THAT(output, SizeIs(6));
    for (int step : {1, 2, 4, 5, 6}) {
      EXPECT_EQ(output[step - 1], SumOf(hosts, step));
    }
    EXPECT_THAT(output[2], failed);
  }
}

class CallSequenceTest : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Hosts, CallSequenceTest, ::testing::Values(2, 3));

TEST_P(CallSequenceTest, ARowTooFewAtALaterStep) {
  const auto outputs = RunScenario("row_too_few", GetParam());
  ExpectOnlyStepThreeFails(outputs,
                           AllOf(HasSubstr("INVALID_ARGUMENT"), HasSubstr("1"),
                                 HasSubstr("host 1 (host1)")));
  EXPECT_THAT(outputs[0][2],
              AllOf(StartsWith("ABORTED"), HasSubstr("call 3, train(0: "),
                    HasSubstr("call_sequence_program.cc:")));
}

TEST_P(CallSequenceTest, AnotherShapeAtALaterStep) {
  ExpectOnlyStepThreeFails(
      RunScenario("other_shape", GetParam()),
      AllOf(StartsWith("FAILED_PRECONDITION: hosts make different calls"),
            HasSubstr("call 3, train(0: tensor<i32>)"),
            HasSubstr("call 3, train(0: tensor<2xi32>)"),
            HasSubstr("host 1 (host1)"),
            HasSubstr("call_sequence_program.cc:")));
}

TEST_P(CallSequenceTest, AnotherFunctionAtALaterStep) {
  ExpectOnlyStepThreeFails(
      RunScenario("other_function", GetParam()),
      AllOf(StartsWith("FAILED_PRECONDITION: hosts make different calls"),
            HasSubstr("call 3, train(0: tensor<i32>)"),
            HasSubstr("call 3, evaluate(0: tensor<i32>)"),
            HasSubstr("host 1 (host1)")));
}

TEST_P(CallSequenceTest, AnotherCompiledFunctionAtALaterStep) {
  std::vector<Lines> outputs = RunScenario("other_function_known", GetParam());
  for (Lines& output : outputs) {
    ASSERT_THAT(output, SizeIs(7));
    EXPECT_EQ(output[0], "[0 0]");
    output.erase(output.begin());
  }
  ExpectOnlyStepThreeFails(
      outputs,
      AllOf(StartsWith("FAILED_PRECONDITION: hosts make different calls"),
            HasSubstr("call 4, train("), HasSubstr("call 4, evaluate(")));
}

TEST_P(CallSequenceTest, ACallThatCannotStartAtALaterStep) {
  ExpectOnlyStepThreeFails(
      RunScenario("wrong_number_of_axes", GetParam()),
      AllOf(HasSubstr("INVALID_ARGUMENT"), HasSubstr("in_axes has 2")));
}

TEST_P(CallSequenceTest, DevicesThatDoNotExistTakeTheCallsPlace) {
  ExpectOnlyStepThreeFails(
      RunScenario("unknown_device", GetParam()),
      AllOf(HasSubstr("the cluster has no device 77"), HasSubstr("train(")));
  ExpectOnlyStepThreeFails(
      RunScenario("empty_device_list", GetParam()),
      AllOf(HasSubstr("the list of devices is empty"), HasSubstr("train(")));
}

TEST_P(CallSequenceTest, DevicesOfOtherHostsTakeThePlaceOfTheFunction) {
  ExpectOnlyStepThreeFails(
      RunScenario("devices_of_others", GetParam()),
      HasSubstr("host 1 (host1) has no device among those of the call"));
}

TEST_P(CallSequenceTest, AnArgumentThatCannotBeComparedTakesTheCallsPlace) {
  ExpectOnlyStepThreeFails(RunScenario("donated_value", GetParam()),
                           AllOf(HasSubstr("donated"), HasSubstr("scaled(")));
}

TEST_P(CallSequenceTest, FirstCallsInOppositeOrdersFailAtOnce) {
  const absl::Time start = absl::Now();
  const auto outputs = RunScenario("opposite_orders", GetParam());
  EXPECT_LT(absl::Now() - start, absl::Seconds(30));
  for (const Lines& output : outputs) {
    ASSERT_THAT(output, SizeIs(5));
    for (int i = 0; i < 4; ++i) {
      EXPECT_THAT(output[i],
                  AllOf(HasSubstr("FAILED_PRECONDITION: hosts make different "
                                  "calls"),
                        HasSubstr("first("), HasSubstr("second(")));
    }
    EXPECT_EQ(output[4], SumOf(GetParam(), 2));
  }
}

TEST_P(CallSequenceTest, AnExceptionInATracedFunctionFailsTheCallEverywhere) {
  const auto outputs = RunScenario("throws", GetParam());
  for (const Lines& output : outputs) {
    ASSERT_THAT(output, SizeIs(2));
    EXPECT_EQ(output[1], SumOf(GetParam(), 2));
  }
  EXPECT_THAT(outputs[0][0],
              AllOf(StartsWith("ABORTED"), HasSubstr("host 1 (host1)"),
                    HasSubstr("careless(")));
}

// Hosts that wait for a file until the test has seen what it waits for.
class HeldHosts {
 public:
  explicit HeldHosts(const std::string& scenario) : coordinator_(2) {
    for (size_t rank : {0, 1}) {
      hosts_.push_back(StartHost(
          kProgram, scenario, coordinator_.address(), rank, 2,
          {{"LOCKSTEP_TEST_RELEASE", ReleasePath()}}, ErrorPath(rank)));
    }
  }
  std::string ErrorPath(size_t rank) const {
    return scratch_.path() + "/" + HostName(rank);
  }
  std::string Errors(size_t rank) const {
    std::ifstream file(ErrorPath(rank));
    return {std::istreambuf_iterator<char>(file), {}};
  }
  // Waits until the hosts of `ranks` have said `text` on standard error.
  void AwaitSaid(const std::string& text,
                 const std::vector<size_t>& ranks = {0, 1}) const {
    const absl::Time start = absl::Now();
    for (size_t rank : ranks) {
      while (!absl::StrContains(Errors(rank), text)) {
        if (absl::Now() - start > absl::Seconds(60)) {
          ADD_FAILURE() << HostName(rank) << " never said '" << text
                        << "': " << Errors(rank);
          return;
        }
        absl::SleepFor(absl::Milliseconds(20));
      }
    }
  }
  std::vector<CommandResult> Release() {
    scratch_.Write("release", "");
    std::vector<CommandResult> results;
    for (ChildProcess& host : hosts_) results.push_back(Finish(host));
    return results;
  }

 private:
  std::string ReleasePath() const { return scratch_.path() + "/release"; }

  ScratchDirectory scratch_;
  HostCoordinator coordinator_;
  std::vector<ChildProcess> hosts_;
};

TEST(CallSequence, DifferentCallsWithoutACollectiveAreNamedOnAllHosts) {
  HeldHosts hosts("no_collective");
  hosts.AwaitSaid("hosts make different calls");
  for (size_t rank : {0, 1}) {
    EXPECT_THAT(hosts.Errors(rank),
                AllOf(HasSubstr("host 0 (host0) makes call 3, double("),
                      HasSubstr("host 1 (host1) makes call 3, negate(")));
  }
  for (const CommandResult& result : hosts.Release()) {
    EXPECT_TRUE(result.exit.is_success()) << result.exit.ToString();
    EXPECT_THAT(result.out, HasSubstr("OK"));
  }
}

TEST(CallSequence, FunctionsOfOneLineAreToldApartByTheirPrograms) {
  HeldHosts hosts("one_line");
  hosts.AwaitSaid("hosts make different calls");
  for (size_t rank : {0, 1}) {
    EXPECT_THAT(hosts.Errors(rank),
                AllOf(HasSubstr("host 0 (host0) makes call 3, f("),
                      HasSubstr("host 1 (host1) makes call 3, f("),
                      HasSubstr(", program ")));
  }
  hosts.Release();
}

TEST(CallSequence, ACallOnTheHostsOwnDevicesHasTheFunctionsPlace) {
  HeldHosts hosts("own_devices");
  const std::vector<CommandResult> results = hosts.Release();
  for (size_t rank : {0, 1}) {
    const std::vector<std::string> lines =
        absl::StrSplit(results[rank].out, '\n', absl::SkipEmpty());
    ASSERT_THAT(lines, SizeIs(6));
    for (int step : {1, 2, 4, 5, 6}) EXPECT_EQ(lines[step - 1], SumOf(2, step));
    EXPECT_THAT(
        lines[2] + hosts.Errors(rank),
        AllOf(HasSubstr("hosts make different calls"), HasSubstr("call 3")));
  }
}

TEST(CallSequence, ACallWithoutTheCollectiveOfTheOthersFailsThatCallOnly) {
  const auto outputs = RunScenario("another_without_a_collective");
  for (const Lines& output : outputs) {
    ASSERT_THAT(output, SizeIs(7));
    for (int step : {1, 2, 4, 5, 6}) {
      EXPECT_EQ(output[step], SumOf(2, step));
    }
  }
  EXPECT_THAT(outputs[0][3], AllOf(HasSubstr("hosts make different calls"),
                                   HasSubstr("double")));
}

// Host 0, which is past the call, hears of it; host 1 gets it as its result.
TEST(CallSequence, ConstantResultsAreCompared) {
  HeldHosts hosts("constants");
  hosts.AwaitSaid("hosts make different calls", {0});
  const auto told =
      AllOf(HasSubstr("host 1 (host1) is in the agreement"),
            HasSubstr("call 2, constant("),
            HasSubstr("host 0 (host0) has made call 2, constant("));
  EXPECT_THAT(hosts.Errors(0), told);
  EXPECT_THAT(hosts.Release()[1].out, told);
}

TEST_P(CallSequenceTest, AFunctionMayBeMadeAnewOnOneHost) {
  for (const Lines& output : RunScenario("made_anew_on_one_host", GetParam())) {
    ASSERT_THAT(output, SizeIs(6));
    for (int step = 1; step <= 6; ++step) {
      EXPECT_EQ(output[step - 1], SumOf(GetParam(), step));
    }
  }
}

TEST_P(CallSequenceTest, FunctionsMayBeMadeAnewAtDifferentCalls) {
  for (const Lines& output : RunScenario("made_anew_in_turns", GetParam())) {
    ASSERT_THAT(output, SizeIs(8));
    for (int step = 1; step <= 8; ++step) {
      EXPECT_EQ(output[step - 1], SumOf(GetParam(), step * (step % 3)));
    }
  }
}

TEST_P(CallSequenceTest, AFunctionMadeAnewWithAnotherValueIsTold) {
  const auto outputs = RunScenario("made_anew_with_another_value", GetParam());
  for (const Lines& output : outputs) {
    ASSERT_THAT(output, SizeIs(6));
    EXPECT_EQ(output[1], SumOf(GetParam(), 4));
    EXPECT_THAT(
        output[2],
        AllOf(HasSubstr("different collectives"), HasSubstr("launch 3 (train)"),
              HasSubstr(" of program "), HasSubstr("host 1 (host1)"),
              // Whose message came first.
              AnyOf(HasSubstr("host 0 (host0)"), HasSubstr("host 2 (host2)")),
              HasSubstr("call_sequence_program.cc:")));
    for (int step : {1, 4, 5, 6}) {
      EXPECT_EQ(output[step - 1], SumOf(GetParam(), step));
    }
  }
}

TEST_P(CallSequenceTest, ConstantsMayBeMadeAnewOnOneHost) {
  for (const Lines& output :
       RunScenario("constants_made_anew_on_one_host", GetParam())) {
    EXPECT_THAT(output, ElementsAre("[6. 6.]", "[6. 6.]", "[6. 6.]"));
  }
}

TEST(CallSequence, AnErrorInANestedMapIsTold) {
  for (const Lines& output : RunScenario("nested_map_that_throws")) {
    EXPECT_THAT(output, ElementsAre(HasSubstr("no such file")));
  }
}

TEST(CallSequence, DifferentCallsAreNamedAlsoAtTheEnd) {
  HeldHosts hosts("different_last_calls");
  hosts.Release();
  for (size_t rank : {0, 1}) {
    EXPECT_THAT(hosts.Errors(rank),
                AllOf(HasSubstr("host 0 (host0) makes call 3, double("),
                      HasSubstr("host 1 (host1) makes call 3, negate(")));
  }
}

TEST(CallSequence, ACallThatAHostHasNotMadeIsNamedAtTheEnd) {
  HeldHosts hosts("a_call_too_few");
  hosts.Release();
  for (size_t rank : {0, 1}) {
    EXPECT_THAT(hosts.Errors(rank),
                AllOf(HasSubstr("host 0 (host0) makes call 4, double("),
                      HasSubstr("host 1 (host1) has left without it")));
  }
}

TEST(CallSequence, AHostThatIsLateIsNamedAndEndedByTheLimitOfTheCall) {
  HeldHosts hosts("late_limit");
  hosts.AwaitSaid("host 1 (host1) has not entered");
  // The call's own limit of 5 s, where the coordinator's is 600 s.
  hosts.AwaitSaid("host 0 is done", {0});
  const std::vector<CommandResult> results = hosts.Release();
  EXPECT_THAT(results[0].out,
              AllOf(HasSubstr("DEADLINE_EXCEEDED"),
                    HasSubstr("host 1 (host1) has not entered")));
  EXPECT_TRUE(results[1].exit.is_success()) << results[1].out;
}

TEST(CallSequence, ASyncAgainstACallFailsOnAll) {
  const auto outputs = RunScenario("sync_against_call");
  for (const Lines& output : outputs) {
    ASSERT_THAT(output, SizeIs(3));
    EXPECT_EQ(output[0], SumOf(2, 1));
    EXPECT_THAT(output[1],
                AllOf(StartsWith("FAILED_PRECONDITION"), HasSubstr("train("),
                      HasSubstr("SyncHosts 'checkpoint'")));
    EXPECT_EQ(output[2], SumOf(2, 3));
  }
}

TEST(CallSequence, ASyncThatIsTooLateHasItsPlace) {
  const auto outputs = RunScenario("sync_deadline");
  for (const Lines& output : outputs) {
    ASSERT_THAT(output, SizeIs(5));
    EXPECT_THAT(output[1], HasSubstr("DEADLINE_EXCEEDED"));
    for (int step : {2, 3, 4}) {
      EXPECT_EQ(output[step], SumOf(2, step));
    }
  }
  EXPECT_THAT(outputs[0][1],
              AllOf(StartsWith("ABORTED"), HasSubstr("host 1 (host1)"),
                    HasSubstr("SyncHosts 'a'")));
}

TEST(CallSequence, ThreadsAtATimeAreToldAndMayBeginAnew) {
  const auto refused = AllOf(HasSubstr("both call functions together"),
                             HasSubstr("PmapOptions::sequence"));
  for (const Lines& output : RunScenario("threads_at_a_time")) {
    EXPECT_THAT(output, ElementsAre(SumOf(2, 1), SumOf(2, 2), SumOf(2, 2),
                                    refused, refused, "OK", SumOf(2, 2)));
  }
}

// Who waits for whom is known at once; that nobody will come is told within
// five seconds.
void ExpectCircle(const std::string& scenario, int hosts, size_t lines,
                  const std::vector<size_t>& failed) {
  const absl::Time start = absl::Now();
  const auto outputs = RunScenario(scenario, hosts);
  EXPECT_LT(absl::Now() - start, absl::Seconds(30));
  for (const Lines& output : outputs) {
    const std::string text = absl::StrJoin(output, "\n");
    EXPECT_THAT(text, HasSubstr("wait for each other in a circle"));
  }
  for (size_t host = 0; host < 2; ++host) {
    ASSERT_THAT(outputs[host], SizeIs(lines));
    for (size_t line : failed) {
      const auto told = AllOf(StartsWith("FAILED_PRECONDITION"),
                              HasSubstr("host 0 (host0) waits in"),
                              HasSubstr("host 1 (host1) waits in"));
      // Host 1, whose first wait ended, may come to the other one before it
      // hears that it ended too. All have sent what it takes, so it is right.
      if (host == 1 && line == failed.back()) {
        EXPECT_THAT(outputs[host][line], AnyOf(told, SumOf(hosts, 2)));
      } else {
        EXPECT_THAT(outputs[host][line], told);
      }
    }
    EXPECT_EQ(outputs[host].back(), SumOf(hosts, 3));
  }
}

TEST(CallSequence, FirstCallsOfDifferentHostsInACircleFail) {
  ExpectCircle("circle_of_first_calls", 3, 3, {0, 1});
}

TEST(CallSequence, ALaunchAndAFirstCallInACircleFail) {
  ExpectCircle("circle_of_a_call_and_a_launch", 3, 4, {1, 2});
}

TEST(CallSequence, HostsInDifferentSequencesWaitForEachOther) {
  for (const Lines& output : RunScenario("other_sequence")) {
    EXPECT_THAT(output[2], HasSubstr("wait for each other in a circle"));
  }
}

TEST(CallSequence, ThreadsThatTakeTurnsMayCall) {
  for (const Lines& output : RunScenario("two_threads")) {
    EXPECT_THAT(output, ElementsAre(SumOf(2, 1), SumOf(2, 2), SumOf(2, 3)));
  }
}

TEST(CallSequence, ThreadsWithSequencesOfTheirOwnCallAtATime) {
  for (const Lines& output : RunScenario("threads_with_sequences")) {
    EXPECT_THAT(output, ElementsAre("[400]", "[400]"));
  }
}

TEST(CallSequence, ASkippedStepIsToldByItsNumber) {
  const auto outputs = RunScenario("skipped_step");
  ASSERT_THAT(outputs[0], SizeIs(6));
  ASSERT_THAT(outputs[1], SizeIs(5));
  for (const Lines& output : outputs) {
    EXPECT_EQ(output[0], SumOf(2, 1));
    EXPECT_EQ(output[1], SumOf(2, 2));
    for (int call : {3, 4, 5}) {
      EXPECT_THAT(
          output[call - 1],
          AllOf(HasSubstr("hosts make different calls"),
                HasSubstr("call " + std::to_string(call)),
                HasSubstr("host 0 (host0)"), HasSubstr("host 1 (host1)")));
    }
  }
  // Of the call that host 1 does not come to.
  EXPECT_THAT(outputs[0][5], HasSubstr("host 1 (host1)"));
}

TEST(CallSequence, ReplicatedValuesAreComparedOnDemand) {
  for (const Lines& output : RunScenario("replicated_values")) {
    ASSERT_THAT(output, SizeIs(3));
    EXPECT_EQ(output[0], SumOf(2, 5));
    EXPECT_THAT(output[1], AllOf(HasSubstr("hosts make different calls"),
                                 HasSubstr("with values 1 = #")));
    EXPECT_EQ(output[2], SumOf(2, 15));
  }
}

}  // namespace
}  // namespace lockstep::internal
