#include "runtime/worker/call_sequences.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

HostRef Host(int id, uint64_t incarnation) {
  return {HostId(id), "h", Incarnation(incarnation)};
}
const std::vector<HostRef> kTwo = {Host(0, 7), Host(1, 8)};

TEST(CallSequencesTest, CallsAreCountedPerSequence) {
  CallSequences sequences;
  EXPECT_EQ(sequences.Begin(1, kTwo, {5, "f"}).number, LaunchNumber(1));
  EXPECT_EQ(sequences.Begin(1, kTwo, {5, "f"}).number, LaunchNumber(2));
  EXPECT_EQ(sequences.Begin(2, kTwo, {5, "f"}).number, LaunchNumber(1));
}

TEST(CallSequencesTest, IncarnationsAndNamesMakeAnotherSequence) {
  const CallSequences sequences;
  const uint64_t digest = sequences.DigestOf(kTwo, "");
  EXPECT_EQ(sequences.DigestOf(kTwo, ""), digest);
  EXPECT_NE(sequences.DigestOf(kTwo, "eval"), digest);
  EXPECT_NE(sequences.DigestOf({Host(0, 7), Host(1, 9)}, ""), digest);
  EXPECT_NE(sequences.DigestOf({Host(0, 7)}, ""), digest);
}

TEST(CallSequencesTest, HostsThatBeginAnewCountInOtherSequences) {
  const std::vector<HostRef> three = {Host(0, 7), Host(1, 8), Host(2, 9)};
  CallSequences sequences;
  const CallSequences others;
  const uint64_t before = sequences.DigestOf(kTwo, "");
  sequences.Begin(before, kTwo, {5, "f"});
  sequences.BeginAnew(kTwo, "", 3);
  const uint64_t after = sequences.DigestOf(kTwo, "");
  EXPECT_NE(after, before);
  EXPECT_EQ(sequences.Begin(after, kTwo, {5, "f"}).number, LaunchNumber(1));
  // What was not reported is, once more.
  EXPECT_THAT(sequences.Report(), SizeIs(2));
  EXPECT_THAT(sequences.Report(), SizeIs(1));
  // Not of more hosts, fewer than two, another life, or another name.
  EXPECT_EQ(sequences.DigestOf(three, ""), others.DigestOf(three, ""));
  EXPECT_EQ(sequences.DigestOf({Host(0, 7)}, ""),
            others.DigestOf({Host(0, 7)}, ""));
  EXPECT_EQ(sequences.DigestOf({Host(0, 7), Host(1, 10)}, ""),
            others.DigestOf({Host(0, 7), Host(1, 10)}, ""));
  EXPECT_EQ(sequences.DigestOf(kTwo, "eval"), others.DigestOf(kTwo, "eval"));
  // The latest one counts, also where it was of more hosts, and for those that
  // are left when one of them has ended.
  sequences.BeginAnew(three, "", 4);
  const uint64_t latest = sequences.DigestOf(kTwo, "");
  EXPECT_NE(latest, after);
  sequences.DropEnded([](const HostRef& host) { return host.id.value() < 2; });
  EXPECT_EQ(sequences.DigestOf(kTwo, ""), latest);
}

TEST(CallSequencesTest, RecentProgramsAreTheLastThreeNewestFirst) {
  CallSequences sequences;
  EXPECT_THAT(sequences.AddProgram(1, 0xa), ElementsAre(0xa, 0, 0));
  sequences.AddProgram(1, 0xb);
  sequences.AddProgram(1, 0xc);
  EXPECT_THAT(sequences.AddProgram(1, 0xd), ElementsAre(0xd, 0xc, 0xb));
}

TEST(CallSequencesTest, ReportsTellTheLatestCallsAndTheirTexts) {
  CallSequences sequences;
  EXPECT_THAT(sequences.Report(), IsEmpty());
  sequences.Begin(1, kTwo, {5, "f"});
  const LaunchKey last = sequences.Begin(1, kTwo, {6, "g"});
  std::vector<SequenceProgress> reports = sequences.Report();
  ASSERT_THAT(reports, SizeIs(1));
  EXPECT_THAT(reports[0].participants, ElementsAre(HostId(0), HostId(1)));
  EXPECT_EQ(reports[0].last, LaunchNumber(2));
  EXPECT_FALSE(reports[0].is_over);
  EXPECT_THAT(reports[0].digests, ElementsAre(CallDigest{5}, CallDigest{6}));
  EXPECT_THAT(reports[0].descriptions,
              ElementsAre(CallDescription{6, "g"}, CallDescription{5, "f"}));
  sequences.SetOver(last);
  EXPECT_TRUE(sequences.Report()[0].is_over);
}

TEST(CallSequencesTest, AReportHoldsAsManyCallsAsWereMadeUpToALimit) {
  CallSequences sequences;
  for (uint64_t i = 0; i < 300; ++i) sequences.Begin(1, kTwo, {i, ""});
  EXPECT_THAT(sequences.Report()[0].digests, SizeIs(300));
  sequences.Begin(1, kTwo, {300, ""});
  EXPECT_EQ(sequences.Report()[0].digests.back(), CallDigest{300});
  for (uint64_t i = 0; i < 5000; ++i) sequences.Begin(1, kTwo, {i, ""});
  EXPECT_THAT(sequences.Report()[0].digests, SizeIs(CallSequences::kKept));
}

TEST(CallSequencesTest, CallsOfThisHostAloneAreNotReported) {
  CallSequences sequences;
  sequences.Begin(1, {Host(0, 7)}, {5, "f"});
  EXPECT_THAT(sequences.Report(), IsEmpty());
}

TEST(CallSequencesTest, TextsOfRecentCallsAreKnown) {
  CallSequences sequences;
  const LaunchKey first = sequences.Begin(1, kTwo, {5, "f"});
  const LaunchKey second = sequences.Begin(1, kTwo, {6, "g"});
  EXPECT_EQ(sequences.TextOf(first), "f");
  EXPECT_EQ(sequences.TextOf(second), "g");
  EXPECT_EQ(sequences.TextOf({1, LaunchNumber(3)}), "");
  EXPECT_EQ(sequences.TextOf({2, LaunchNumber(1)}), "");
}

TEST(CallSequencesTest, SequencesOfEndedLivesAreDropped) {
  CallSequences sequences;
  sequences.Begin(1, kTwo, {5, "f"});
  sequences.Begin(2, {Host(0, 7), Host(2, 9)}, {5, "f"});
  sequences.DropEnded([](const HostRef& host) { return host.id != HostId(1); });
  EXPECT_EQ(sequences.Begin(1, kTwo, {5, "f"}).number, LaunchNumber(1));
  EXPECT_EQ(sequences.Begin(2, kTwo, {5, "f"}).number, LaunchNumber(2));
}

TEST(CallSequencesTest, WhatWasNotReportedIsBeforeASequenceIsDropped) {
  CallSequences sequences;
  sequences.Begin(1, kTwo, {5, "f"});
  sequences.Report();
  sequences.Begin(1, kTwo, {6, "g"});
  sequences.DropEnded([](const HostRef& host) { return host.id != HostId(1); });
  const auto reports = sequences.Report();
  ASSERT_THAT(reports, SizeIs(1));
  EXPECT_EQ(reports[0].digests.back(), CallDigest{6});
  EXPECT_THAT(sequences.Report(), SizeIs(0));
}

}  // namespace
}  // namespace lockstep::internal
