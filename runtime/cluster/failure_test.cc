#include "runtime/cluster/failure.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

using ::testing::HasSubstr;

const HostRef kGpu03{HostId(3), "gpu03 rack b", Incarnation(0xabcd)};

TEST(Failure, AbortedNamesTheOriginItsStatusAndWhatWasRunning) {
  const absl::Status status =
      AbortedBy(kGpu03, absl::UnavailableError("no report for 3.1s"),
                "all_reduce #812 of launch 5");
  EXPECT_EQ(status.code(), absl::StatusCode::kAborted);
  EXPECT_EQ(status.message(),
            "ended by host 3 (gpu03 rack b), incarnation 000000000000abcd: "
            "UNAVAILABLE: no report for 3.1s; running: all_reduce #812 of "
            "launch 5");
  EXPECT_EQ(OriginOf(status), kGpu03);
}

TEST(Failure, TheFirstCauseIsKept) {
  const absl::Status first =
      AbortedBy(kGpu03, absl::InternalError("broken"), "");
  const HostRef other{HostId(1), "b", Incarnation(7)};
  EXPECT_EQ(AbortedBy(other, first, "launch 9"), first);
}

TEST(Failure, AStatusOfOneHostNamesItAndKeepsItsCode) {
  const absl::Status status = FailedOn(
      kGpu03, absl::ResourceExhaustedError("needs 2 GiB, device has 1 GiB"),
      "");
  EXPECT_EQ(status,
            absl::ResourceExhaustedError(
                "host 3 (gpu03 rack b): needs 2 GiB, device has 1 GiB"));
}

TEST(Failure, AHostThatGivesUpEndsTheWorkOfOthers) {
  const absl::Status given_up = absl::CancelledError("leaves");
  EXPECT_EQ(FailedOn(kGpu03, given_up, "launch 9"),
            AbortedBy(kGpu03, given_up, "launch 9"));
}

TEST(Failure, WhatNamesAnOriginOrLiesBetweenHostsIsToldAsItIs) {
  const HostRef other{HostId(1), "b", Incarnation(7)};
  const absl::Status first =
      AbortedBy(other, absl::InternalError("broken"), "");
  EXPECT_EQ(FailedOn(kGpu03, first, ""), first);
  const absl::Status shared =
      AsSharedCause(absl::FailedPreconditionError("calls differ"));
  EXPECT_EQ(FailedOn(kGpu03, shared, ""), shared);
}

TEST(Failure, OtherStatusesHaveNoOrigin) {
  EXPECT_EQ(OriginOf(absl::AbortedError("by somebody")), std::nullopt);
  EXPECT_EQ(OriginOf(absl::OkStatus()), std::nullopt);
}

TEST(HostList, IsCutAfterTen) {
  std::vector<HostRef> hosts;
  for (int i = 0; i < 12; ++i) {
    hosts.push_back({HostId(i), std::string(1, 'a' + i), Incarnation(1)});
  }
  EXPECT_EQ(HostList(absl::MakeSpan(hosts).subspan(0, 2)),
            "host 0 (a), host 1 (b)");
  EXPECT_THAT(HostList(hosts), HasSubstr("host 9 (j) and 2 more"));
  EXPECT_THAT(HostList(hosts), Not(HasSubstr("host 10")));
}

}  // namespace
}  // namespace lockstep::internal
