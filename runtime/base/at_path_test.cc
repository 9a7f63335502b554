#include "runtime/base/at_path.h"

#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

TEST(AtPath, NamesAllButTheRoot) {
  const absl::Status status = absl::UnimplementedError("no");
  EXPECT_EQ(AtPath(status, ""), status);
  EXPECT_EQ(AtPath(status, "1"), absl::UnimplementedError("1: no"));
  EXPECT_EQ(AtPath(status, "", "b/c"), absl::UnimplementedError("b/c: no"));
  EXPECT_EQ(AtPath(status, "1", "b/c"), absl::UnimplementedError("1/b/c: no"));
  EXPECT_EQ(AtPath(absl::OkStatus(), "1"), absl::OkStatus());
}

}  // namespace
}  // namespace lockstep::internal
