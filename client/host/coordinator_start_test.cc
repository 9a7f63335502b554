// M-2, M-16: whose turn it is to start the coordinator, and where.
#include "client/host/coordinator_start.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "client/host/pmix/in_memory_pmix_client.h"
#include "client/host/pmix/pmix_client.h"

namespace lockstep::internal {
namespace {

using ::testing::HasSubstr;

LocalFacts FactsWith(PmixClient& pmix) {
  return {.machine_name = "localhost",
          .pmix = [&]() -> absl::StatusOr<PmixClient*> { return &pmix; }};
}

TEST(CoordinatorStartTest, HostsOfPmixTakeTheAddressThatRank0Publishes) {
  PmixTable table;
  InMemoryPmixClient first({.rank = 0, .count = 2}, table);
  InMemoryPmixClient second({.rank = 1, .count = 2}, table);
  ASSERT_TRUE(first.Publish("lockstep.coordinator", "10.0.0.1:4711").ok());
  ResolvedOptions options;
  options.meets_by_pmix = true;
  ASSERT_TRUE(MeetByPmix(FactsWith(second), options).ok());
  EXPECT_EQ(options.coordinator_address, "10.0.0.1:4711");
}

TEST(CoordinatorStartTest, HostsOfPmixThatHearNothingSayFromWhom) {
  PmixTable table;
  InMemoryPmixClient second({.rank = 1, .count = 2}, table);
  ResolvedOptions options;
  const absl::Status status = MeetByPmix(FactsWith(second), options);
  EXPECT_EQ(status.code(), absl::StatusCode::kDeadlineExceeded);
  EXPECT_THAT(std::string(status.message()), HasSubstr("rank 0"));
}

TEST(CoordinatorStartTest, Rank0OfSeveralMachinesDoesNotMeetOnLoopback) {
  PmixTable table;
  InMemoryPmixClient first({.rank = 0, .count = 2, .local_count = 1}, table);
  ResolvedOptions options;
  const absl::Status status = MeetByPmix(FactsWith(first), options);
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  for (const char* name : {"localhost", "127.0.0.1", "LOCKSTEP_INTERFACE"}) {
    EXPECT_THAT(std::string(status.message()), HasSubstr(name));
  }
}

TEST(CoordinatorStartTest, ErrorsOfJoiningHaveTheAddressThatNobodyGave) {
  const absl::Status refused = absl::FailedPreconditionError("refused");
  ResolvedOptions options;
  options.coordinator_address = "gpu01:65337";
  EXPECT_EQ(OfLauncher(options, refused), refused);
  options.is_address_of_launcher = true;
  options.launcher = "slurm";
  EXPECT_THAT(std::string(OfLauncher(options, refused).message()),
              HasSubstr("slurm at gpu01:65337: refused"));
}

}  // namespace
}  // namespace lockstep::internal
