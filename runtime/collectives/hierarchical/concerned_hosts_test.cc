// Which hosts a collective talks to.
#include <cstddef>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/collectives/hierarchical/host_collective.h"

namespace lockstep::internal {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Carries nothing.
class NotingExchange : public MessageExchange {
 public:
  absl::Status Exchange(const Arrival&, absl::Span<const HostStream> streams,
                        HostMessages&) override {
    for (size_t host = 0; host < streams.size(); ++host) {
      if (streams[host].is_concerned) concerned.insert(static_cast<int>(host));
      sent += streams[host].sent;
    }
    return absl::CancelledError("noted");
  }

  std::set<int> concerned;  // this host, too, where the collective says so
  int sent = 0;
};

// One rank per host, this one's that of `self`.
NotingExchange RunOne(int hosts, int self, Arrival arrival) {
  std::vector<CliqueMember> members;
  for (int host = 0; host < hosts; ++host) {
    members.push_back({GlobalDeviceId(host), HostId(host), Incarnation(1)});
  }
  const CliquePlan plan(CliqueKey(std::move(members)), HostId(self));
  std::vector<std::byte> operand(100);
  std::vector<std::byte> result(100);
  arrival.rank = self;
  arrival.operand = operand;
  arrival.result = absl::MakeSpan(result);
  const Arrival* const arrivals[] = {&arrival};
  NotingExchange exchange;
  MessageBufferPool buffers;
  HostCollectiveContext context;
  context.plan = &plan;
  context.arrivals = arrivals;
  context.exchange = &exchange;
  context.buffers = &buffers;
  EXPECT_EQ(RunHostCollective(context).message(), "noted");
  exchange.concerned.erase(self);
  return exchange;
}

NotingExchange RunPermute(int hosts, int self, std::optional<int> source,
                          const std::vector<int>& targets) {
  Arrival permute;
  permute.kind = CollectiveKind::kPermute;
  permute.source = source;
  permute.targets = targets;
  return RunOne(hosts, self, permute);
}

TEST(ConcernedHostsTest, APermuteTalksToItsSourceAndItsTargets) {
  const NotingExchange exchange = RunPermute(5, 2, 1, {3});
  EXPECT_THAT(exchange.concerned, ElementsAre(1, 3));
  EXPECT_EQ(exchange.sent, 1);
  EXPECT_THAT(RunPermute(5, 2, std::nullopt, {}).concerned, IsEmpty());
}

TEST(ConcernedHostsTest, ASmallAllReduceTalksToOneHostPerRound) {
  const auto concerned = [](int hosts, int self) {
    const auto sum = MakeReduction(ReductionKind::kAdd, ElementType::kF32);
    Arrival all_reduce;
    all_reduce.kind = CollectiveKind::kAllReduce;
    all_reduce.reduction = sum.value().get();
    return RunOne(hosts, self, all_reduce).concerned;
  };
  EXPECT_THAT(concerned(8, 5), ElementsAre(1, 4, 7));
  EXPECT_THAT(concerned(6, 0), ElementsAre(1, 2, 3, 4, 5));
}

TEST(ConcernedHostsTest, ABroadcastTalksToItsNeighboursInATreeFromTheRoot) {
  const auto concerned = [](int self) {
    Arrival broadcast;
    broadcast.kind = CollectiveKind::kBroadcast;
    broadcast.root = 6;
    const NotingExchange exchange = RunOne(8, self, broadcast);
    EXPECT_LE(exchange.sent, 2);
    return exchange.concerned;
  };
  // Places from the root: 6 7 0 1 2 3 4 5.
  EXPECT_THAT(concerned(6), ElementsAre(0, 7));
  EXPECT_THAT(concerned(7), ElementsAre(1, 2, 6));
  EXPECT_THAT(concerned(0), ElementsAre(3, 4, 6));
  EXPECT_THAT(concerned(1), ElementsAre(5, 7));
  EXPECT_THAT(concerned(5), ElementsAre(1));
}

}  // namespace
}  // namespace lockstep::internal
