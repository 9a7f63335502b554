#include "runtime/mesh/axis_groups.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

struct AxisGroupsCase {
  int64_t replica_count;
  std::vector<int64_t> sizes;
  std::vector<int64_t> axes;
  ReplicaGroups groups;
};

// J-14.
TEST(AxisGroups, GoldenValuesOfNestedAxes) {
  const AxisGroupsCase cases[] = {
      {8, {8}, {0}, {{0, 1, 2, 3, 4, 5, 6, 7}}},
      {8, {4, 2}, {0}, {{0, 2, 4, 6}, {1, 3, 5, 7}}},
      {8, {4, 2}, {1}, {{0, 1}, {2, 3}, {4, 5}, {6, 7}}},
      {8, {4, 2}, {0, 1}, {{0, 1, 2, 3, 4, 5, 6, 7}}},
      {8, {4, 2}, {1, 0}, {{0, 2, 4, 6, 1, 3, 5, 7}}},
      {8, {4}, {0}, {{0, 2, 4, 6}, {1, 3, 5, 7}}},
      {8, {2, 2, 2}, {0, 2}, {{0, 1, 4, 5}, {2, 3, 6, 7}}},
      {8, {2, 2, 2}, {1}, {{0, 2}, {1, 3}, {4, 6}, {5, 7}}},
      {12, {2, 3}, {1}, {{0, 2, 4}, {1, 3, 5}, {6, 8, 10}, {7, 9, 11}}},
      {12, {2, 3}, {0}, {{0, 6}, {1, 7}, {2, 8}, {3, 9}, {4, 10}, {5, 11}}},
      {6, {2, 3}, {0}, {{0, 3}, {1, 4}, {2, 5}}},
      {6, {2, 3}, {1}, {{0, 1, 2}, {3, 4, 5}}},
      {6, {2, 3}, {0, 1}, {{0, 1, 2, 3, 4, 5}}},
      {6, {2, 3}, {1, 0}, {{0, 3, 1, 4, 2, 5}}},
      {3, {3}, {}, {{0}, {1}, {2}}},
  };
  for (const AxisGroupsCase& c : cases) {
    EXPECT_EQ(*AxisGroups(c.replica_count, c.sizes, c.axes), c.groups);
  }
}

// J-14. The definition, by coordinates: members of a group differ only in the
// listed axes, and their order is that of the listed coordinates.
TEST(AxisGroups, AgreeWithCoordinatesForAllSmallCases) {
  for (int64_t a = 1; a <= 3; ++a) {
    for (int64_t b = 1; b <= 3; ++b) {
      for (int64_t c = 1; c <= 2; ++c) {
        for (int64_t trailing = 1; trailing <= 2; ++trailing) {
          const std::vector<int64_t> sizes = {a, b, c};
          const int64_t count = a * b * c * trailing;
          const auto coordinate = [&](int64_t id, int64_t axis) {
            id /= trailing;
            for (int64_t i = 2; i > axis; --i) id /= sizes[i];
            return id % sizes[axis];
          };
          std::vector<int64_t> order = {0, 1, 2};
          do {
            for (size_t used = 0; used <= 3; ++used) {
              const std::vector<int64_t> axes(order.begin(),
                                              order.begin() + used);
              const ReplicaGroups groups = *AxisGroups(count, sizes, axes);
              std::vector<int> uses(count);
              for (const auto& group : groups) {
                for (size_t i = 0; i < group.size(); ++i) {
                  ++uses[group[i]];
                  EXPECT_EQ(group[i] % trailing, group[0] % trailing);
                  int64_t position = 0;
                  for (int64_t axis : axes) {
                    position =
                        position * sizes[axis] + coordinate(group[i], axis);
                  }
                  EXPECT_EQ(position, static_cast<int64_t>(i));
                  for (size_t rest = used; rest < 3; ++rest) {
                    EXPECT_EQ(coordinate(group[i], order[rest]),
                              coordinate(group[0], order[rest]));
                  }
                }
              }
              EXPECT_THAT(uses, testing::Each(1));
              EXPECT_TRUE(std::is_sorted(
                  groups.begin(), groups.end(),
                  [](const auto& x, const auto& y) { return x[0] < y[0]; }));
            }
          } while (std::next_permutation(order.begin(), order.end()));
        }
      }
    }
  }
}

// J-14.
TEST(AxisGroups, WrongSizesAndAxesAreInvalid) {
  EXPECT_EQ(AxisGroups(8, {3}, {0}).status(),
            absl::InvalidArgumentError(
                "axis sizes [3] do not divide the replica count 8"));
  EXPECT_EQ(AxisGroups(8, {0}, {0}).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(AxisGroups(0, {}, {}).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(AxisGroups(8, {4, 2}, {1, 1}).status(),
            absl::InvalidArgumentError("axis 1 occurs twice in [1, 1]"));
  EXPECT_EQ(AxisGroups(8, {4, 2}, {2}).status(),
            absl::InvalidArgumentError(
                "axis 2 of [2] is out of range: there are 2 axes"));
}

// K-1.
TEST(CutGroups, GoldenValues) {
  EXPECT_EQ(CutGroups(*AxisGroups(8, {4, 2}, {0}), {{0, 2}, {3, 1}}),
            (ReplicaGroups{{0, 4}, {6, 2}, {1, 5}, {7, 3}}));
  EXPECT_EQ(CutGroups(*AxisGroups(8, {2, 4}, {1}), {{0, 1}, {2, 3}}),
            (ReplicaGroups{{0, 1}, {2, 3}, {4, 5}, {6, 7}}));
}

// K-2.
TEST(ValidateAxisIndexGroups, NamesWhatIsWrongInTheOrderOfTheRules) {
  const auto message = [](const ReplicaGroups& groups, bool equal_sizes) {
    const absl::Status status =
        ValidateAxisIndexGroups("psum", groups, 4, equal_sizes);
    EXPECT_TRUE(status.ok() ||
                status.code() == absl::StatusCode::kInvalidArgument);
    return std::string(status.message());
  };
  EXPECT_EQ(message({}, false), "psum: axis_index_groups is empty: []");
  EXPECT_EQ(message({{0, 9}, {}}, false),
            "psum: axis_index_groups has an empty group: [[0, 9], []]");
  EXPECT_EQ(message({{0, 1}, {2, 4}}, false),
            "psum: axis_index_groups has index 4 outside an axis of size 4: "
            "[[0, 1], [2, 4]]");
  EXPECT_EQ(message({{1, 1}, {-1}}, false),
            "psum: axis_index_groups has index -1 outside an axis of size 4: "
            "[[1, 1], [-1]]");
  EXPECT_EQ(message({{0, 1}, {1, 2, 3}}, true),
            "psum: axis_index_groups has index 1 more than once: "
            "[[0, 1], [1, 2, 3]]");
  EXPECT_EQ(message({{0, 1}}, true),
            "psum: axis_index_groups lacks indices 2, 3 of an axis of size 4: "
            "[[0, 1]]");
  EXPECT_EQ(message({{0, 1, 2}, {3}}, true),
            "psum: axis_index_groups must have groups of one size, found 3, 1: "
            "[[0, 1, 2], [3]]");
  EXPECT_EQ(message({{0, 1, 2}, {3}}, false), "");
  EXPECT_EQ(message({{3, 1}, {0, 2}}, true), "");
}

}  // namespace
}  // namespace lockstep::internal
