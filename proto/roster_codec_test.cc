#include "proto/roster_codec.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

using ::testing::HasSubstr;
using SharedRoster = std::shared_ptr<const Roster>;

Roster RosterOf(int hosts, int64_t epoch) {
  Roster roster;
  roster.cluster_id = "c0ffee";
  roster.epoch = Epoch(epoch);
  roster.limits.report_interval = absl::Milliseconds(500);
  roster.limits.silence = absl::Seconds(7);
  roster.limits.link_deadline = absl::Seconds(90);
  std::vector<Device> devices;
  for (int i = 0; i < hosts; ++i) {
    Member member;
    member.host = {HostId(i), absl::StrCat("gpu", i), Incarnation(1000 + i)};
    member.pid = 100 + i;
    member.machine = absl::StrCat("machine-", i);
    member.service_address = absl::StrCat("10.0.0.", i, ":4000");
    member.transport_address = std::string("\0ucx", 4) + std::to_string(i);
    roster.members.push_back(member);
    for (int local = 0; local <= i % 3; ++local) {
      Device device;
      device.id = GlobalDeviceId(static_cast<int32_t>(devices.size()));
      device.host = HostId(i);
      device.local_id = LocalDeviceId(local);
      device.platform = "cuda";
      device.kind = local == 0 ? "H100" : "A100";
      device.memory_bytes = int64_t{80} << 30;
      device.numa_node = local;
      device.network_group = i < hosts / 2 ? "rack-a" : "rack-b";
      devices.push_back(device);
    }
  }
  roster.world = World(std::move(devices));
  return roster;
}

void ExpectEqual(const Roster& found, const Roster& expected) {
  EXPECT_EQ(found.cluster_id, expected.cluster_id);
  EXPECT_EQ(found.epoch, expected.epoch);
  EXPECT_EQ(found.members, expected.members);
  EXPECT_EQ(found.world, expected.world);
  EXPECT_EQ(found.limits, expected.limits);
  EXPECT_EQ(found.secrets, expected.secrets);
}

TEST(RosterCodec, WholeRosterComesBackWithoutItsSecrets) {
  Roster roster = RosterOf(7, 7);
  roster.secrets = {"hush"};
  const proto::RosterUpdate update = EncodeRoster(roster);
  EXPECT_EQ(update.secrets_size(), 0);
  EXPECT_THAT(update.SerializeAsString(), Not(HasSubstr("hush")));
  const auto found = ApplyRosterUpdate(update, nullptr);
  ASSERT_TRUE(found.ok()) << found.status();
  roster.secrets.clear();
  ExpectEqual(**found, roster);
}

TEST(RosterCodec, GroupsThatAreMachinesAreNotSaidTwice) {
  const Roster racks = RosterOf(1000, 1000);
  Roster machines = racks;
  std::vector<Device> devices = racks.world.devices();
  for (Device& device : devices) {
    device.network_group = machines.members[device.host.value()].machine;
  }
  machines.world = World(std::move(devices));
  const proto::RosterUpdate update = EncodeRoster(machines);
  EXPECT_LE(update.body_bytes(), EncodeRoster(racks).body_bytes());
  const auto found = ApplyRosterUpdate(update, nullptr);
  ASSERT_TRUE(found.ok()) << found.status();
  ExpectEqual(**found, machines);
}

TEST(RosterCodec, ChangeCarriesOnlyWhatChanged) {
  const auto before = std::make_shared<const Roster>(RosterOf(1000, 1000));
  Roster after = *before;
  after.epoch = Epoch(1002);
  after.members[3].state = MemberState::kDead;
  after.members[998].host.incarnation = Incarnation(77);
  after.members[998].transport_address = "elsewhere";
  auto update = EncodeRosterChange(*before, after);
  ASSERT_TRUE(update.has_value());
  EXPECT_LT(update->ByteSizeLong(), 500);
  update->add_secrets("new");
  after.secrets = {"new"};
  const auto found = ApplyRosterUpdate(*update, before);
  ASSERT_TRUE(found.ok()) << found.status();
  ExpectEqual(**found, after);
}

TEST(RosterCodec, ManyThatLeaveOrDieAreFewBytes) {
  const auto before = std::make_shared<const Roster>(RosterOf(10000, 10000));
  Roster after = *before;
  after.epoch = Epoch(10001);
  for (size_t i = 0; i < after.members.size(); ++i) {
    if (i % 100 == 7) continue;
    after.members[i].state =
        i % 50 == 0 ? MemberState::kDead : MemberState::kLeft;
  }
  const auto update = EncodeRosterChange(*before, after);
  ASSERT_TRUE(update.has_value());
  EXPECT_LT(update->ByteSizeLong(), 4000);
  const auto found = ApplyRosterUpdate(*update, before);
  ASSERT_TRUE(found.ok()) << found.status();
  ExpectEqual(**found, after);
}

TEST(RosterCodec, ClusterThatFormedAnewIsNoChange) {
  const Roster before = RosterOf(4, 4);
  EXPECT_FALSE(EncodeRosterChange(before, RosterOf(5, 9)).has_value());
  EXPECT_FALSE(EncodeRosterChange(Roster(), RosterOf(5, 9)).has_value());
}

TEST(RosterCodec, ChangeOfAnotherRosterMustBeFetched) {
  const Roster before = RosterOf(4, 4);
  Roster after = before;
  after.epoch = Epoch(6);
  const proto::RosterUpdate update = *EncodeRosterChange(before, after);
  for (const SharedRoster& known :
       {SharedRoster(), std::make_shared<const Roster>(RosterOf(4, 5))}) {
    EXPECT_EQ(ApplyRosterUpdate(update, known).status().code(),
              absl::StatusCode::kFailedPrecondition);
  }
}

TEST(RosterCodec, OldNewsChangeNothingAndSecretsComeLater) {
  const auto known = std::make_shared<const Roster>(RosterOf(4, 6));
  proto::RosterUpdate older = EncodeRoster(RosterOf(4, 5));
  EXPECT_EQ(*ApplyRosterUpdate(older, known), known);
  proto::RosterUpdate same = EncodeRoster(*known);
  same.clear_body();
  same.add_secrets("s");
  const auto found = ApplyRosterUpdate(same, known);
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_EQ((*found)->secrets, std::vector<std::string>{"s"});
  EXPECT_EQ((*found)->members, known->members);
}

TEST(RosterCodec, DamagedUpdatesAreErrors) {
  const proto::RosterUpdate whole = EncodeRoster(RosterOf(4, 4));
  proto::RosterUpdate cut = whole;
  cut.mutable_body()->resize(cut.body().size() / 2);
  proto::RosterUpdate garbled = whole;
  for (char& byte : *garbled.mutable_body()) byte ^= 0x55;
  proto::RosterUpdate bomb = whole;
  bomb.set_body_bytes(int64_t{1} << 40);
  proto::RosterUpdate negative = whole;
  negative.set_body_bytes(-1);
  for (const auto& update : {cut, garbled, bomb, negative}) {
    EXPECT_EQ(ApplyRosterUpdate(update, nullptr).status().code(),
              absl::StatusCode::kInvalidArgument);
  }
}

}  // namespace
}  // namespace lockstep::internal
