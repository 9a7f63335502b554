// Spec M-19, as far as reports and meetings show it.
#include "coordinator/launches/call_ledger.h"

#include "coordinator/simulated_cluster.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

constexpr uint64_t kSequence = 5;
const CallDescription kTrain{11, "train(0: float32[2]) at train.cc:12"};
const CallDescription kEval{12, "eval(0: float32[3]) at train.cc:40"};

HostRef Host(int id) {
  return {HostId(id), std::string(1, static_cast<char>('a' + id)),
          Incarnation(id + 1)};
}

// What a host of `hosts` reports after it made `calls`, of which it tells the
// last `told`.
SequenceProgress Made(const std::vector<CallDescription>& calls, int hosts,
                      size_t told = 100) {
  SequenceProgress progress;
  progress.sequence = kSequence;
  for (int i = 0; i < hosts; ++i) progress.participants.push_back(HostId(i));
  progress.last = LaunchNumber(static_cast<int64_t>(calls.size()));
  progress.is_over = true;
  for (size_t i = calls.size() - std::min(told, calls.size()); i < calls.size();
       ++i) {
    progress.digests.push_back({calls[i].digest});
    progress.descriptions.push_back(calls[i]);
  }
  return progress;
}

class CallLedgerTest : public ::testing::Test {
 protected:
  absl::Time now_ = absl::UnixEpoch();
  CallLedger ledger_{absl::Seconds(1)};
};

TEST_F(CallLedgerTest, EqualCallsAreNoDifference) {
  ledger_.Report(Host(0), Made({kTrain, kTrain, kEval}, 2), now_);
  ledger_.Report(Host(1), Made({kTrain, kTrain}, 2), now_);
  ledger_.Report(Host(1), Made({kTrain, kTrain, kEval}, 2), now_);
  EXPECT_THAT(ledger_.Tick(now_ + absl::Seconds(5)), IsEmpty());
}

TEST_F(CallLedgerTest, ProgramsThatAreKnownTellCallsApart) {
  SequenceProgress first = Made({kTrain, kTrain, kTrain}, 3);
  SequenceProgress second = first;
  SequenceProgress third = first;
  first.digests[1].program = 0xa;  // the others compile it
  first.digests[2].program = second.digests[2].program = 0xa;
  third.digests[2].program = 0xb;
  ledger_.Report(Host(1), second, now_);
  ledger_.Report(Host(0), first, now_);
  EXPECT_THAT(ledger_.Tick(now_), IsEmpty());
  ledger_.Report(Host(2), third, now_);
  const auto differences = ledger_.Tick(now_);
  ASSERT_THAT(differences, SizeIs(1));
  EXPECT_EQ(differences[0].call, (LaunchKey{kSequence, LaunchNumber(3)}));
  EXPECT_EQ(differences[0].origin.id, HostId(2));
  EXPECT_THAT(std::string(differences[0].status.message()),
              AllOf(HasSubstr("host 0 (a), host 1 (b) make call 3, train("),
                    HasSubstr("program 000000000000000a"),
                    HasSubstr("program 000000000000000b")));
}

TEST_F(CallLedgerTest, AProgramMayBeToldAfterItsCall) {
  SequenceProgress first = Made({kTrain, kTrain}, 2);
  SequenceProgress second = first;
  ledger_.Report(Host(0), first, now_);
  ledger_.Report(Host(1), second, now_);
  EXPECT_THAT(ledger_.Tick(now_), IsEmpty());
  first.digests[1].program = 0xa;
  second.digests[1].program = 0xa;
  ledger_.Report(Host(0), first, now_);
  ledger_.Report(Host(1), second, now_);
  EXPECT_THAT(ledger_.Tick(now_), IsEmpty());
  first.digests[0].program = 0xa;
  second.digests[0].program = 0xb;
  ledger_.Report(Host(0), first, now_);
  ledger_.Report(Host(1), second, now_);
  const auto differences = ledger_.Tick(now_);
  ASSERT_THAT(differences, SizeIs(1));
  EXPECT_EQ(differences[0].call, (LaunchKey{kSequence, LaunchNumber(1)}));
  EXPECT_THAT(std::string(differences[0].status.message()),
              AllOf(HasSubstr("program 000000000000000a"),
                    HasSubstr("program 000000000000000b")));
}

TEST_F(CallLedgerTest, UnequalCountsNameTheFirstCallThatAHostHasNotMade) {
  ledger_.Report(Host(0), Made({kTrain, kTrain, kEval}, 2), now_);
  EXPECT_THAT(ledger_.UnequalCounts(), IsEmpty());
  ledger_.Report(Host(1), Made({kTrain}, 2), now_);
  const auto differences = ledger_.UnequalCounts();
  ASSERT_THAT(differences, SizeIs(1));
  EXPECT_EQ(differences[0].call, (LaunchKey{kSequence, LaunchNumber(2)}));
  EXPECT_EQ(differences[0].origin.id, HostId(1));
  EXPECT_THAT(std::string(differences[0].status.message()),
              AllOf(HasSubstr("host 0 (a) makes call 2, train("),
                    HasSubstr("host 1 (b) has left without it")));
  ledger_.Report(Host(1), Made({kTrain, kTrain, kEval}, 2), now_);
  EXPECT_THAT(ledger_.UnequalCounts(), IsEmpty());
}

TEST_F(CallLedgerTest, CountsBehindADifferenceAreNoNews) {
  ledger_.Report(Host(0), Made({kTrain, kTrain}, 2), now_);
  ledger_.Report(Host(1), Made({kEval}, 2), now_);
  EXPECT_THAT(ledger_.Tick(now_ + absl::Seconds(5)), SizeIs(1));
  EXPECT_THAT(ledger_.UnequalCounts(), IsEmpty());
}

TEST_F(CallLedgerTest, ADifferenceNamesBothHostsAndCallsOnce) {
  ledger_.Report(Host(0), Made({kTrain, kTrain}, 2), now_);
  ledger_.Report(Host(1), Made({kTrain, kEval}, 2), now_);
  const auto differences = ledger_.Tick(now_);
  ASSERT_THAT(differences, SizeIs(1));
  EXPECT_EQ(differences[0].call, (LaunchKey{kSequence, LaunchNumber(2)}));
  EXPECT_TRUE(absl::IsFailedPrecondition(differences[0].status));
  EXPECT_THAT(
      differences[0].status.message(),
      AllOf(HasSubstr("host 0 (a) makes call 2, train(0: float32[2]) at "
                      "train.cc:12"),
            HasSubstr("host 1 (b) makes call 2, eval(0: float32[3]) at "
                      "train.cc:40")));
  ledger_.Report(Host(1), Made({kTrain, kEval}, 2), now_);
  EXPECT_THAT(ledger_.Tick(now_ + absl::Seconds(5)), IsEmpty());
}

TEST_F(CallLedgerTest, TheFewestHostsAreTheOrigin) {
  ledger_.Report(Host(1), Made({kEval}, 3), now_);
  ledger_.Report(Host(0), Made({kTrain}, 3), now_);
  // Who has not told yet gets a moment.
  EXPECT_THAT(ledger_.Tick(now_), IsEmpty());
  ledger_.Report(Host(2), Made({kTrain}, 3), now_);
  const auto differences = ledger_.Tick(now_);
  ASSERT_THAT(differences, SizeIs(1));
  EXPECT_EQ(differences[0].origin, Host(1));
  EXPECT_THAT(differences[0].status.message(),
              HasSubstr("host 0 (a), host 2 (c) make call 1, train"));
}

TEST_F(CallLedgerTest, AHostThatNeverTellsIsNotWaitedFor) {
  ledger_.Report(Host(1), Made({kEval}, 3), now_);
  ledger_.Report(Host(0), Made({kTrain}, 3), now_);
  EXPECT_THAT(ledger_.Tick(now_ + absl::Seconds(1)), SizeIs(1));
}

TEST_F(CallLedgerTest, CallsAfterADifferenceAreComparedAnew) {
  ledger_.Report(Host(0), Made({kTrain}, 2), now_);
  ledger_.Report(Host(1), Made({kEval}, 2), now_);
  EXPECT_THAT(ledger_.Tick(now_), SizeIs(1));
  ledger_.Report(Host(0), Made({kTrain, kTrain}, 2), now_);
  ledger_.Report(Host(1), Made({kEval, kTrain}, 2), now_);
  EXPECT_THAT(ledger_.Tick(now_ + absl::Seconds(5)), IsEmpty());
  ledger_.Report(Host(0), Made({kTrain, kTrain, kEval}, 2), now_);
  ledger_.Report(Host(1), Made({kEval, kTrain, kTrain}, 2), now_);
  EXPECT_THAT(ledger_.Tick(now_), SizeIs(1));
}

TEST_F(CallLedgerTest, ReportsMayBeLost) {
  std::vector<CallDescription> calls(50, kTrain);
  ledger_.Report(Host(0), Made({kTrain}, 2), now_);
  ledger_.Report(Host(0), Made(calls, 2, /*told=*/10), now_);
  ledger_.Report(Host(1), Made(calls, 2, /*told=*/50), now_);
  EXPECT_THAT(ledger_.Tick(now_ + absl::Seconds(5)), IsEmpty());
  EXPECT_EQ(ledger_.TextOf(HostId(0), {kSequence, LaunchNumber(45)}),
            kTrain.text);
  EXPECT_EQ(ledger_.TextOf(HostId(0), {kSequence, LaunchNumber(20)}), "");
}

TEST_F(CallLedgerTest, KnowsWhoIsPastACall) {
  SequenceProgress progress = Made({kTrain, kTrain}, 2);
  progress.is_over = false;
  ledger_.Report(Host(0), progress, now_);
  EXPECT_TRUE(ledger_.IsOver(HostId(0), {kSequence, LaunchNumber(1)}));
  EXPECT_FALSE(ledger_.IsOver(HostId(0), {kSequence, LaunchNumber(2)}));
  EXPECT_FALSE(ledger_.IsOver(HostId(1), {kSequence, LaunchNumber(1)}));
  ledger_.Forget(HostId(1));
  EXPECT_FALSE(ledger_.IsOver(HostId(0), {kSequence, LaunchNumber(1)}));
}

// ---- within the coordinator ----

AxisQuery Query(const CallDescription& description, int64_t number) {
  AxisQuery query;
  query.call = {kSequence, LaunchNumber(number)};
  query.key = MeetingKey(query.call);
  query.function = "f";
  query.axis_name = "i";
  query.axis_size = 2;
  query.description = description;
  return query;
}

Answer<SharedAxis> Resolve(SimulatedCluster& cluster, int worker,
                           const AxisQuery& query) {
  Answer<SharedAxis> answer;
  cluster.coordinator.ResolveAxis(cluster[worker].incarnation(), query,
                                  absl::ZeroDuration(), answer.done());
  return answer;
}

TEST(CallsOfACluster, FirstCallsInOppositeOrdersFailAtOnce) {
  auto cluster = SimulatedCluster::Joined(2);
  auto a = Resolve(*cluster, 0, Query(kTrain, 1));
  auto b = Resolve(*cluster, 1, Query(kEval, 1));
  for (const auto& answer : {a, b}) {
    ASSERT_TRUE(answer.has_come());
    EXPECT_TRUE(absl::IsFailedPrecondition(answer.status()));
    EXPECT_THAT(answer.message(), AllOf(HasSubstr("host 0 (a) makes call 1, "
                                                  "train"),
                                        HasSubstr("host 1 (b) makes call 1, "
                                                  "eval")));
  }
}

TEST(CallsOfACluster, AFailedCallEndsTheMeetingsOfTheOthersNowAndLater) {
  auto cluster = SimulatedCluster::Joined(3);
  auto a = Resolve(*cluster, 0, Query(kTrain, 3));
  LaunchFailure failure;
  failure.launch = {kSequence, LaunchNumber(3)};
  failure.participants = {HostId(0), HostId(1), HostId(2)};
  failure.call = kTrain.text;
  failure.status = absl::InvalidArgumentError("a row too few");
  cluster->coordinator.ReportLaunchFailure((*cluster)[1].incarnation(),
                                           failure);
  auto c = Resolve(*cluster, 2, Query(kTrain, 3));
  for (const auto& answer : {a, c}) {
    ASSERT_TRUE(answer.has_come());
    EXPECT_TRUE(absl::IsAborted(answer.status())) << answer.status();
    EXPECT_THAT(answer.message(),
                AllOf(HasSubstr("host 1 (b)"), HasSubstr("a row too few"),
                      HasSubstr("call 3, train(0: float32[2])")));
  }
  EXPECT_FALSE(Resolve(*cluster, 0, Query(kTrain, 4)).has_come());
}

TEST(CallsOfACluster, DifferentCallsWithoutACollectiveAreToldToAll) {
  auto cluster = SimulatedCluster::Joined(2);
  (*cluster)[0].report.sequences = {Made({kTrain}, 2)};
  (*cluster)[1].report.sequences = {Made({kEval}, 2)};
  cluster->Pass(absl::Seconds(3));
  for (int i : {0, 1}) {
    ASSERT_THAT((*cluster)[i].link->failures, SizeIs(1));
    const Failure& failure = (*cluster)[i].link->failures[0];
    EXPECT_TRUE(absl::IsFailedPrecondition(failure.ToStatus()));
    EXPECT_THAT(failure.ToStatus().message(),
                AllOf(HasSubstr("host 0 (a) makes call 1, train"),
                      HasSubstr("host 1 (b) makes call 1, eval")));
  }
}

// A host that has compiled the function does not come where the other waits.
TEST(CallsOfACluster, AHostThatIsPastAMeetingEndsIt) {
  auto cluster = SimulatedCluster::Joined(2);
  (*cluster)[0].report.sequences = {Made({kTrain}, 2)};
  (*cluster)[1].report.sequences = {Made({kTrain}, 2)};
  (*cluster)[1].report.sequences[0].is_over = false;
  auto waiting = Resolve(*cluster, 1, Query(kTrain, 1));
  cluster->Pass(absl::Seconds(4));
  ASSERT_TRUE(waiting.has_come());
  EXPECT_TRUE(absl::IsFailedPrecondition(waiting.status()));
  EXPECT_THAT(waiting.message(),
              HasSubstr("host 0 (a) has made call 1, train"));
  ASSERT_THAT((*cluster)[0].link->failures, SizeIs(1));
}

TEST(CallsOfACluster, NextLifeCountsAnewAndIsComparedAnew) {
  auto cluster = SimulatedCluster::Joined(2);
  for (int i : {0, 1}) (*cluster)[i].report.sequences = {Made({kTrain}, 2)};
  cluster->Pass(absl::Seconds(2));
  (*cluster)[1].is_reporting = false;
  cluster->Pass(absl::Seconds(4));
  TestWorker& next = cluster->Join(SimulatedCluster::Info("b", 99));
  ASSERT_TRUE(next.joined.has_come());
  SequenceProgress anew = Made({kEval}, 2);
  anew.sequence = kSequence + 1;
  (*cluster)[0].report.sequences = {anew};
  next.report.sequences = {anew};
  (*cluster)[0].link->failures.clear();
  cluster->Pass(absl::Seconds(3));
  EXPECT_THAT((*cluster)[0].link->failures, IsEmpty());
  EXPECT_THAT(next.link->failures, IsEmpty());
}

// ---- the global view ----

LoadProgram Load(ClientId client) {
  LoadProgram load;
  load.program = {client, 1};
  load.assignment = DeviceAssignment::Iota(4, 1);
  return load;
}

TEST(CallsOfACluster, ProgramsOfAnEarlierLifeMustBeLoadedAgain) {
  auto cluster = SimulatedCluster::Joined(2);
  auto link = std::make_shared<TestClientLink>();
  Coordinator& coordinator = cluster->coordinator;
  const ClientId client = coordinator.OpenClient("test", link);
  ASSERT_TRUE(coordinator.Submit(client, Load(client)).ok());
  LaunchProgram launch;
  launch.program = {client, 1};
  ASSERT_TRUE(coordinator.Submit(client, launch).ok());
  const Epoch before = (*cluster)[0].link->commands.back().epoch;
  (*cluster)[1].is_reporting = false;
  cluster->Pass(absl::Seconds(4));
  cluster->Join(SimulatedCluster::Info("b", 99));
  const absl::Status status = coordinator.Submit(client, launch);
  EXPECT_TRUE(absl::IsFailedPrecondition(status)) << status;
  EXPECT_THAT(status.message(),
              AllOf(HasSubstr("host 1 (b)"), HasSubstr("load it again")));
  ASSERT_TRUE(coordinator.Submit(client, Load(client)).ok());
  EXPECT_TRUE(coordinator.Submit(client, launch).ok());
  EXPECT_GT((*cluster)[0].link->commands.back().epoch, before);
}

}  // namespace
}  // namespace lockstep::internal
