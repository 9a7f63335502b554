#include "runtime/collectives/clique_key.h"

#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

CliqueMember Member(int device, int host, uint64_t incarnation) {
  return {GlobalDeviceId(device), HostId(host), Incarnation(incarnation)};
}

TEST(CliqueKey, RanksAndHostsFollowTheOrder) {
  CliqueKey key({Member(4, 1, 11), Member(0, 0, 10), Member(5, 1, 11)});
  EXPECT_EQ(key.RankOf(GlobalDeviceId(0)), 1);
  EXPECT_EQ(key.RankOf(GlobalDeviceId(7)), -1);
  EXPECT_EQ(key.Hosts(), (std::vector<HostId>{HostId(1), HostId(0)}));
  EXPECT_EQ(key.ToString(), "[4,0,5]");
}

TEST(CliqueKey, DigestTellsOrderAndIncarnationApart) {
  CliqueKey key({Member(0, 0, 10), Member(4, 1, 11)});
  EXPECT_EQ(key.Digest(),
            CliqueKey({Member(0, 0, 10), Member(4, 1, 11)}).Digest());
  EXPECT_NE(key.Digest(),
            CliqueKey({Member(4, 1, 11), Member(0, 0, 10)}).Digest());
  EXPECT_NE(key.Digest(),
            CliqueKey({Member(0, 0, 10), Member(4, 1, 12)}).Digest());
}

}  // namespace
}  // namespace lockstep::internal
