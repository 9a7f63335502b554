#include "proto/convert.h"

#include <string>

#include "absl/status/status.h"
#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

std::string Sent(absl::string_view message) {
  std::string bytes;
  EXPECT_TRUE(
      ToProto(absl::InvalidArgumentError(message)).SerializeToString(&bytes));
  proto::Status received;
  EXPECT_TRUE(received.ParseFromString(bytes));
  return std::string(FromProto(received).message());
}

// A program's text may have any bytes in names and places; an error that quotes
// it must arrive all the same.
TEST(ConvertTest, MessagesArriveWhateverTheyQuote) {
  EXPECT_EQ(Sent("gr\xC3\xB6\xC3\x9F"
                 "e \xE2\x82\xAC \xF0\x9F\x98\x80"),
            "gr\xC3\xB6\xC3\x9F"
            "e \xE2\x82\xAC \xF0\x9F\x98\x80");
  EXPECT_EQ(Sent("\xFF.py:1:1: add"), "?.py:1:1: add");
  EXPECT_EQ(Sent("a\xC3"), "a?");
  EXPECT_EQ(Sent("\xC0\x80 \xED\xA0\x80"), "?? ???");
}

// M-28.
TEST(ConvertTest, OutcomesOfPreemptionsArriveWithTheirStepOrError) {
  const PreemptionOutcome agreed = FromProto(ToProto(PreemptionOutcome{3, 0}));
  EXPECT_EQ(agreed.agreement, 3);
  EXPECT_EQ(*agreed.sync_step, 0);
  const PreemptionOutcome failed = FromProto(
      ToProto(PreemptionOutcome{4, absl::DeadlineExceededError("host 1")}));
  EXPECT_EQ(failed.sync_step.status(), absl::DeadlineExceededError("host 1"));
}

}  // namespace
}  // namespace lockstep::internal
