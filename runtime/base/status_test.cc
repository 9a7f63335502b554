#include "runtime/base/status.h"

#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

absl::StatusOr<int> Half(int x) {
  if (x % 2 != 0) return absl::InvalidArgumentError("odd");
  return x / 2;
}

absl::StatusOr<int> Quarter(int x) {
  ASSIGN_OR_RETURN(int half, Half(x));
  ASSIGN_OR_RETURN(half, Half(half));
  return half;
}

absl::Status CheckQuarter(int x) {
  RETURN_IF_ERROR(Quarter(x).status());
  return absl::OkStatus();
}

TEST(Status, MacrosReturnTheFirstError) {
  EXPECT_EQ(*Quarter(8), 2);
  EXPECT_EQ(CheckQuarter(6), absl::InvalidArgumentError("odd"));
  EXPECT_TRUE(CheckQuarter(4).ok());
}

TEST(Status, AnnotateKeepsCodeAndPayload) {
  absl::Status status = absl::AbortedError("gone");
  status.SetPayload("origin", absl::Cord("host 3"));
  absl::Status annotated = Annotate(status, "launch 5");
  EXPECT_EQ(annotated.code(), absl::StatusCode::kAborted);
  EXPECT_EQ(annotated.message(), "launch 5: gone");
  EXPECT_EQ(*annotated.GetPayload("origin"), "host 3");
  EXPECT_TRUE(Annotate(absl::OkStatus(), "x").ok());
}

TEST(Status, StatusLineNamesTheCode) {
  EXPECT_EQ(StatusLine(absl::OkStatus()), "OK");
  EXPECT_EQ(StatusLine(absl::NotFoundError("key a")), "NOT_FOUND: key a");
}

}  // namespace
}  // namespace lockstep::internal
