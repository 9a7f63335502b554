#include "runtime/worker/launch_streams.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lockstep {
namespace {

using ::testing::ElementsAre;

CliqueMember Member(int device, int host, uint64_t incarnation) {
  return {GlobalDeviceId(device), HostId(host), Incarnation(incarnation)};
}

TEST(LaunchStreamsTest, LaunchesAreCountedPerStream) {
  LaunchStreams streams;
  EXPECT_EQ(streams.Next(1, 0xa).number, LaunchNumber(1));
  EXPECT_EQ(streams.Next(1, 0xb).number, LaunchNumber(2));
  EXPECT_EQ(streams.Next(2, 0xa).number, LaunchNumber(1));
}

TEST(LaunchStreamsTest, RecentProgramsAreTheLastThreeNewestFirst) {
  LaunchStreams streams;
  EXPECT_THAT(streams.Next(1, 0xa).recent_programs, ElementsAre(0xa, 0, 0));
  streams.Next(1, 0xb);
  streams.Next(1, 0xc);
  EXPECT_THAT(streams.Next(1, 0xd).recent_programs, ElementsAre(0xd, 0xc, 0xb));
}

TEST(LaunchStreamsTest, AgreementsAreCountedPerStream) {
  LaunchStreams streams;
  EXPECT_EQ(streams.NextAgreementKey(0x1f),
            "stream 000000000000001f/program 1");
  EXPECT_EQ(streams.NextAgreementKey(0x1f),
            "stream 000000000000001f/program 2");
  EXPECT_EQ(streams.NextAgreementKey(2), "stream 0000000000000002/program 1");
}

TEST(LaunchStreamsTest, OrderAndIncarnationsMakeAnotherStream) {
  const uint64_t digest =
      LaunchStreams::DigestOf({Member(0, 0, 7), Member(1, 1, 8)});
  EXPECT_EQ(LaunchStreams::DigestOf({Member(0, 0, 7), Member(1, 1, 8)}),
            digest);
  EXPECT_NE(LaunchStreams::DigestOf({Member(1, 1, 8), Member(0, 0, 7)}),
            digest);
  EXPECT_NE(LaunchStreams::DigestOf({Member(0, 0, 7), Member(1, 1, 9)}),
            digest);
}

}  // namespace
}  // namespace lockstep
