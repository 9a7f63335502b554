#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "runtime/collectives/hierarchical/host_collective.h"

namespace lockstep::internal {
namespace {

// The other hosts send ones.
class OnesExchange : public MessageExchange {
 public:
  absl::Status Exchange(const Arrival&, absl::Span<const HostStream> streams,
                        HostMessages& messages) override {
    has_work_alone = messages.has_work_alone();
    while (messages.has_work_alone()) messages.WorkAlone();
    for (int host = 1; host < std::ssize(streams); ++host) {
      for (int i = 0; i < streams[host].sent; ++i) {
        const PayloadPtr payload = messages.Message(host, i).value();
        const auto bytes = payload->span();
        sent.insert(sent.end(), bytes.begin(), bytes.end());
      }
      for (int i = 0; i < streams[host].received; ++i) {
        auto message = buffers.Get(messages.ExpectedBytes(host, i));
        std::fill(message->span().begin(), message->span().end(), std::byte{1});
        const absl::Status taken = messages.Take(host, i, std::move(message));
        if (!taken.ok()) return taken;
      }
    }
    return absl::OkStatus();
  }

  MessageBufferPool buffers;
  bool has_work_alone = false;
  std::vector<std::byte> sent;
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
    context.message_bytes = message_bytes_;
    return RunHostCollective(context);
  }

  const CliquePlan plan_{
      CliqueKey({{GlobalDeviceId(0), HostId(0), Incarnation(1)},
                 {GlobalDeviceId(1), HostId(1), Incarnation(1)}}),
      HostId(0)};
  OnesExchange exchange_;
  int64_t message_bytes_ = int64_t{64} << 10;
};

TEST_F(HostMovementTest, OnlyWhatStaysOnTheHostIsWorkAlone) {
  const std::vector<std::byte> operand(size_t{1} << 20, std::byte{7});
  std::vector<std::byte> result(2 * operand.size());
  Arrival gather;
  gather.kind = CollectiveKind::kAllGather;
  gather.operand = operand;
  gather.result = absl::MakeSpan(result);
  ASSERT_TRUE(Run(gather).ok());
  EXPECT_TRUE(exchange_.has_work_alone);
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
  EXPECT_FALSE(exchange_.has_work_alone);
  EXPECT_EQ(result.front(), std::byte{1});
}

// Parts of 3 bytes whose ends are within messages and blocks.
TEST_F(HostMovementTest, MessagesCutPiecesAnywhere) {
  for (int64_t message_bytes = 1; message_bytes <= 20; ++message_bytes) {
    std::vector<std::byte> operand(5 * 2 * 3);
    for (size_t i = 0; i < operand.size(); ++i) operand[i] = std::byte(i + 2);
    std::vector<std::byte> result(operand.size());
    Arrival arrival;
    arrival.kind = CollectiveKind::kAllToAll;
    arrival.operand = operand;
    arrival.result = absl::MakeSpan(result);
    arrival.sent = {.outer = 5, .parts = 2, .block = 3};
    arrival.received = {.outer = 3, .parts = 2, .block = 5};
    exchange_.sent.clear();
    message_bytes_ = message_bytes;
    ASSERT_TRUE(Run(arrival).ok());
    std::vector<std::byte> kept, sent, received;
    for (size_t i = 0; i < operand.size(); ++i) {
      (i / 3 % 2 == 0 ? kept : sent).push_back(operand[i]);
      if (i / 5 % 2 == 0) {
        received.push_back(result[i]);
      } else {
        EXPECT_EQ(result[i], std::byte{1}) << i;
      }
    }
    EXPECT_TRUE(exchange_.sent == sent) << message_bytes;
    EXPECT_TRUE(received == kept) << message_bytes;
  }
}

}  // namespace
}  // namespace lockstep::internal
