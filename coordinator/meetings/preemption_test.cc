// Spec M-28, and the deadline of M-29.
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "coordinator/simulated_cluster.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// A host that its program is in.
WorkerInfo Info(const std::string& name, uint64_t incarnation) {
  WorkerInfo info = SimulatedCluster::Info(name, incarnation);
  info.service_address.clear();
  return info;
}

std::unique_ptr<SimulatedCluster> Joined(int hosts,
                                         CoordinatorOptions options = {}) {
  options.expected_hosts = hosts;
  auto cluster = std::make_unique<SimulatedCluster>(std::move(options));
  for (int i = 0; i < hosts; ++i) {
    cluster->Join(Info(std::string(1, static_cast<char>('a' + i)), i + 1));
  }
  return cluster;
}

void Notice(SimulatedCluster& cluster, int worker) {
  cluster.coordinator.NoticePreemption(cluster[worker].incarnation(),
                                       absl::ZeroDuration());
}

Answer<int64_t> Request(SimulatedCluster& cluster, const std::string& host) {
  Answer<int64_t> answer;
  cluster.coordinator.RequestPreemption(host, absl::ZeroDuration(),
                                        answer.done());
  return answer;
}

// Answers what the worker was asked for last.
void Say(SimulatedCluster& cluster, int worker, int64_t last_step) {
  cluster.coordinator.AnswerPreemption(cluster[worker].incarnation(),
                                       cluster[worker].link->preemptions.back(),
                                       last_step);
}

// The sync steps that the worker was told; -9 where there was an error.
std::vector<int64_t> Told(SimulatedCluster& cluster, int worker) {
  std::vector<int64_t> steps;
  for (const PreemptionOutcome& outcome : cluster[worker].link->outcomes) {
    steps.push_back(outcome.sync_step.ok() ? *outcome.sync_step : -9);
  }
  return steps;
}

TEST(Preemption, TheSyncStepIsTheLargestLastStepPlusOne) {
  auto cluster = Joined(4);
  Notice(*cluster, 2);
  const int64_t last_steps[] = {5, 7, 6, 7};
  for (int i = 0; i < 4; ++i) {
    EXPECT_THAT((*cluster)[i].link->preemptions, ElementsAre(1));
    EXPECT_THAT(Told(*cluster, 0), IsEmpty());
    Say(*cluster, i, last_steps[i]);
  }
  for (int i = 0; i < 4; ++i) EXPECT_THAT(Told(*cluster, i), ElementsAre(8));
}

TEST(Preemption, WithoutANoticeNobodyIsAsked) {
  auto cluster = Joined(2);
  cluster->Pass(absl::Seconds(60));
  EXPECT_THAT((*cluster)[0].link->preemptions, IsEmpty());
  EXPECT_THAT((*cluster)[0].link->outcomes, IsEmpty());
}

TEST(Preemption, HostsThatHaveAskedAboutNoStepSaveAtTheirFirst) {
  auto cluster = Joined(2);
  Notice(*cluster, 0);
  Say(*cluster, 0, kNoStep);
  Say(*cluster, 1, kNoStep);
  EXPECT_THAT(Told(*cluster, 1), ElementsAre(kFirstStep));
}

TEST(Preemption, ASecondNoticeMeanwhileChangesNothing) {
  auto cluster = Joined(2);
  Notice(*cluster, 0);
  Say(*cluster, 0, 5);
  Notice(*cluster, 1);
  Notice(*cluster, 0);
  const Answer<int64_t> operators = Request(*cluster, "");
  Say(*cluster, 1, 7);
  EXPECT_THAT((*cluster)[0].link->preemptions, ElementsAre(1));
  EXPECT_THAT(Told(*cluster, 0), ElementsAre(8));
  EXPECT_EQ(*operators.get(), 8);
}

TEST(Preemption, ANoticeBeforeTheSyncStepKeepsIt) {
  auto cluster = Joined(2);
  Notice(*cluster, 0);
  Say(*cluster, 0, 5);
  Say(*cluster, 1, 7);
  const Answer<int64_t> again = Request(*cluster, "");
  Say(*cluster, 0, 6);
  Say(*cluster, 1, 7);
  EXPECT_EQ(*again.get(), 8);
  EXPECT_THAT(Told(*cluster, 0), ElementsAre(8, 8));
}

TEST(Preemption, ANoticeAfterTheSyncStepIsANewAgreement) {
  auto cluster = Joined(2);
  Notice(*cluster, 0);
  Say(*cluster, 0, 5);
  Say(*cluster, 1, 7);
  // Host 1 has saved; host 0 has still to.
  Notice(*cluster, 1);
  EXPECT_THAT((*cluster)[0].link->preemptions, ElementsAre(1, 2));
  Say(*cluster, 0, 7);
  Say(*cluster, 1, 8);
  EXPECT_THAT(Told(*cluster, 0), ElementsAre(8, 9));
  EXPECT_THAT(Told(*cluster, 1), ElementsAre(8, 9));
}

TEST(Preemption, WhoDiesMeanwhileIsNotWaitedForAndNotCounted) {
  auto cluster = Joined(3);
  Notice(*cluster, 0);
  Say(*cluster, 1, 9);
  Say(*cluster, 0, 5);
  (*cluster)[2].is_reporting = false;
  (*cluster)[1].is_reporting = false;
  cluster->Pass(absl::Seconds(5));
  EXPECT_THAT(Told(*cluster, 0), ElementsAre(6));
  EXPECT_EQ((*cluster)[0].link->failures.size(), 2u);
}

TEST(Preemption, WhoLeavesIsNotWaitedFor) {
  auto cluster = Joined(3);
  Answer<Nothing> left;
  cluster->coordinator.Leave((*cluster)[2].incarnation(), absl::Seconds(60),
                             left.done());
  Notice(*cluster, 0);
  EXPECT_THAT((*cluster)[2].link->preemptions, IsEmpty());
  Say(*cluster, 0, 5);
  EXPECT_THAT(Told(*cluster, 0), IsEmpty());
  cluster->coordinator.Leave((*cluster)[1].incarnation(), absl::Seconds(60),
                             left.done());
  EXPECT_THAT(Told(*cluster, 0), ElementsAre(6));
}

TEST(Preemption, NobodyIsLeft) {
  auto cluster = Joined(1);
  const Answer<int64_t> operators = Request(*cluster, "");
  Answer<Nothing> left;
  cluster->coordinator.Leave((*cluster)[0].incarnation(), absl::Seconds(60),
                             left.done());
  EXPECT_EQ(operators.status().code(), absl::StatusCode::kAborted);
}

// Host 1 ends, and comes back as `incarnation`.
TestWorker& ComeBack(SimulatedCluster& cluster, uint64_t incarnation) {
  cluster[1].is_reporting = false;
  cluster.Pass(absl::Seconds(5));
  return cluster.Join(Info("b", incarnation));
}

TEST(Preemption, WhoComesBackMeanwhileCountsAnew) {
  auto cluster = Joined(3);
  Notice(*cluster, 0);
  Say(*cluster, 0, 5);
  Say(*cluster, 1, 20);
  const TestWorker& again = ComeBack(*cluster, 7);
  EXPECT_THAT(again.link->preemptions, ElementsAre(1));
  // Of its former life.
  cluster->coordinator.AnswerPreemption((*cluster)[1].incarnation(), 1, 20);
  Say(*cluster, 2, 6);
  EXPECT_THAT(Told(*cluster, 0), IsEmpty());
  Say(*cluster, 3, kNoStep);
  for (int i : {0, 2, 3}) EXPECT_THAT(Told(*cluster, i), ElementsAre(7));
}

TEST(Preemption, WhoComesBackAfterwardsHearsTheSyncStep) {
  auto cluster = Joined(2);
  Notice(*cluster, 0);
  Say(*cluster, 0, 5);
  Say(*cluster, 1, 5);
  const TestWorker& again = ComeBack(*cluster, 7);
  EXPECT_THAT(again.link->preemptions, IsEmpty());
  EXPECT_THAT(Told(*cluster, 2), ElementsAre(6));
}

TEST(Preemption, AClusterThatFormsAnewHearsNothing) {
  auto cluster = Joined(1);
  Notice(*cluster, 0);
  Say(*cluster, 0, 5);
  Answer<Nothing> left;
  cluster->coordinator.Leave((*cluster)[0].incarnation(), absl::Seconds(60),
                             left.done());
  cluster->Join(Info("a", 7));
  EXPECT_THAT((*cluster)[1].link->outcomes, IsEmpty());
  Notice(*cluster, 1);
  Say(*cluster, 1, 2);
  EXPECT_THAT(Told(*cluster, 1), ElementsAre(3));
}

TEST(Preemption, AtTheDeadlineThoseWhoDidNotAnswerAreNamed) {
  CoordinatorOptions options;
  EXPECT_EQ(options.preemption_deadline, absl::Seconds(30));
  options.preemption_deadline = absl::Seconds(2);
  auto cluster = Joined(3, options);
  Notice(*cluster, 0);
  Say(*cluster, 0, 5);
  Say(*cluster, 2, 5);
  cluster->Pass(absl::Seconds(1));
  EXPECT_THAT(Told(*cluster, 0), IsEmpty());
  cluster->Pass(absl::Seconds(1));
  // On the one that did not answer, too.
  for (int i : {0, 1, 2}) {
    ASSERT_EQ((*cluster)[i].link->outcomes.size(), 1u);
    const absl::Status status =
        (*cluster)[i].link->outcomes[0].sync_step.status();
    EXPECT_EQ(status.code(), absl::StatusCode::kDeadlineExceeded);
    EXPECT_THAT(
        status.message(),
        AllOf(HasSubstr("the preemption of host 0 (a)"), HasSubstr("2 of 3"),
              HasSubstr("missing: host 1 (b)"), Not(HasSubstr("host 2"))));
  }
  // Too late; and the next notice is another agreement.
  Say(*cluster, 1, 9);
  EXPECT_EQ((*cluster)[0].link->outcomes.size(), 1u);
  Notice(*cluster, 0);
  for (int i : {0, 1, 2}) Say(*cluster, i, 9);
  EXPECT_EQ(Told(*cluster, 1).back(), 10);
}

TEST(Preemption, ANoticeMayHaveADeadlineOfItsOwn) {
  auto cluster = Joined(2);
  cluster->coordinator.NoticePreemption((*cluster)[0].incarnation(),
                                        absl::Seconds(1));
  cluster->Pass(absl::Seconds(1));
  EXPECT_EQ((*cluster)[0].link->outcomes.size(), 1u);
}

TEST(Preemption, AnOperatorNamesAHostByIdOrName) {
  auto cluster = Joined(2);
  for (const char* host : {"b", "1"}) {
    const Answer<int64_t> answer = Request(*cluster, host);
    Say(*cluster, 0, 3);
    EXPECT_FALSE(answer.has_come());
    Say(*cluster, 1, 4);
    EXPECT_EQ(*answer.get(), 5);
  }
  EXPECT_EQ(Request(*cluster, "2").status().code(),
            absl::StatusCode::kNotFound);
  EXPECT_THAT(Request(*cluster, "c").message(),
              AllOf(HasSubstr("'c'"), HasSubstr("2 hosts")));
  (*cluster)[1].is_reporting = false;
  cluster->Pass(absl::Seconds(5));
  const Answer<int64_t> dead = Request(*cluster, "b");
  EXPECT_EQ(dead.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(dead.message(), HasSubstr("host 1 (b)"));
}

TEST(Preemption, AnAnswerAfterTheDeadlineIsNoneOfTheNextAgreement) {
  auto cluster = Joined(2);
  Notice(*cluster, 0);
  Say(*cluster, 0, 5);
  const int64_t expired = (*cluster)[1].link->preemptions.back();
  cluster->Pass(absl::Seconds(30));
  ASSERT_THAT(Told(*cluster, 0), ElementsAre(-9));
  Notice(*cluster, 0);
  cluster->coordinator.AnswerPreemption((*cluster)[1].incarnation(), expired,
                                        50);
  Say(*cluster, 0, 6);
  EXPECT_THAT(Told(*cluster, 0), ElementsAre(-9));
  Say(*cluster, 1, 7);
  EXPECT_THAT(Told(*cluster, 0), ElementsAre(-9, 8));
}

// As after a stream that broke.
TEST(Preemption, TheFirstAnswerOfAHostCounts) {
  auto cluster = Joined(2);
  Notice(*cluster, 0);
  Say(*cluster, 0, 5);
  Say(*cluster, 0, 50);
  Say(*cluster, 1, 7);
  EXPECT_THAT(Told(*cluster, 0), ElementsAre(8));
}

TEST(Preemption, AnOperatorIsToldThatTheClusterIsNotComplete) {
  CoordinatorOptions options;
  options.expected_hosts = 2;
  SimulatedCluster cluster(std::move(options));
  cluster.Join(Info("a", 1));
  const Answer<int64_t> answer = Request(cluster, "");
  EXPECT_EQ(answer.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(answer.message(), HasSubstr("not complete"));
}

TEST(Preemption, ADaemonThatIsDeadRefusesNothing) {
  CoordinatorOptions options;
  options.expected_hosts = 2;
  SimulatedCluster cluster(std::move(options));
  cluster.Join(Info("a", 1));
  cluster.Join(SimulatedCluster::Info("b", 2));
  cluster[1].is_reporting = false;
  cluster.Pass(absl::Seconds(5));
  const Answer<int64_t> answer = Request(cluster, "");
  Say(cluster, 0, 5);
  ASSERT_TRUE(answer.has_come());
  EXPECT_EQ(answer.get().value_or(-1), 6) << answer.message();
}

TEST(Preemption, AnOperatorIsToldThatDaemonsHaveNoSteps) {
  auto cluster = SimulatedCluster::Joined(2);
  for (const char* host : {"", "b"}) {
    const Answer<int64_t> answer = Request(*cluster, host);
    EXPECT_EQ(answer.status().code(), absl::StatusCode::kFailedPrecondition);
    EXPECT_THAT(answer.message(),
                AllOf(HasSubstr("host 0 (a)"), HasSubstr("daemon")));
  }
  EXPECT_THAT((*cluster)[0].link->preemptions, IsEmpty());
}

}  // namespace
}  // namespace lockstep::internal
