// Spec M-18.
#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "coordinator/meetings/agreement_difference.h"
#include "coordinator/simulated_cluster.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/cluster/failure.h"
#include "runtime/cluster/shared_cause.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

AgreementRecord Record(int hosts, const std::string& text) {
  AgreementRecord record;
  record.key = "sequence 1";
  record.program = "step";
  for (int i = 0; i < hosts; ++i) record.participants.push_back(HostId(i));
  record.fields = {{"program text", text}, {"options", "none"}};
  return record;
}

Answer<AgreementAnswer> Agree(SimulatedCluster& cluster, int worker,
                              AgreementRecord record) {
  Answer<AgreementAnswer> answer;
  cluster.coordinator.Agree(cluster[worker].incarnation(), std::move(record),
                            absl::ZeroDuration(), answer.done());
  return answer;
}

TEST(Agreement, EqualRecordsAgree) {
  auto cluster = SimulatedCluster::Joined(2);
  auto a = Agree(*cluster, 0, Record(2, "m"));
  EXPECT_FALSE(a.has_come());
  EXPECT_TRUE(Agree(*cluster, 1, Record(2, "m")).status().ok());
  EXPECT_TRUE(a.status().ok());
}

TEST(Agreement, OneChangedConstant_AllGetTheLineAndTheGroups) {
  auto cluster = SimulatedCluster::Joined(3);
  auto a = Agree(*cluster, 0, Record(3, "module {\n  %0 = constant 1\n}"));
  auto b = Agree(*cluster, 1, Record(3, "module {\n  %0 = constant 2\n}"));
  auto c = Agree(*cluster, 2, Record(3, "module {\n  %0 = constant 1\n}"));
  for (const auto& answer : {a, b, c}) {
    EXPECT_EQ(answer.status().code(), absl::StatusCode::kFailedPrecondition);
    EXPECT_TRUE(IsSharedCause(answer.status()));
    EXPECT_EQ(answer.message(),
              "program step differs between hosts: hosts with equal programs: "
              "[host 0 (a), host 2 (c)] and [host 1 (b)]; first difference in "
              "program text, line 2: host 0 (a) has '  %0 = constant 1', host "
              "1 (b) has '  %0 = constant 2'");
  }
}

TEST(Agreement, TheFirstDifferingFieldIsShown) {
  AgreementRecord a = Record(2, "m");
  AgreementRecord b = a;
  a.fields[1].value = "fast";
  b.fields[1].value = "exact";
  const HostRef host_a{HostId(0), "a", Incarnation(1)};
  const HostRef host_b{HostId(1), "b", Incarnation(2)};
  EXPECT_THAT(AgreementDifference({{host_a, a}, {host_b, b}}),
              HasSubstr("first difference in options: host 0 (a) has 'fast', "
                        "host 1 (b) has 'exact'"));
  EXPECT_EQ(AgreementDifference({{host_a, a}, {host_b, a}}), "");
}

TEST(Agreement, TheTextIsTheSameInWhateverOrderHostsCame) {
  std::vector<HostRecord> records;
  for (int i = 0; i < 4; ++i) {
    const std::string name(1, static_cast<char>('a' + i));
    records.push_back({{HostId(i), name, Incarnation(i + 1)},
                       Record(4, i == 3 ? "m2" : absl::StrCat("m", i))});
  }
  std::vector<int> order = {0, 1, 2, 3};
  do {
    std::vector<HostRecord> arrived;
    for (int i : order) arrived.push_back(records[i]);
    EXPECT_THAT(AgreementDifference(arrived),
                AllOf(HasSubstr("[host 2 (c), host 3 (d)] and [host 0 (a)] and "
                                "[host 1 (b)]"),
                      HasSubstr("host 2 (c) has 'm2', host 0 (a) has 'm0'")));
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST(Agreement, ALongLineIsCutAroundTheDifference) {
  const std::string left = std::string(500, 'x') + "L" + std::string(500, 'y');
  std::string right = left;
  right[500] = 'R';
  const HostRef host_a{HostId(0), "a", Incarnation(1)};
  const HostRef host_b{HostId(1), "b", Incarnation(2)};
  const std::string text = AgreementDifference(
      {{host_a, Record(2, left)}, {host_b, Record(2, right)}});
  EXPECT_LT(text.size(), 700u);
  EXPECT_THAT(text, AllOf(HasSubstr("xLy"), HasSubstr("xRy")));
}

TEST(Agreement, ATextThatEndsEarlierIsADifference) {
  const HostRef host_a{HostId(0), "a", Incarnation(1)};
  const HostRef host_b{HostId(1), "b", Incarnation(2)};
  EXPECT_THAT(AgreementDifference(
                  {{host_a, Record(2, "a\nb")}, {host_b, Record(2, "a")}}),
              AllOf(HasSubstr("line 2"), HasSubstr("(the text has ended)")));
}

TEST(Agreement, AKnownDifferenceDoesNotWaitForTheLate) {
  auto cluster = SimulatedCluster::Joined(3);
  auto a = Agree(*cluster, 0, Record(3, "m"));
  auto b = Agree(*cluster, 1, Record(3, "n"));
  EXPECT_FALSE(a.has_come());
  cluster->Pass(absl::Seconds(1));
  EXPECT_EQ(a.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(b.status(), a.status());
  EXPECT_EQ(Agree(*cluster, 2, Record(3, "m")).status(), a.status());
}

TEST(Agreement, OtherParticipantsAreADifference) {
  auto cluster = SimulatedCluster::Joined(3);
  auto a = Agree(*cluster, 0, Record(2, "m"));
  auto b = Agree(*cluster, 1, Record(3, "m"));
  cluster->Pass(absl::Seconds(1));
  EXPECT_EQ(a.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(a.message(), AllOf(HasSubstr("participants"), HasSubstr("'0,1'"),
                                 HasSubstr("'all hosts'")));
  EXPECT_EQ(b.status(), a.status());
}

TEST(Agreement, AHostThatCannotTakePart_TheOthersGetAbortedWithItsStatus) {
  auto cluster = SimulatedCluster::Joined(3);
  auto a = Agree(*cluster, 0, Record(3, "m"));
  AgreementRecord record = Record(3, "m");
  record.error = absl::ResourceExhaustedError("needs 81.3 GiB");
  auto b = Agree(*cluster, 1, record);
  auto c = Agree(*cluster, 2, Record(3, "m"));
  EXPECT_EQ(b.status(), record.error);
  for (const auto& answer : {a, c}) {
    EXPECT_EQ(answer.status().code(), absl::StatusCode::kAborted);
    EXPECT_EQ(OriginOf(answer.status())->name, "b");
    EXPECT_THAT(answer.message(),
                HasSubstr("RESOURCE_EXHAUSTED: needs 81.3 GiB"));
  }
}

TEST(Agreement, DisjointHostsAgreeIndependentlyUnderOneKey) {
  auto cluster = SimulatedCluster::Joined(2);
  AgreementRecord only_a = Record(1, "m");
  AgreementRecord only_b = Record(1, "n");
  only_b.participants = {HostId(1)};
  EXPECT_TRUE(Agree(*cluster, 0, only_a).status().ok());
  EXPECT_TRUE(Agree(*cluster, 1, only_b).status().ok());
}

TEST(Agreement, AfterAFailureTheNextOneWorks) {
  auto cluster = SimulatedCluster::Joined(2);
  Agree(*cluster, 0, Record(2, "m"));
  EXPECT_FALSE(Agree(*cluster, 1, Record(2, "n")).status().ok());
  Agree(*cluster, 0, Record(2, "m"));
  EXPECT_TRUE(Agree(*cluster, 1, Record(2, "m")).status().ok());
}

TEST(Agreement, ADeathEndsItForTheOthers) {
  auto cluster = SimulatedCluster::Joined(2);
  auto a = Agree(*cluster, 0, Record(2, "m"));
  (*cluster)[1].is_reporting = false;
  cluster->Pass(absl::Seconds(4));
  EXPECT_EQ(a.status().code(), absl::StatusCode::kAborted);
  EXPECT_EQ(OriginOf(a.status())->id, HostId(1));
}

TEST(Agreement, ARecordOfACallWithALifeThatHasEndedIsRefused) {
  auto cluster = SimulatedCluster::Joined(2);
  AgreementRecord record = Record(2, "m");
  record.epoch = (*cluster)[0].joined.get()->roster->epoch;
  (*cluster)[1].is_reporting = false;
  cluster->Pass(absl::Seconds(4));
  const TestWorker& again = cluster->Join(SimulatedCluster::Info("b", 22));
  const auto stale = Agree(*cluster, 0, record);
  ASSERT_TRUE(stale.has_come());
  EXPECT_EQ(stale.status().code(), absl::StatusCode::kAborted);
  EXPECT_EQ(OriginOf(stale.status())->incarnation, Incarnation(2));

  record.epoch = again.joined.get()->roster->epoch;
  const auto a = Agree(*cluster, 0, record);
  EXPECT_FALSE(a.has_come());
  EXPECT_TRUE(Agree(*cluster, 2, record).status().ok());
  EXPECT_TRUE(a.status().ok());
}

TEST(Agreement, ALateHostIsNamedAfter4Seconds_WithWhatItDoes) {
  auto cluster = SimulatedCluster::Joined(3);
  (*cluster)[2].report.activity = "compiling step";
  auto a = Agree(*cluster, 0, Record(3, "m"));
  Agree(*cluster, 1, Record(3, "m"));
  cluster->Pass(absl::Milliseconds(3900));
  EXPECT_TRUE((*cluster)[0].link->named.empty());
  cluster->Pass(absl::Milliseconds(900));
  ASSERT_EQ((*cluster)[0].link->named.size(), 1u);
  EXPECT_EQ((*cluster)[0].link->named[0].id, HostId(2));
  EXPECT_EQ((*cluster)[0].link->notices.back(),
            "host 2 (c) has not come to agreement on program step; 2 of 3 "
            "hosts are waiting since 4s; it is compiling step");
  EXPECT_EQ(cluster->coordinator.Status().hosts[2].state, "late");
  // Named once.
  cluster->Pass(absl::Seconds(5));
  EXPECT_EQ((*cluster)[0].link->named.size(), 1u);
  EXPECT_FALSE(a.has_come());
}

TEST(Agreement, LateAbortEndsIt_BusyPostponesThat) {
  CoordinatorOptions options;
  options.late_abort = absl::Seconds(20);
  auto cluster = SimulatedCluster::Joined(2, 2, options);
  auto a = Agree(*cluster, 0, Record(2, "m"));
  cluster->Pass(absl::Seconds(10));
  cluster->coordinator.Busy((*cluster)[1].incarnation(), "a checkpoint",
                            absl::Seconds(25));
  cluster->Pass(absl::Seconds(20));
  EXPECT_FALSE(a.has_come());
  cluster->Pass(absl::Seconds(6));
  EXPECT_EQ(a.status().code(), absl::StatusCode::kAborted);
  EXPECT_EQ(OriginOf(a.status())->id, HostId(1));
  EXPECT_THAT(a.message(), HasSubstr("DEADLINE_EXCEEDED"));
}

TEST(Agreement, ACallerThatIsNoParticipantIsRefused) {
  auto cluster = SimulatedCluster::Joined(2);
  EXPECT_EQ(Agree(*cluster, 1, Record(1, "m")).status().code(),
            absl::StatusCode::kInvalidArgument);
}

AgreementRecord Summary(int hosts, const std::string& digest) {
  AgreementRecord record = Record(hosts, "");
  record.fields.clear();
  record.digest = digest;
  return record;
}

TEST(Agreement, EqualDigestsNeedNoFields) {
  auto cluster = SimulatedCluster::Joined(2);
  auto a = Agree(*cluster, 0, Summary(2, "d"));
  EXPECT_FALSE(a.has_come());
  auto b = Agree(*cluster, 1, Summary(2, "d"));
  EXPECT_EQ(*a.get(), AgreementAnswer::kEqual);
  EXPECT_EQ(*b.get(), AgreementAnswer::kEqual);
}

TEST(Agreement, DifferentDigestsAskForTheFieldsAndThoseTell) {
  auto cluster = SimulatedCluster::Joined(3);
  auto a = Agree(*cluster, 0, Summary(3, "d"));
  auto b = Agree(*cluster, 1, Summary(3, "e"));
  EXPECT_FALSE(a.has_come());
  cluster->Pass(absl::Seconds(2));
  EXPECT_EQ(*a.get(), AgreementAnswer::kFieldsWanted);
  EXPECT_EQ(*b.get(), AgreementAnswer::kFieldsWanted);
  auto whole_a = Agree(*cluster, 0, Record(3, "m"));
  auto whole_b = Agree(*cluster, 1, Record(3, "n"));
  cluster->Pass(absl::Seconds(2));
  EXPECT_THAT(whole_a.message(), HasSubstr("'m'"));
  EXPECT_EQ(whole_a.status(), whole_b.status());
  // Who comes late is told the same.
  EXPECT_EQ(*Agree(*cluster, 2, Summary(3, "d")).get(),
            AgreementAnswer::kFieldsWanted);
  EXPECT_EQ(Agree(*cluster, 2, Record(3, "m")).status(), whole_a.status());
}

TEST(Agreement, HostThatCannotTakePartEndsTheComparisonOfDigests) {
  auto cluster = SimulatedCluster::Joined(2);
  auto a = Agree(*cluster, 0, Summary(2, "d"));
  AgreementRecord failing = Summary(2, "e");
  failing.error = absl::InvalidArgumentError("does not compile");
  EXPECT_EQ(Agree(*cluster, 1, failing).message(), "does not compile");
  EXPECT_EQ(a.status().code(), absl::StatusCode::kAborted);
}

}  // namespace
}  // namespace lockstep::internal
