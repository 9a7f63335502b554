#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "runtime/collectives/hierarchical/host_collective.h"

namespace lockstep::internal {
namespace {

// The other hosts send ones.
class OnesExchange : public MessageExchange {
 public:
  absl::StatusOr<std::vector<PayloadPtr>> Exchange(
      const Arrival& arrival, int phase, const std::vector<HostPart>& parts,
      const std::function<void()>& meanwhile) override {
    has_work_meanwhile = meanwhile != nullptr;
    if (meanwhile != nullptr) meanwhile();
    std::vector<PayloadPtr> received(parts.size());
    for (size_t host = 0; host < parts.size(); ++host) {
      if (parts[host].payload == nullptr) continue;
      auto message = buffers.Get(parts[host].expected_bytes);
      std::fill(message->span().begin(), message->span().end(), std::byte{1});
      received[host] = std::move(message);
    }
    return received;
  }

  MessageBufferPool buffers;
  bool has_work_meanwhile = false;
};

// Ranks 0 and 1, each on a host of its own, here the first.
class HostMovementTest : public ::testing::Test {
 protected:
  absl::Status Run(Arrival arrival) {
    const Arrival* const arrivals[] = {&arrival};
    HostCollectiveContext context;
    context.plan = &plan_;
    context.arrivals = arrivals;
    context.exchange = &exchange_;
    context.buffers = &exchange_.buffers;
    return RunHostCollective(context);
  }

  const CliquePlan plan_{
      CliqueKey({{GlobalDeviceId(0), HostId(0), Incarnation(1)},
                 {GlobalDeviceId(1), HostId(1), Incarnation(1)}}),
      HostId(0)};
  OnesExchange exchange_;
};

TEST_F(HostMovementTest, OnlyWhatStaysOnTheHostIsCopiedMeanwhile) {
  const std::vector<std::byte> operand(size_t{1} << 20, std::byte{7});
  std::vector<std::byte> result(2 * operand.size());
  Arrival gather;
  gather.kind = CollectiveKind::kAllGather;
  gather.operand = operand;
  gather.result = absl::MakeSpan(result);
  ASSERT_TRUE(Run(gather).ok());
  EXPECT_TRUE(exchange_.has_work_meanwhile);
  EXPECT_EQ(result.front(), std::byte{7});
  EXPECT_EQ(result.back(), std::byte{1});

  const int other = 1;
  Arrival permute;
  permute.kind = CollectiveKind::kPermute;
  permute.operand = operand;
  permute.result = absl::MakeSpan(result).first(operand.size());
  permute.source = other;
  permute.targets = {&other, 1};
  ASSERT_TRUE(Run(permute).ok());
  EXPECT_FALSE(exchange_.has_work_meanwhile);
  EXPECT_EQ(result.front(), std::byte{1});
}

}  // namespace
}  // namespace lockstep::internal
