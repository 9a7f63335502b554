#include "runtime/worker/local_control_plane.h"

#include <cstdint>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

WorkerInfo FourDevices() {
  WorkerInfo info;
  info.name = "laptop";
  info.incarnation = Incarnation(7);
  info.platform = "cpu";
  info.devices.resize(4);
  return info;
}

TEST(LocalControlPlane, Join_GivesHost0AndItsDevices) {
  LocalControlPlane plane;
  const auto membership = plane.Join(FourDevices(), nullptr);
  ASSERT_TRUE(membership.ok());
  EXPECT_EQ(membership->host, HostId(0));
  EXPECT_EQ(membership->roster->members.size(), 1u);
  EXPECT_EQ(membership->roster->world.local(HostId(0)).size(), 4u);
}

TEST(LocalControlPlane, Join_RefusesALauncherThatSaysMoreHosts) {
  LocalControlPlane plane;
  WorkerInfo info = FourDevices();
  info.expected_hosts = 2;
  EXPECT_EQ(plane.Join(info, nullptr).status().code(),
            absl::StatusCode::kFailedPrecondition);
}

// M-28.
struct Program : public ControlPlaneObserver {
  int64_t OnPreemption(int64_t agreement) override { return last_step; }
  void OnPreemptionOutcome(const PreemptionOutcome& outcome) override {
    sync_steps.push_back(outcome.sync_step.value());
  }
  int64_t last_step = kNoStep;
  std::vector<int64_t> sync_steps;
};

TEST(LocalControlPlane, NoticePreemption_SaysTheNextStep) {
  LocalControlPlane plane;
  Program program;
  EXPECT_TRUE(absl::IsFailedPrecondition(plane.NoticePreemption()));
  ASSERT_TRUE(plane.Join(FourDevices(), &program).ok());
  for (int64_t step : {-1, 4, 4, 5}) {
    program.last_step = step;
    EXPECT_TRUE(plane.NoticePreemption().ok());
  }
  EXPECT_THAT(program.sync_steps, ElementsAre(0, 5, 5, 6));
  ASSERT_TRUE(plane.Leave({}).ok());
  EXPECT_TRUE(absl::IsFailedPrecondition(plane.NoticePreemption()));
  EXPECT_EQ(program.sync_steps.size(), 4u);
}

TEST(LocalControlPlane, Join_Twice_IsRefused) {
  LocalControlPlane plane;
  ASSERT_TRUE(plane.Join(FourDevices(), nullptr).ok());
  EXPECT_EQ(plane.Join(FourDevices(), nullptr).status().code(),
            absl::StatusCode::kFailedPrecondition);
}

TEST(LocalControlPlane, ResolveAxis_FollowsTheRulesOfOneHost) {
  LocalControlPlane plane;
  ASSERT_TRUE(plane.Join(FourDevices(), nullptr).ok());
  AxisQuery query{"f", "i", 3, std::nullopt};
  const auto axis = plane.ResolveAxis(query, {});
  ASSERT_TRUE(axis.ok()) << axis.status();
  EXPECT_EQ(axis->global_axis_size, 3);
  EXPECT_THAT(axis->devices, ElementsAre(GlobalDeviceId(0), GlobalDeviceId(1),
                                         GlobalDeviceId(2)));
  // More rows than devices: right for constants, which tracing tells (J-5).
  query.axis_size = 5;
  const auto more = plane.ResolveAxis(query, {});
  ASSERT_TRUE(more.ok()) << more.status();
  EXPECT_EQ(more->global_axis_size, 5);
  query.devices = {GlobalDeviceId(0), GlobalDeviceId(1)};
  const absl::Status status = plane.ResolveAxis(query, {}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), HasSubstr("5"));
}

TEST(LocalControlPlane, Barrier_KnowsOnlyHost0) {
  LocalControlPlane plane;
  ASSERT_TRUE(plane.Join(FourDevices(), nullptr).ok());
  EXPECT_TRUE(plane.Barrier("b", {}, {}).ok());
  EXPECT_EQ(plane.Barrier("b", {HostId(1)}, {}).code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(LocalControlPlane, CallRoll_NamesHost0) {
  LocalControlPlane plane;
  ASSERT_TRUE(plane.Join(FourDevices(), nullptr).ok());
  const auto answer = plane.CallRoll({"r", {}}, {});
  ASSERT_TRUE(answer.ok()) << answer.status();
  ASSERT_EQ(answer->hosts.size(), 1u);
  EXPECT_EQ(answer->hosts[0].id, HostId(0));
  EXPECT_EQ(plane.CallRoll({"r", {HostId(1)}}, {}).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(LocalControlPlane, Agree_GivesBackTheOwnError) {
  LocalControlPlane plane;
  ASSERT_TRUE(plane.Join(FourDevices(), nullptr).ok());
  AgreementRecord record;
  EXPECT_TRUE(plane.Agree(record, {}).ok());
  record.error = absl::ResourceExhaustedError("too big");
  EXPECT_EQ(plane.Agree(record, {}), record.error);
}

TEST(LocalControlPlane, NothingWorksBeforeJoinAndAfterLeave) {
  LocalControlPlane plane;
  EXPECT_EQ(plane.Barrier("b", {}, {}).code(),
            absl::StatusCode::kFailedPrecondition);
  ASSERT_TRUE(plane.Join(FourDevices(), nullptr).ok());
  EXPECT_TRUE(plane.Leave({}).ok());
  EXPECT_TRUE(plane.Leave({}).ok());
  EXPECT_EQ(plane.AwaitCoordinator().code(),
            absl::StatusCode::kFailedPrecondition);
}

}  // namespace
}  // namespace lockstep::internal
