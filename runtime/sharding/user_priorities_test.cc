// Y-17 of docs/behaviour/shardings.md: dims that wait for their turn.
#include "runtime/sharding/user_priorities.h"

#include <string>

#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "runtime/mesh/sharding/sharding_testing.h"
#include "runtime/sharding/op_sharding_testing.h"

namespace lockstep::internal {
namespace {

std::string At(int64_t priority, absl::string_view written,
               absl::string_view current) {
  return TextOfSharding(ShardingAtPriority(
      *ShardingOfText(written), *ShardingOfText(current), priority,
      MeshOfText(R"(<["a"=4, "b"=2, "c"=2, "d"=8]>)").abstract()));
}

TEST(UserPriorities, DimsThatWaitAreClosedAndTheirAxesReplicated) {
  constexpr absl::string_view kWritten =
      R"([{"d":(2)2, ?}p2, {"b", ?}p0, {"a"}p1, {?}], replicated={"c"})";
  EXPECT_EQ(At(0, kWritten, kWritten),
            R"([{}, {"b", ?}, {}, {?}], replicated={"a", "c", "d":(2)2})");
  EXPECT_EQ(At(1, kWritten, R"([{}, {"b", "d":(1)2, ?}, {}, {?}])"),
            R"([{}, {"b", "d":(1)2, ?}, {"a"}, {?}], )"
            R"(replicated={"c", "d":(2)2})");
  EXPECT_EQ(At(2, kWritten, R"([{}, {"b", "d":(1)2, ?}, {"a"}, {?}])"),
            R"([{"d":(2)2, ?}, {"b", "d":(1)2, ?}, {"a"}, {?}], )"
            R"(replicated={"c"})");
}

TEST(UserPriorities, PartsOfAnAxisThatWaitTogetherAreOne) {
  constexpr absl::string_view kWritten =
      R"([{"d":(2)2}p1, {"d":(4)2}p1, {"a":(2)2}p1], replicated={"a":(1)2})";
  EXPECT_EQ(At(0, kWritten, kWritten),
            R"([{}, {}, {}], replicated={"a", "d":(2)4})");
  EXPECT_EQ(At(1, kWritten, R"([{}, {}, {}])"),
            R"([{"d":(2)2}, {"d":(4)2}, {"a":(2)2}], replicated={"a":(1)2})");
}

TEST(UserPriorities, OpenDimsWithoutAxesWaitToo) {
  EXPECT_EQ(At(0, R"([{?}p3, {?}])", R"([{?}p3, {?}])"), R"([{}, {?}])");
  EXPECT_EQ(At(3, R"([{?}p3, {?}])", R"([{}, {"a", ?}])"),
            R"([{?}, {"a", ?}])");
}

}  // namespace
}  // namespace lockstep::internal
