// A cluster that strangers cannot enter: `lockstep up --secure`, and folders of
// `lockstep credentials`.
#include <stdlib.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "client/cli/cluster_state.h"
#include "client/process/run_directory.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/multihost/lockstep_command.h"
#include "tests/multihost/process_cluster.h"
#include "tests/multihost/programs.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
namespace fs = std::filesystem;

class SecureUpTest : public ::testing::Test {
 protected:
  SecureUpTest() {
    setenv("XDG_RUNTIME_DIR", scratch_.path().c_str(), 1);
    const CommandResult up = RunLockstep(
        {"up", "--secure", "--hosts", "2", "--devices-per-host", "2"});
    EXPECT_EQ(up.exit, ExitStatus()) << up.err;
    // A copy, as if for another user: not found by itself.
    folder_ = scratch_.path() + "/copy";
    fs::copy(UpSecurityDirectory(), folder_, fs::copy_options::recursive);
    std::ifstream(UpSecurityDirectory() + "/address") >> address_;
    program_ = scratch_.Write("sum.mlir", SumProgram(4));
    input_ = scratch_.WriteNpy("x.npy", Ramp(4));
  }
  ~SecureUpTest() override {
    setenv("XDG_RUNTIME_DIR", scratch_.path().c_str(), 1);
    RunLockstep({"down"});
    EXPECT_EQ(LeftProcesses(), std::vector<std::string>());
  }

  // From here on this user does not know of the cluster.
  void BecomeSomebodyElse() {
    fs::create_directory(scratch_.path() + "/elsewhere");
    setenv("XDG_RUNTIME_DIR", (scratch_.path() + "/elsewhere").c_str(), 1);
  }
  std::vector<std::string> Command(const std::string& name,
                                   const std::string& folder) {
    std::vector<std::string> arguments = {name, "--coordinator", address_};
    if (!folder.empty()) {
      arguments.insert(arguments.end(), {"--security-dir", folder});
    }
    return arguments;
  }
  CommandResult Run(const std::string& folder) {
    std::vector<std::string> arguments = Command("run", folder);
    arguments.insert(arguments.end(),
                     {program_, "--input", input_, "--output-dir",
                      scratch_.path() + "/out", "--print"});
    return RunLockstep(arguments);
  }
  CommandResult Join(const std::string& folder) {
    std::vector<std::string> arguments = Command("worker", folder);
    arguments.insert(arguments.end(), {"--name", "stranger"});
    return RunLockstep(arguments);
  }

  ScratchDirectory scratch_;
  std::string folder_, address_, program_, input_;
};

TEST_F(SecureUpTest, CommandsFindTheFolderByThemselves) {
  struct stat status = {};
  ASSERT_EQ(stat(UpSecurityDirectory().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0700u);

  EXPECT_EQ(RunLockstep({"status"}).exit, ExitStatus());
  EXPECT_EQ(RunLockstep(Command("status", "")).exit, ExitStatus());
  const CommandResult run = Run("");
  EXPECT_EQ(run.exit, ExitStatus()) << run.err;
  EXPECT_THAT(run.out, HasSubstr("[6. 6. 6. 6.]"));
  const CommandResult down = RunLockstep({"down"});
  EXPECT_EQ(down.exit, ExitStatus()) << down.err;
  EXPECT_THAT(down.out, HasSubstr("3 processes"));
  EXPECT_FALSE(fs::exists(UpSecurityDirectory()));
}

TEST_F(SecureUpTest, CredentialsThatAreGivenCountAlsoForTheOwnCluster) {
  const CommandResult down = RunLockstep(Command("down", folder_ + "/view"));
  EXPECT_EQ(down.exit.code, 1);
  EXPECT_THAT(down.err, HasSubstr("PERMISSION_DENIED"));
  EXPECT_EQ(RunLockstep({"status"}).exit, ExitStatus());
}

// M-17.
TEST_F(SecureUpTest, StrangersAreRefusedEverywhere) {
  BecomeSomebodyElse();
  // Plain text, a wrong authority, a wrong token.
  const std::string theirs = scratch_.path() + "/theirs";
  ASSERT_EQ(RunLockstep({"credentials", theirs}).exit, ExitStatus());
  const std::string wrong_token = scratch_.path() + "/wrong_token";
  fs::copy(folder_, wrong_token);
  for (const char* name : {"view", "submit", "admin"}) {
    fs::copy(absl::StrCat(theirs, "/", name, ".token"),
             absl::StrCat(wrong_token, "/", name, ".token"),
             fs::copy_options::overwrite_existing);
  }
  const std::string no_token = scratch_.path() + "/no_token";
  fs::copy(folder_, no_token);
  std::string guess;
  for (const char* name : {"view", "submit", "admin"}) {
    std::ifstream(absl::StrCat(wrong_token, "/", name, ".token")) >> guess;
    fs::remove(absl::StrCat(no_token, "/", name, ".token"));
  }
  for (const std::string& folder :
       {std::string(), theirs, wrong_token, no_token}) {
    std::vector<CommandResult> results = {
        RunLockstep(Command("status", folder)),
        RunLockstep(Command("down", folder)), Run(folder)};
    // A worker that can ask nobody for a token does not even start.
    if (folder != no_token) results.push_back(Join(folder));
    for (const CommandResult& result : results) {
      EXPECT_EQ(result.exit.code, 1) << folder;
      EXPECT_THAT(result.err, AllOf(HasSubstr("FAILED_PRECONDITION"),
                                    HasSubstr(address_), Not(HasSubstr(guess))))
          << folder;
    }
  }
  EXPECT_EQ(RunLockstep(Command("status", folder_)).exit, ExitStatus());
}

TEST_F(SecureUpTest, RolesDecide) {
  BecomeSomebodyElse();
  const std::string view = folder_ + "/view";
  const std::string submit = folder_ + "/submit";
  EXPECT_EQ(RunLockstep(Command("status", view)).exit, ExitStatus());
  EXPECT_EQ(RunLockstep(Command("status", submit)).exit, ExitStatus());
  const auto expect_denied = [](const CommandResult& result,
                                const std::string& role) {
    EXPECT_EQ(result.exit.code, 1);
    EXPECT_THAT(result.err, AllOf(HasSubstr("PERMISSION_DENIED"),
                                  HasSubstr("needs the role " + role)));
  };
  expect_denied(Run(view), "submit");
  expect_denied(Join(view), "admin");
  expect_denied(Join(submit), "admin");
  std::vector<std::string> remove = Command("arrays", view);
  remove.insert(remove.end(), {"weights", "--remove"});
  expect_denied(RunLockstep(remove), "submit");
  const CommandResult arrays = RunLockstep(Command("arrays", view));
  EXPECT_EQ(arrays.exit, ExitStatus()) << arrays.err;
  EXPECT_THAT(arrays.out, AllOf(HasSubstr("no arrays"), HasSubstr("2-3")));
  expect_denied(RunLockstep(Command("down", view)), "admin");
  expect_denied(RunLockstep(Command("down", submit)), "admin");
  const CommandResult run = Run(submit);
  EXPECT_EQ(run.exit, ExitStatus()) << run.err;
  EXPECT_THAT(run.out, HasSubstr("[6. 6. 6. 6.]"));
  const CommandResult down = RunLockstep(Command("down", folder_));
  EXPECT_EQ(down.exit, ExitStatus()) << down.err;
}

TEST(PlainText, OffLoopbackIsRefusedWithWhatToDo) {
  // Of TEST-NET-1: nothing is sent there.
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{
           {"coordinator", "--listen", "0.0.0.0:0"},
           {"coordinator", "--listen", "192.0.2.1:0"},
           {"worker", "--coordinator", "192.0.2.1:1"},
           {"worker", "--coordinator", "127.0.0.1:1", "--listen", "0.0.0.0:0"},
           {"status", "--coordinator", "192.0.2.1:1"},
           {"down", "--coordinator", "192.0.2.1:1"}}) {
    const CommandResult result = RunLockstep(arguments);
    EXPECT_EQ(result.exit.code, 1) << arguments[0];
    EXPECT_THAT(
        result.err,
        AllOf(HasSubstr("FAILED_PRECONDITION"), HasSubstr(arguments.back()),
              HasSubstr("--security-dir"), HasSubstr("--insecure")))
        << arguments[0];
  }
}

void ExpectStarts(const std::vector<std::string>& arguments) {
  ChildProcess process = StartLockstep(arguments[0], arguments);
  const auto ready = process.AwaitReady(absl::Now() + absl::Seconds(60));
  EXPECT_TRUE(ready.ok()) << ready.status();
  process.Terminate(absl::Seconds(10));
}

TEST(PlainText, OffLoopbackRunsWhenAskedFor) {
  ExpectStarts({"coordinator", "--listen", "0.0.0.0:0", "--insecure"});
  setenv("LOCKSTEP_INSECURE", "1", 1);
  ExpectStarts({"coordinator", "--listen", "0.0.0.0:0"});
  unsetenv("LOCKSTEP_INSECURE");
}

// M-15. A token alone, without certificates.
TEST(JoinToken, ComesFromTheEnvironment) {
  setenv("LOCKSTEP_JOIN_TOKEN", "a-shared-secret", 1);
  {
    ProcessCluster::Options options;
    options.workers = 0;
    ProcessCluster cluster(options);
    cluster.StartWorker(0);
    cluster.StartWorker(1);
    cluster.AwaitJoined();
    const std::vector<std::string> status = {"status", "--coordinator",
                                             cluster.address()};
    EXPECT_EQ(RunLockstep(status).exit, ExitStatus());
    setenv("LOCKSTEP_JOIN_TOKEN", "another-secret", 1);
    const CommandResult wrong = RunLockstep(status);
    EXPECT_THAT(wrong.err, AllOf(HasSubstr("FAILED_PRECONDITION"),
                                 Not(HasSubstr("another-secret"))));
    unsetenv("LOCKSTEP_JOIN_TOKEN");
    EXPECT_THAT(RunLockstep(status).err, HasSubstr("FAILED_PRECONDITION"));
    setenv("LOCKSTEP_JOIN_TOKEN", "a-shared-secret", 1);
  }
  unsetenv("LOCKSTEP_JOIN_TOKEN");
}

}  // namespace
}  // namespace lockstep::internal
