// Real processes over UCX: they are killed and stopped in the middle of a
// collective, and the others go on.
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

extern char** environ;

namespace lockstep::internal {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr absl::Duration kPatience = absl::Seconds(30);

// A child process that runs ucx_process_host. Killed at the end.
class ProcessUnderTest {
 public:
  explicit ProcessUnderTest(int id) {
    int sockets[2];
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets), 0);
    socket_ = sockets[0];
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, sockets[1], 3);
    std::string path =
        absl::StrCat(std::getenv("TEST_SRCDIR"), "/lockstep/",
                     "tests/conformance/communicator/ucx_process_host");
    std::string argument = absl::StrCat(id);
    char* argv[] = {path.data(), argument.data(), nullptr};
    EXPECT_EQ(
        posix_spawn(&pid_, path.c_str(), &actions, nullptr, argv, environ), 0)
        << path;
    posix_spawn_file_actions_destroy(&actions);
    close(sockets[1]);
  }
  ~ProcessUnderTest() {
    Signal(SIGKILL);
    Wait();
    close(socket_);
  }

  void Say(const std::string& line) {
    std::string bytes = line + "\n";
    EXPECT_EQ(send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(bytes.size()));
  }

  // The next line, or "" when none comes.
  std::string Hear() {
    const absl::Time limit = absl::Now() + kPatience;
    while (!absl::StrContains(heard_, '\n')) {
      pollfd descriptor = {socket_, POLLIN, 0};
      int64_t left = absl::ToInt64Milliseconds(limit - absl::Now());
      if (left <= 0 || poll(&descriptor, 1, static_cast<int>(left)) <= 0) {
        return "";
      }
      char buffer[4096];
      ssize_t size = read(socket_, buffer, sizeof(buffer));
      if (size <= 0) return "";
      heard_.append(buffer, size);
    }
    size_t end = heard_.find('\n');
    std::string line = heard_.substr(0, end);
    heard_.erase(0, end + 1);
    return line;
  }
  std::string HearOtherThan(const std::string& skipped) {
    std::string line;
    do {
      line = Hear();
    } while (line == skipped);
    return line;
  }

  void Signal(int signal_number) {
    if (pid_ > 0) kill(pid_, signal_number);
  }
  int Wait() {
    int status = 0;
    if (pid_ > 0) waitpid(pid_, &status, 0);
    pid_ = 0;
    return status;
  }

 private:
  pid_t pid_ = 0;
  int socket_ = -1;
  std::string heard_;
};

class UcxProcesses : public testing::TestWithParam<int64_t> {
 protected:
  void SetUp() override {
    std::vector<std::string> addresses;
    for (auto& host : hosts_) {
      std::string line = host.Hear();
      ASSERT_THAT(line, StartsWith("address "));
      addresses.push_back(line.substr(8));
    }
    for (auto& host : hosts_) {
      host.Say(absl::StrCat("peers ", absl::StrJoin(addresses, " ")));
    }
    for (auto& host : hosts_) ASSERT_EQ(host.Hear(), "ready");
  }

  void Start(const std::vector<int>& ids, const std::string& what) {
    for (int id : ids) {
      hosts_[id].Say(
          absl::StrCat(what, " ", GetParam(), " ", absl::StrJoin(ids, ",")));
    }
  }
  void ExpectExit(int id) {
    hosts_[id].Say("exit");
    int status = hosts_[id].Wait();
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  }

  ProcessUnderTest hosts_[3] = {ProcessUnderTest(0), ProcessUnderTest(1),
                                ProcessUnderTest(2)};
};

// Eager and rendezvous messages, direct and by ranges.
INSTANTIATE_TEST_SUITE_P(Bytes, UcxProcesses,
                         testing::Values(4, 40000, 8 << 20));

TEST_P(UcxProcesses, ReduceTogetherAndExit) {
  Start({0, 1, 2}, "once");
  for (auto& host : hosts_) EXPECT_EQ(host.Hear(), "ok");
  for (int id : {0, 1, 2}) ExpectExit(id);
}

TEST_P(UcxProcesses, KilledInACollective_OthersNameItAndGoOn) {
  Start({0, 1, 2}, "loop");
  for (int round = 0; round < 5; ++round) ASSERT_EQ(hosts_[1].Hear(), "round");
  hosts_[1].Signal(SIGKILL);
  for (int id : {0, 2}) {
    std::string line = hosts_[id].HearOtherThan("round");
    EXPECT_THAT(line, StartsWith("failed UNAVAILABLE"));
    EXPECT_THAT(line, HasSubstr("host 1 (process1)"));
  }
  Start({0, 2}, "once");
  for (int id : {0, 2}) EXPECT_EQ(hosts_[id].Hear(), "ok");
  for (int id : {0, 2}) ExpectExit(id);
}

TEST_P(UcxProcesses, StoppedInACollective_OthersCanBeCancelledAndGoOn) {
  Start({0, 1, 2}, "loop");
  for (int round = 0; round < 5; ++round) ASSERT_EQ(hosts_[1].Hear(), "round");
  hosts_[1].Signal(SIGSTOP);
  for (int id : {0, 2}) hosts_[id].Say("cancel host-1-is-silent");
  for (int id : {0, 2}) {
    EXPECT_THAT(hosts_[id].HearOtherThan("round"),
                HasSubstr("host-1-is-silent"));
  }
  Start({0, 2}, "once");
  for (int id : {0, 2}) EXPECT_EQ(hosts_[id].Hear(), "ok");
  for (int id : {0, 2}) ExpectExit(id);
}

}  // namespace
}  // namespace lockstep::internal
