// Y-2 of docs/behaviour/shardings.md.
#include "runtime/mesh/sharding/tile_assignment.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/mesh/sharding/sharding_testing.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TileAssignment Iota(std::vector<int64_t> dims,
                    std::vector<int64_t> reshape_dims,
                    std::vector<int64_t> transpose_perm) {
  return *TileAssignment::FromIota(std::move(dims), reshape_dims,
                                   transpose_perm);
}

TEST(TileAssignment, WalksThePermutedGridOfAscendingIds) {
  EXPECT_THAT(Iota({4, 2}, {8}, {0}).Devices(),
              ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
  EXPECT_THAT(Iota({2, 4}, {4, 2}, {1, 0}).Devices(),
              ElementsAre(0, 2, 4, 6, 1, 3, 5, 7));
  EXPECT_THAT(Iota({2, 3, 2}, {2, 2, 3}, {1, 2, 0}).Devices(),
              ElementsAre(0, 6, 1, 7, 2, 8, 3, 9, 4, 10, 5, 11));
  EXPECT_THAT(Iota({1, 1}, {1}, {0}).Devices(), ElementsAre(0));
}

TEST(TileAssignment, KeepsAsFewDimensionsAsSayTheSame) {
  EXPECT_EQ(Iota({4, 2}, {4, 2}, {0, 1}).ToString(), "[4,2]<=[8]");
  EXPECT_EQ(Iota({4, 4}, {2, 4, 2}, {1, 0, 2}).ToString(),
            "[4,4]<=[2,4,2]T(1,0,2)");
  EXPECT_EQ(Iota({4, 4}, {2, 4, 2}, {1, 2, 0}).ToString(),
            "[4,4]<=[2,8]T(1,0)");
  EXPECT_EQ(Iota({6}, {1, 2, 1, 3, 1}, {4, 3, 0, 1, 2}).ToString(),
            "[6]<=[2,3]T(1,0)");
  EXPECT_EQ(Iota({6}, {2, 1, 3}, {0, 2, 1}).ToString(), "[6]<=[6]");
  EXPECT_EQ(Iota({1}, {1, 1}, {1, 0}).ToString(), "[1]<=[1]");
}

TEST(TileAssignment, ListsAreWrittenAsIotaWherePossible) {
  const auto iota = [](std::vector<int64_t> dims, std::vector<int64_t> ids) {
    const auto form = TileAssignment::FromDevices(dims, ids)->AsIota();
    return form.has_value() ? form->ToString() : "none";
  };
  EXPECT_EQ(iota({2, 4}, {0, 4, 1, 5, 2, 6, 3, 7}), "[2,4]<=[2,4]T(1,0)");
  EXPECT_EQ(iota({4}, {0, 1, 2, 3}), "[4]<=[4]");
  EXPECT_EQ(iota({1}, {0}), "[1]<=[1]");
  EXPECT_EQ(iota({4}, {1, 0, 2, 3}), "none");
  EXPECT_EQ(iota({6}, {0, 2, 4, 1, 3, 5}), "[6]<=[3,2]T(1,0)");
  EXPECT_EQ(iota({6}, {0, 1, 2, 3, 5, 4}), "none");
  EXPECT_EQ(iota({4}, {0, 3, 1, 2}), "none");
}

TEST(TileAssignment, ListsAreKeptAsTheyAre) {
  const TileAssignment tiles =
      *TileAssignment::FromDevices({2, 2}, {0, 1, 2, 3});
  EXPECT_FALSE(tiles.is_iota());
  EXPECT_EQ(tiles.ToString(), "[2,2]0,1,2,3");
  EXPECT_EQ(tiles.device_count(), 4);
}

TEST(TileAssignment, RefusesWhatIsNoGrid) {
  const auto iota_error = [](std::vector<int64_t> dims,
                             std::vector<int64_t> reshape_dims,
                             std::vector<int64_t> perm) {
    return InvalidArgument(
        TileAssignment::FromIota(dims, reshape_dims, perm).status());
  };
  constexpr int64_t kLarge = 1000000000000000000;
  EXPECT_THAT(iota_error({4, 2}, {7}, {0}),
              AllOf(HasSubstr("8 tiles"), HasSubstr("7 devices")));
  EXPECT_THAT(iota_error({0}, {0}, {0}), HasSubstr("below 1"));
  EXPECT_THAT(iota_error({kLarge}, {kLarge}, {0}), HasSubstr("more than"));
  EXPECT_THAT(iota_error({kLarge, kLarge}, {1}, {0}), HasSubstr("more than"));
  EXPECT_THAT(iota_error({4}, {2, 2}, {0}), HasSubstr("(0)"));
  EXPECT_THAT(iota_error({4}, {2, 2}, {0, 0}), HasSubstr("(0, 0)"));
  EXPECT_THAT(iota_error({4}, {2, 2}, {0, 2}), HasSubstr("(0, 2)"));
  const auto list_error = [](std::vector<int64_t> dims,
                             std::vector<int64_t> ids) {
    return InvalidArgument(TileAssignment::FromDevices(dims, ids).status());
  };
  EXPECT_THAT(list_error({2, 2}, {0, 1, 2}),
              AllOf(HasSubstr("4 tiles"), HasSubstr("3 devices")));
  EXPECT_THAT(list_error({2}, {0, 0}), HasSubstr("[0, 0]"));
  EXPECT_THAT(list_error({2}, {0, 2}), HasSubstr("[0, 2]"));
  EXPECT_THAT(list_error({2}, {-1, 0}), HasSubstr("[-1, 0]"));
}

TEST(TileAssignmentProperty, BothFormsHaveTheSameDevices) {
  RandomShardings random(/*seed=*/4);
  for (int i = 0; i < 2000; ++i) {
    std::vector<int64_t> reshape_dims;
    std::vector<int64_t> perm;
    for (int64_t dims = random.Below(5); dims >= 0; --dims) {
      perm.push_back(static_cast<int64_t>(perm.size()));
      reshape_dims.push_back(1 + random.Below(4));
    }
    random.Shuffle(perm);
    int64_t count = 1;
    for (const int64_t dim : reshape_dims) count *= dim;
    // The definition: each id goes to the place of its permuted index.
    std::vector<int64_t> devices(count);
    for (int64_t id = 0; id < count; ++id) {
      std::vector<int64_t> index(perm.size());
      for (size_t dim = perm.size(), rest = id; dim-- > 0;) {
        index[dim] = static_cast<int64_t>(rest) % reshape_dims[dim];
        rest /= reshape_dims[dim];
      }
      int64_t place = 0;
      for (const int64_t dim : perm) {
        place = place * reshape_dims[dim] + index[dim];
      }
      devices[place] = id;
    }
    const TileAssignment iota = Iota({count}, reshape_dims, perm);
    EXPECT_EQ(iota.Devices(), devices) << iota.ToString();
    EXPECT_EQ(TileAssignment::FromDevices({count}, devices)->AsIota(), iota)
        << iota.ToString();
  }
}

TEST(TileAssignmentProperty, OtherListsHaveNoIotaForm) {
  RandomShardings random(/*seed=*/5);
  for (int i = 0; i < 2000; ++i) {
    std::vector<int64_t> ids(1 + random.Below(9));
    std::iota(ids.begin(), ids.end(), 0);
    random.Shuffle(ids);
    const auto count = static_cast<int64_t>(ids.size());
    const auto iota = TileAssignment::FromDevices({count}, ids)->AsIota();
    if (iota.has_value()) {
      EXPECT_EQ(iota->Devices(), ids);
    }
  }
}

}  // namespace
}  // namespace lockstep::internal
