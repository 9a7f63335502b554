// M-2, M-16: whose turn it is to start the coordinator, and where.
#include "client/host/coordinator_start.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "client/host/pmix/in_memory_pmix_client.h"
#include "client/host/pmix/pmix_client.h"
#include "runtime/worker/host_address.h"

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
  ASSERT_TRUE(FindMeetingPlace(FactsWith(second), options).ok());
  EXPECT_EQ(options.coordinator_address, "10.0.0.1:4711");
}

TEST(CoordinatorStartTest, HostsOfPmixThatHearNothingSayFromWhom) {
  PmixTable table;
  InMemoryPmixClient second({.rank = 1, .count = 2}, table);
  ResolvedOptions options;
  options.meets_by_pmix = true;
  const absl::Status status = FindMeetingPlace(FactsWith(second), options);
  EXPECT_EQ(status.code(), absl::StatusCode::kDeadlineExceeded);
  EXPECT_THAT(std::string(status.message()), HasSubstr("rank 0"));
}

TEST(CoordinatorStartTest, Rank0OfSeveralMachinesDoesNotMeetOnLoopback) {
  PmixTable table;
  InMemoryPmixClient first({.rank = 0, .count = 2, .local_count = 1}, table);
  ResolvedOptions options;
  options.meets_by_pmix = true;
  const absl::Status status = FindMeetingPlace(FactsWith(first), options);
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  for (const char* name : {"localhost", "127.0.0.1", "LOCKSTEP_INTERFACE"}) {
    EXPECT_THAT(std::string(status.message()), HasSubstr(name));
  }
}

// Rank 0 of Slurm's step on two nodes, by a name that leads to 127.0.0.1.
ResolvedOptions RankZeroOfTwoMachines() {
  ResolvedOptions options;
  options.launcher = "slurm";
  options.is_address_of_launcher = true;
  options.spans_machines = true;
  options.requested_rank = 0;
  options.coordinator_address = options.coordinator_bind_address =
      "localhost:65337";
  return options;
}

TEST(CoordinatorStartTest, LaunchersNameOfRank0MayNotLeadToLoopbackEither) {
  ResolvedOptions options = RankZeroOfTwoMachines();
  const absl::Status status =
      FindMeetingPlace({.machine_name = "gpu01"}, options);
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  for (const char* name :
       {"gpu01", "localhost", "127.0.0.1", "LOCKSTEP_INTERFACE"}) {
    EXPECT_THAT(std::string(status.message()), HasSubstr(name));
  }
  // Wherever the coordinator listens: hosts reach each other, too.
  options.coordinator_bind_address = "0.0.0.0:65337";
  EXPECT_EQ(FindMeetingPlace({.machine_name = "gpu01"}, options).code(),
            absl::StatusCode::kFailedPrecondition);
  // Only rank 0 is where the name leads to.
  options.requested_rank = 1;
  EXPECT_TRUE(FindMeetingPlace({.machine_name = "gpu02"}, options).ok());
}

TEST(CoordinatorStartTest, InterfaceSaysWhereRank0OfSeveralMachinesListens) {
  ResolvedOptions options = RankZeroOfTwoMachines();
  options.interface = "lo";
  const absl::Status status =
      FindMeetingPlace({.machine_name = "gpu01"}, options);
  ASSERT_TRUE(status.ok()) << status;
  EXPECT_EQ(options.coordinator_bind_address, "127.0.0.1:65337");
  // It may have another address by its name.
  EXPECT_EQ(options.coordinator_address, "127.0.0.1:65337");
}

TEST(CoordinatorStartTest, OthersFindRank0ByItsNameWhereThatLeadsToANetwork) {
  ResolvedOptions options = RankZeroOfTwoMachines();
  options.coordinator_address = options.coordinator_bind_address =
      "gpu01:65337";
  options.interface = "ib0";
  const LocalFacts facts = {
      .machine_name = "gpu01",
      .find_address = [](absl::string_view, absl::string_view interface,
                         absl::Time) -> absl::StatusOr<HostAddress> {
        if (interface.empty()) return HostAddress{"10.0.0.1", "eth0"};
        return HostAddress{"192.168.0.1", std::string(interface)};
      }};
  const absl::Status status = FindMeetingPlace(facts, options);
  ASSERT_TRUE(status.ok()) << status;
  EXPECT_EQ(options.coordinator_address, "gpu01:65337");
  EXPECT_EQ(options.coordinator_bind_address, "gpu01:65337");
}

TEST(CoordinatorStartTest, InterfaceIsLookedAtWhereTheCoordinatorListensToo) {
  ResolvedOptions options = RankZeroOfTwoMachines();
  options.coordinator_bind_address = "0.0.0.0:65337";
  options.interface = "lo";
  const absl::Status status =
      FindMeetingPlace({.machine_name = "gpu01"}, options);
  ASSERT_TRUE(status.ok()) << status;
  EXPECT_EQ(options.coordinator_bind_address, "0.0.0.0:65337");
  EXPECT_EQ(options.coordinator_address, "127.0.0.1:65337");
}

TEST(CoordinatorStartTest, HostsOfOneMachineMayMeetOnLoopback) {
  ResolvedOptions options = RankZeroOfTwoMachines();
  options.spans_machines = false;
  EXPECT_TRUE(FindMeetingPlace({.machine_name = "gpu01"}, options).ok());
  EXPECT_EQ(options.coordinator_address, "localhost:65337");
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
