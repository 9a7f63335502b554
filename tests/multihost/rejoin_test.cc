// Spec M-26. Daemons that come back in another life: programs, clients and
// agreements of before end with that cause, and everything works again.
#include <signal.h>

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "client/lockstep.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/types/npy.h"
#include "tests/multihost/lockstep_command.h"
#include "tests/multihost/process_cluster.h"
#include "tests/multihost/programs.h"

namespace lockstep::internal {
namespace {

using ::testing::HasSubstr;

std::string Text(const absl::StatusOr<Array>& array) {
  if (!array.ok()) return std::string(array.status().message());
  const auto text = array->ToString();
  return text.ok() ? *text : std::string(text.status().message());
}

int AllDevices() { return 3 * DevicesPerHost(); }

std::vector<float> Ones() {
  return std::vector<float>(static_cast<size_t>(AllDevices()), 1.0f);
}

// "[6. 6. 6. 6. 6. 6.]": their sum on each device.
std::string SumOfOnes() {
  std::vector<std::string> numbers(static_cast<size_t>(AllDevices()),
                                   absl::StrCat(AllDevices(), "."));
  return absl::StrCat("[", absl::StrJoin(numbers, " "), "]");
}

ProcessCluster::Options ThreeHosts() {
  ProcessCluster::Options options;
  options.hosts = 3;
  return options;
}

class RejoinTest : public ::testing::Test {
 protected:
  RejoinTest() : cluster_(ThreeHosts()) {
    auto client = Client::Connect(cluster_.address());
    EXPECT_TRUE(client.ok()) << client.status();
    client_.emplace(*std::move(client));
  }

  void AwaitState(const std::string& state) {
    cluster_.AwaitStatus("host 1 " + state, [&](const StatusReport& report) {
      return report.hosts.size() == 3 && report.hosts[1].state == state;
    });
  }
  // Stopped, declared dead, and started again under its name.
  void ReplaceStoppedWorker() {
    cluster_.worker(1).Signal(SIGSTOP);
    AwaitState("silent");
    cluster_.worker(1).Signal(SIGKILL);
    cluster_.StartWorker(1);
    cluster_.AwaitJoined(1);
    AwaitState("alive");
    AwaitClientHasHeard();
  }
  // The coordinator knew first.
  void AwaitClientHasHeard() {
    const absl::Time deadline = absl::Now() + absl::Seconds(30);
    absl::Status heard;
    do {
      const auto program = client_->LoadProgram(SumProgram(AllDevices()));
      heard = program.ok() ? client_->Run(*program, {Array(Ones())}).status()
                           : program.status();
    } while (!heard.ok() && absl::Now() < deadline);
    EXPECT_TRUE(heard.ok()) << heard;
  }
  CommandResult RunSum() {
    return RunLockstep(
        {"run", scratch_.Write("sum.mlir", SumProgram(AllDevices())), "--input",
         scratch_.WriteNpy("x.npy", Ramp(AllDevices())), "--output-dir",
         scratch_.path() + "/out", "--coordinator", cluster_.address()});
  }
  void ExpectSumWorks() {
    const CommandResult result = RunSum();
    ASSERT_EQ(result.exit, ExitStatus()) << result.err;
    auto sum = ReadNpyFile(scratch_.path() + "/out/0.npy");
    ASSERT_TRUE(sum.ok()) << sum.status();
    EXPECT_EQ(sum->data<float>()[0], AllDevices() * (AllDevices() - 1) / 2.0f);
  }

  ScratchDirectory scratch_;
  ProcessCluster cluster_;
  std::optional<Client> client_;
};

TEST_F(RejoinTest, AClientOfBeforeGoesOn) {
  auto sum =
      client_->pmap([](Tensor x) { return psum(x, "i"); }, {.axis_name = "i"});
  EXPECT_EQ(Text(sum(Ones())), SumOfOnes());
  for (int round = 0; round < 2; ++round) {
    ReplaceStoppedWorker();
    EXPECT_EQ(Text(sum(Ones())), SumOfOnes());
    ExpectSumWorks();
  }
}

TEST_F(RejoinTest, ProgramsOfBeforeSayThatTheyMustBeLoadedAgain) {
  const auto program = client_->LoadProgram(SumProgram(AllDevices()));
  ASSERT_TRUE(program.ok()) << program.status();
  auto before = client_->Run(*program, {Array(Ones())});
  ASSERT_TRUE(before.ok()) << before.status();
  EXPECT_EQ(Text((*before)[0]), SumOfOnes());
  ReplaceStoppedWorker();
  auto after = client_->Run(*program, {Array(Ones())});
  ASSERT_TRUE(after.ok()) << after.status();
  EXPECT_THAT(Text((*after)[0]), HasSubstr("load it again"));
  const auto again = client_->LoadProgram(SumProgram(AllDevices()));
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(Text((*client_->Run(*again, {Array(Ones())}))[0]), SumOfOnes());
}

TEST_F(RejoinTest, ProgramsThatCameWhileTheHostWasGoneDoNotStandInTheWay) {
  cluster_.worker(1).Signal(SIGSTOP);
  // Some of these meet a host that is only silent, some a dead one.
  for (int i = 0; i < 3; ++i) EXPECT_NE(RunSum().exit, ExitStatus());
  AwaitState("silent");
  EXPECT_NE(RunSum().exit, ExitStatus());
  cluster_.worker(1).Signal(SIGKILL);
  cluster_.StartWorker(1);
  cluster_.AwaitJoined(1);
  AwaitState("alive");
  for (int i = 0; i < 3; ++i) ExpectSumWorks();
}

}  // namespace
}  // namespace lockstep::internal
