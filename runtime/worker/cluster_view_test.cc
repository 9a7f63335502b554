#include "runtime/worker/cluster_view.h"

#include "absl/strings/match.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Hosts a, b, c with two devices each; incarnations 11, 12, 13.
Roster ThreeHosts(int64_t epoch) {
  Roster roster;
  roster.epoch = Epoch(epoch);
  roster.world = World::HostMajor({2, 2, 2});
  for (int i = 0; i < 3; ++i) {
    Member member;
    member.host = {HostId(i), std::string(1, static_cast<char>('a' + i)),
                   Incarnation(11 + i)};
    roster.members.push_back(member);
  }
  return roster;
}

DeviceAssignment Devices(std::vector<GlobalDeviceId> devices) {
  const int32_t count = static_cast<int32_t>(devices.size());
  return *DeviceAssignment::Create(count, 1, std::move(devices));
}

const DeviceAssignment kHosts02 =
    Devices({GlobalDeviceId(5), GlobalDeviceId(0)});
const DeviceAssignment kHosts01 =
    Devices({GlobalDeviceId(0), GlobalDeviceId(2)});

// M-11.
TEST(ClusterViewTest, ParticipantsAreTheHostsOfTheDevices) {
  const ClusterView view(ThreeHosts(1));
  EXPECT_THAT(*view.Participants(kHosts02), ElementsAre(HostId(0), HostId(2)));
  const absl::Status status =
      view.Participants(Devices({GlobalDeviceId(9)})).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("has device 9"));
}

TEST(ClusterViewTest, MembersNameHostAndIncarnationInOrder) {
  const ClusterView view(ThreeHosts(1));
  EXPECT_THAT(
      *view.Members(kHosts02),
      ElementsAre(CliqueMember{GlobalDeviceId(5), HostId(2), Incarnation(13)},
                  CliqueMember{GlobalDeviceId(0), HostId(0), Incarnation(11)}));
}

// M-11.
TEST(ClusterViewTest, LostHostEndsItsProgramsOnly) {
  ClusterView view(ThreeHosts(1));
  const HostRef lost = {HostId(2), "c", Incarnation(13)};
  view.MarkLost(lost, AbortedBy(lost, absl::UnavailableError("killed"), ""));
  const absl::Status status = view.Members(kHosts02).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kAborted);
  EXPECT_THAT(status.message(), HasSubstr("host 2 (c)"));
  EXPECT_THAT(status.message(), HasSubstr("killed"));
  EXPECT_TRUE(view.Members(kHosts01).ok());
}

TEST(ClusterViewTest, NextLifeOfALostHostIsAlive) {
  ClusterView view(ThreeHosts(1));
  view.MarkLost({HostId(2), "c", Incarnation(13)},
                absl::AbortedError("killed"));
  Roster next = ThreeHosts(2);
  next.members[2].state = MemberState::kDead;
  view.Update(next);
  EXPECT_FALSE(view.Members(kHosts02).ok());
  next = ThreeHosts(3);
  next.members[2].host.incarnation = Incarnation(99);
  view.Update(next);
  EXPECT_EQ((*view.Members(kHosts02))[0].incarnation, Incarnation(99));
}

TEST(ClusterViewTest, FailureOfAnEarlierLifeMeansNothing) {
  ClusterView view(ThreeHosts(1));
  view.MarkLost({HostId(2), "c", Incarnation(1)}, absl::AbortedError("old"));
  EXPECT_TRUE(view.Members(kHosts02).ok());
}

TEST(ClusterViewTest, HostThatHasLeftIsNamed) {
  ClusterView view(ThreeHosts(1));
  Roster next = ThreeHosts(2);
  next.members[2].state = MemberState::kLeft;
  view.Update(next);
  const absl::Status status = view.Members(kHosts02).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(status.message(), HasSubstr("host 2 (c) has left"));
}

// M-11.
TEST(ClusterViewTest, HostThatHasLeftDoesNotMatterWhereDevicesNeverMeet) {
  ClusterView view(ThreeHosts(1));
  Roster next = ThreeHosts(2);
  next.members[2].state = MemberState::kLeft;
  view.Update(next);
  EXPECT_TRUE(view.Members(kHosts02, /*may_have_left=*/true).ok());
}

TEST(ClusterViewTest, EpochOfALaunchChangesWithItsParticipantsOnly) {
  ClusterView view(ThreeHosts(4));
  const std::vector<HostId> both = {HostId(0), HostId(1)};
  const std::vector<HostId> all = {HostId(0), HostId(1), HostId(2)};
  EXPECT_EQ(view.EpochOf(both), Epoch(4));
  Roster next = ThreeHosts(6);
  next.members[2].host.incarnation = Incarnation(99);
  view.Update(next);
  EXPECT_EQ(view.EpochOf(both), Epoch(4));
  EXPECT_EQ(view.EpochOf(all), Epoch(6));
}

TEST(ClusterViewTest, LaunchesOverACutLinkAreRefusedWithThePairNamed) {
  ClusterView view;
  const HostRef first{HostId(1), "b", Incarnation(2)};
  const HostRef second{HostId(2), "c", Incarnation(3)};
  view.SetCutLinks({{first, second, absl::UnavailableError("b and c")}});
  EXPECT_TRUE(view.CheckLinks({HostId(0), HostId(1)}).ok());
  EXPECT_TRUE(view.CheckLinks({HostId(0), HostId(2)}).ok());
  const absl::Status refused =
      view.CheckLinks({HostId(0), HostId(1), HostId(2)});
  EXPECT_EQ(refused.code(), absl::StatusCode::kAborted);
  EXPECT_EQ(OriginOf(refused), first);
  EXPECT_TRUE(absl::StrContains(refused.message(), "b and c"));
  view.SetCutLinks({});
  EXPECT_TRUE(view.CheckLinks({HostId(1), HostId(2)}).ok());
}

}  // namespace
}  // namespace lockstep::internal
