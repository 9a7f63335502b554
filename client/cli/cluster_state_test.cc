#include "client/cli/cluster_state.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class ClusterStateTest : public ::testing::Test {
 protected:
  ClusterStateTest() {
    std::string pattern = testing::TempDir() + "/stateXXXXXX";
    root_ = mkdtemp(pattern.data());
    setenv("XDG_RUNTIME_DIR", root_.c_str(), 1);
  }
  ~ClusterStateTest() override { fs::remove_all(root_); }

  std::string root_;
};

TEST_F(ClusterStateTest, ReadsBackWhatWasWritten) {
  auto directory = StateDirectory::Open();
  ASSERT_TRUE(directory.ok()) << directory.status();
  EXPECT_EQ(directory->path(), root_ + "/lockstep");
  EXPECT_FALSE((*directory->Read()).has_value());

  ClusterState state{.address = "127.0.0.1:47",
                     .hosts = 2,
                     .devices_per_host = 4,
                     .processes = {{"coordinator", *ProcessRef::Find(getpid())},
                                   {"worker-0", ProcessRef{1, 2}}}};
  ASSERT_TRUE(directory->Write(state).ok());
  ClusterState back = (*directory->Read()).value();
  EXPECT_EQ(back.address, state.address);
  EXPECT_EQ(back.hosts, 2);
  EXPECT_EQ(back.devices_per_host, 4);
  EXPECT_TRUE(back.is_coordinator_alive());
  ASSERT_EQ(back.Alive().size(), 1u);
  EXPECT_EQ(back.Alive()[0].name, "coordinator");

  directory->Remove();
  EXPECT_FALSE((*directory->Read()).has_value());
}

TEST_F(ClusterStateTest, DamagedFileIsNamed) {
  auto directory = StateDirectory::Open();
  ASSERT_TRUE(directory.ok());
  std::ofstream(root_ + "/lockstep/cluster.json") << "{\"address\": 1";
  absl::Status status = directory->Read().status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("cluster.json: "));
}

TEST_F(ClusterStateTest, FolderOpenToOthersIsRefused) {
  fs::create_directory(root_ + "/lockstep");
  chmod((root_ + "/lockstep").c_str(), 0755);
  absl::Status status = StateDirectory::Open().status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(status.message(), HasSubstr("mode 0755"));
}

}  // namespace
}  // namespace lockstep::internal
