// S-1, S-2, S-3 of docs/behaviour/mesh_building.md.
#include "runtime/mesh/builders/torus_assignment.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/mesh/builders/builders_testing.h"
#include "runtime/mesh/builders/world_mesh.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

using Sizes = std::vector<int64_t>;
using Matrix = std::vector<std::vector<int64_t>>;

std::string Arranged(const TorusAssignment& assignment, const Sizes& logical) {
  return RowsText(ArrangeTorus(assignment, logical).indices(), logical.back());
}

TEST(TorusAssignment, GoldenValuesOfWholeAxes_S2) {
  const struct {
    Sizes physical;
    Sizes logical;
    Matrix matrix;
    std::string first_row;
  } cases[] = {
      {{4, 4, 4}, {16, 4}, {{1, 4}, {4, 1}, {4, 1}}, "[0 16 32 48]"},
      {{4, 4, 4},
       {4, 16},
       {{1, 4}, {1, 4}, {4, 1}},
       "[0 4 8 12 16 20 24 28 32 36 40 44 48 52 56 60]"},
      {{2, 2, 4}, {4, 4}, {{1, 2}, {1, 2}, {4, 1}}, "[0 4 8 12]"},
      {{4, 4}, {1, 4, 4}, {{1, 1, 4}, {1, 4, 1}}, "[0 4 8 12]"},
      {{4, 8, 8},
       {8, 1, 32},
       {{1, 1, 4}, {1, 1, 8}, {8, 1, 1}},
       "[0 8 16 24 32 40 48 56 64 72"},
  };
  for (const auto& c : cases) {
    const TorusAssignment assignment = *AssignTorusAxes(c.physical, c.logical);
    EXPECT_EQ(assignment.matrix, c.matrix);
    EXPECT_THAT(Arranged(assignment, c.logical), StartsWith(c.first_row));
  }
}

TEST(TorusAssignment, RefusesToSplitAnAxis_S2) {
  EXPECT_THAT(MessageOf(AssignTorusAxes({4, 4, 4}, {8, 8}).status(),
                        absl::StatusCode::kUnimplemented),
              AllOf(HasSubstr("axis 1 of size 8"), HasSubstr("[4, 4, 4]"),
                    HasSubstr("split")));
  EXPECT_THAT(MessageOf(AssignTorusAxes({4, 8}, {2, 4, 4}).status(),
                        absl::StatusCode::kUnimplemented),
              AllOf(HasSubstr("axis 1 of size 4"), HasSubstr("[8] remain")));
}

TEST(TorusAssignment, GoldenValuesOfSplitAxes_S3) {
  const struct {
    Sizes physical;
    Sizes logical;
    Matrix matrix;
    std::string rows;
  } cases[] = {
      {{4, 4, 4},
       {8, 8},
       {{1, 4}, {2, 2}, {4, 1}},
       "[0 4 16 20 32 36 48 52][1 5 17 21 33 37 49 53]"},
      {{4, 4},
       {2, 2, 4},
       {{1, 1, 4}, {2, 2, 1}},
       "[0 4 8 12][1 5 9 13][2 6 10 14][3 7 11 15]"},
      {{4, 4}, {2, 8}, {{1, 4}, {2, 2}}, "[0 1 4 5 8 9 12 13]"},
      {{4, 4, 4}, {2, 1, 32}, {{1, 1, 4}, {1, 1, 4}, {2, 1, 2}}, "[0 1 4 5"},
      {{4, 4, 8},
       {2, 2, 8, 4},
       {{1, 1, 1, 4}, {2, 2, 1, 1}, {1, 1, 8, 1}},
       "[0 32 64 96]"},
      {{4, 8, 8},
       {1, 128, 2},
       {{1, 2, 2}, {1, 8, 1}, {1, 8, 1}},
       "[0 64][1 65]"},
  };
  for (const auto& c : cases) {
    const TorusAssignment assignment =
        *AssignSplitTorusAxes(c.physical, c.logical);
    EXPECT_EQ(assignment.matrix, c.matrix);
    EXPECT_THAT(Arranged(assignment, c.logical), StartsWith(c.rows));
  }
}

// Both: rows multiply to the physical sizes, columns to the logical ones, and
// every device is there once.
TEST(TorusAssignment, MultipliesToBothShapes_S3) {
  const Sizes shapes[] = {{16},      {4, 4},    {2, 8},       {8, 2},
                          {2, 2, 4}, {4, 2, 2}, {2, 2, 2, 2}, {1, 16, 1}};
  for (const Sizes& physical : shapes) {
    for (const Sizes& logical : shapes) {
      std::vector<absl::StatusOr<TorusAssignment>> assignments = {
          AssignSplitTorusAxes(physical, logical),
          AssignTorusAxes(physical, logical)};
      ASSERT_TRUE(assignments[0].ok());
      for (const auto& assignment : assignments) {
        if (!assignment.ok()) continue;
        for (size_t i = 0; i < physical.size(); ++i) {
          EXPECT_EQ(ProductOf(assignment->matrix[i]), physical[i]);
        }
        for (size_t axis = 0; axis < logical.size(); ++axis) {
          int64_t product = 1;
          for (const auto& row : assignment->matrix) product *= row[axis];
          EXPECT_EQ(product, logical[axis]);
        }
        const IndexGrid arranged = ArrangeTorus(*assignment, logical);
        std::vector<int> uses(16);
        for (int64_t i : arranged.indices()) ++uses[i];
        EXPECT_THAT(uses, testing::Each(1));
      }
    }
  }
}

TEST(TorusAssignment, RefusesAnotherNumberOfDevices_S2) {
  for (const auto& assign : {AssignTorusAxes, AssignSplitTorusAxes}) {
    EXPECT_THAT(MessageOf(assign({4, 4}, {2, 4}).status(),
                          absl::StatusCode::kInvalidArgument),
                AllOf(HasSubstr("[2, 4]"), HasSubstr("[4, 4]")));
    EXPECT_THAT(MessageOf(assign({4, 4}, {-4, -4}).status(),
                          absl::StatusCode::kInvalidArgument),
                HasSubstr("[-4, -4]"));
  }
}

TEST(WorldMesh, InfersOneAxis_S1) {
  const World world = *FlatWorld({.devices_per_host = 8});
  const auto shape = [&](Sizes dims) {
    std::vector<std::string> names(dims.size());
    for (size_t i = 0; i < names.size(); ++i) names[i] = absl::StrCat("a", i);
    return BuildWorldMesh(dims, names, world)->abstract().axis_sizes();
  };
  EXPECT_EQ(shape({-1}), Sizes({8}));
  EXPECT_EQ(shape({-1, 2}), Sizes({4, 2}));
  EXPECT_EQ(shape({2, -1}), Sizes({2, 4}));
  EXPECT_EQ(shape({1, -1, 2}), Sizes({1, 4, 2}));
  const auto mesh = BuildWorldMesh({2, 4}, {"fsdp", "tp"}, world);
  EXPECT_EQ(mesh->ToString(), "Mesh('fsdp': 2, 'tp': 4)");
  EXPECT_EQ(RowsText(*mesh), "[0 1 2 3][4 5 6 7]");
}

TEST(WorldMesh, RefusesDimsThatAreNotTheDevices_S1) {
  const World world = *FlatWorld({.devices_per_host = 8});
  const auto message = [&](Sizes dims, std::vector<std::string> names) {
    return MessageOf(BuildWorldMesh(dims, names, world).status(),
                     absl::StatusCode::kInvalidArgument);
  };
  EXPECT_THAT(message({-1, 3}, {"x", "y"}),
              AllOf(HasSubstr("8 devices"), HasSubstr("[-1, 3]")));
  EXPECT_THAT(message({3, 2}, {"x", "y"}),
              AllOf(HasSubstr("8 devices"), HasSubstr("[3, 2]")));
  EXPECT_THAT(message({2, 2}, {"x", "y"}), HasSubstr("[2, 2]"));
  EXPECT_THAT(message({-1, -1}, {"x", "y"}),
              AllOf(HasSubstr("[-1, -1]"), HasSubstr("more than one -1")));
  EXPECT_THAT(message({-1, 2}, {"x"}),
              AllOf(HasSubstr("rank 2"), HasSubstr("1 axis names")));
}

TEST(WorldMesh, SplitsAxesOfATorusWhereAllowed_S1) {
  const World world = *TorusWorld({.chips = {4, 4, 4}});
  EXPECT_EQ(BuildWorldMesh({8, 8}, {"x", "y"}, world).status().code(),
            absl::StatusCode::kUnimplemented);
  EXPECT_TRUE(BuildWorldMesh({8, 8}, {"x", "y"}, world, true).ok());
}

}  // namespace
}  // namespace lockstep::internal
