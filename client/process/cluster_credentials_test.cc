#include "client/process/cluster_credentials.h"

#include <stdlib.h>

#include <filesystem>

#include "absl/time/clock.h"
#include "client/process/run_directory.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "proto/security/security_directory.h"

namespace lockstep::internal {
namespace {

constexpr char kLoopback[] = "127.0.0.1:4711";
constexpr char kElsewhere[] = "192.0.2.1:4711";

class ClusterCredentialsTest : public ::testing::Test {
 protected:
  ClusterCredentialsTest() {
    std::string pattern = ::testing::TempDir() + "/find-XXXXXX";
    root_ = mkdtemp(pattern.data());
    setenv("XDG_RUNTIME_DIR", root_.c_str(), 1);
    std::filesystem::create_directory(RunDirectory());
    std::filesystem::permissions(RunDirectory(),
                                 std::filesystem::perms::owner_all);
  }
  ~ClusterCredentialsTest() override {
    for (const char* name : {"LOCKSTEP_SECURITY_DIR", "LOCKSTEP_JOIN_TOKEN",
                             "LOCKSTEP_INSECURE"}) {
      unsetenv(name);
    }
    std::filesystem::remove_all(root_);
  }
  // Its CA tells which folder was used.
  std::string Make(const std::string& directory) {
    EXPECT_TRUE(
        CreateSecurityDirectory(directory, absl::Now(), absl::Hours(1)).ok());
    return LoadCredentials({.directory = directory})->authority;
  }
  std::string Find(const SecurityOptions& options, const char* address) {
    const auto credentials = FindCredentials(options, address);
    EXPECT_TRUE(credentials.ok()) << credentials.status();
    return credentials.ok() ? credentials->authority : "";
  }
  std::string root_;
};

TEST_F(ClusterCredentialsTest, OptionThenThatOfUpThenVariable) {
  EXPECT_EQ(Find({}, kLoopback), "");
  const std::string of_variable = Make(root_ + "/variable");
  setenv("LOCKSTEP_SECURITY_DIR", (root_ + "/variable").c_str(), 1);
  EXPECT_EQ(Find({}, kLoopback), of_variable);
  const std::string of_up = Make(UpSecurityDirectory());
  EXPECT_EQ(Find({}, kLoopback), of_variable);  // no address is known
  ASSERT_TRUE(RecordSecurityAddress(kLoopback).ok());
  EXPECT_EQ(Find({}, kLoopback), of_up);
  EXPECT_EQ(Find({}, "127.0.0.1:4712"), of_variable);
  const std::string of_option = Make(root_ + "/option");
  EXPECT_EQ(Find({.directory = root_ + "/option"}, kLoopback), of_option);
}

TEST_F(ClusterCredentialsTest, FolderOfUpThatOthersMayEnterIsNotUsed) {
  Make(UpSecurityDirectory());
  ASSERT_TRUE(RecordSecurityAddress(kLoopback).ok());
  std::filesystem::permissions(RunDirectory(), std::filesystem::perms::all);
  EXPECT_EQ(Find({}, kLoopback), "");
}

TEST_F(ClusterCredentialsTest, JoinTokenComesFromTheVariableToo) {
  setenv("LOCKSTEP_JOIN_TOKEN", "from-the-variable", 1);
  EXPECT_EQ(FindCredentials({}, kLoopback)->token, "from-the-variable");
  EXPECT_EQ(FindCredentials({.join_token = "mine"}, kLoopback)->token, "mine");
}

TEST_F(ClusterCredentialsTest, PlainTextOffLoopbackHasToBeAskedFor) {
  EXPECT_EQ(FindCredentials({}, kElsewhere).status().code(),
            absl::StatusCode::kFailedPrecondition);
  // A token alone would travel in plain text.
  EXPECT_EQ(FindCredentials({.join_token = "t"}, kElsewhere).status().code(),
            absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(Find({.is_insecure = true}, kElsewhere), "");
  setenv("LOCKSTEP_INSECURE", "0", 1);
  EXPECT_FALSE(FindCredentials({}, kElsewhere).ok());
  setenv("LOCKSTEP_INSECURE", "1", 1);
  EXPECT_EQ(Find({}, kElsewhere), "");
  unsetenv("LOCKSTEP_INSECURE");
  const std::string made = Make(root_ + "/made");
  EXPECT_EQ(Find({.directory = root_ + "/made"}, kElsewhere), made);
}

}  // namespace
}  // namespace lockstep::internal
