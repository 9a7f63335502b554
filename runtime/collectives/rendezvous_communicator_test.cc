#include "runtime/collectives/rendezvous_communicator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

namespace lockstep::internal {
namespace {

using ::testing::HasSubstr;

TEST(RendezvousCommunicatorTest, PartsAreAsManyAsMembersOnBothSides) {
  LaunchFailures failures;
  Rendezvous::Options options;
  options.key = CliqueKey({{GlobalDeviceId(0), HostId(0), Incarnation(1)},
                           {GlobalDeviceId(1), HostId(1), Incarnation(1)}});
  options.local_ranks = {0};
  int executed = 0;
  options.execute = [&](absl::Span<const Arrival* const>) {
    ++executed;
    return absl::OkStatus();
  };
  options.fail_launch = [](const LaunchId&, const absl::Status&) {};
  options.failures = &failures;
  options.clock = Clock::Real();
  const CliqueKey key = options.key;
  Rendezvous rendezvous(std::move(options));
  RendezvousCommunicator communicator(key, 0, &rendezvous, nullptr);
  CancellationToken cancellation;
  CollectiveCall call;
  call.cancellation = &cancellation;
  const std::vector<std::byte> operand(8);
  std::vector<std::byte> result(8);
  const auto run = [&](const TensorParts& sent, const TensorParts& received) {
    return communicator.AllToAllOfPartsOnHost(call, sent, received, operand,
                                              absl::MakeSpan(result));
  };
  const TensorParts two{1, 2, 4};
  EXPECT_TRUE(run(two, two).ok());
  EXPECT_EQ(executed, 1);
  const TensorParts four{1, 4, 2};
  for (const absl::Status& status : {run(four, two), run(two, four)}) {
    EXPECT_EQ(status.code(), absl::StatusCode::kInternal);
    EXPECT_THAT(std::string(status.message()),
                HasSubstr("expected as many chunks as members of 4 bytes, "
                          "found 8"));
  }
  EXPECT_EQ(executed, 1);
}

}  // namespace
}  // namespace lockstep::internal
