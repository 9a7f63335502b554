#include "client/eager/operand_layout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/mesh/mesh_testing.h"

namespace lockstep::internal {
namespace {

using Dims = std::vector<int64_t>;

Mesh FourByTwo() { return MeshOf(WorldOf(1, 8), {4, 2}, {"x", "y"}); }

TEST(OperandLayoutTest, DimsBroadcastAsInNumPy) {
  EXPECT_EQ(BroadcastDims({Dims{8, 4}, Dims{4}}), (Dims{8, 4}));
  EXPECT_EQ(BroadcastDims({Dims{8, 1}, Dims{1, 4}, Dims{}}), (Dims{8, 4}));
  EXPECT_EQ(BroadcastDims({Dims{1}, Dims{0}}), Dims{0});
  EXPECT_EQ(BroadcastDims({Dims{2}, Dims{0}}), std::nullopt);
  EXPECT_EQ(BroadcastDims({Dims{8, 4}, Dims{8}}), std::nullopt);
}

TEST(OperandLayoutTest, BroadcastOperandsAreSplitWhereTheResultIs) {
  const NamedSharding result = ShardingOf(FourByTwo(), PartitionSpec("x", "y"));
  const auto spec = [&](const Dims& dims) {
    return OperandSharding(result, 2, dims)->spec();
  };
  EXPECT_EQ(spec({8, 4}), PartitionSpec("x", "y"));
  EXPECT_EQ(spec({4}), PartitionSpec("y"));
  EXPECT_EQ(spec({8, 1}), PartitionSpec("x", nullptr));
  EXPECT_EQ(spec({1, 4}), PartitionSpec(nullptr, "y"));
  EXPECT_EQ(spec({}), PartitionSpec());
}

TEST(OperandLayoutTest, TheResultIsInTheMemoryOfAllOperands_M1) {
  const NamedSharding device = ShardingOf(FourByTwo(), PartitionSpec("x"));
  const NamedSharding pinned = *device.with_memory_kind("pinned_host");
  EXPECT_EQ(*ResultSharding({{{8, 4}, pinned}, {{4}, pinned}}, {8, 4}), pinned);
  EXPECT_EQ(ResultSharding({{{1, 4}, pinned}, {{8, 1}, pinned}}, {8, 4})
                ->memory_kind(),
            "pinned_host");
  EXPECT_EQ(OperandSharding(pinned, 2, {4})->memory_kind(), "pinned_host");
  const absl::Status mixed =
      ResultSharding({{{8, 4}, pinned}, {{8, 4}, device}}, {8, 4}).status();
  EXPECT_EQ(mixed.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(mixed.message()),
              ::testing::AllOf(::testing::HasSubstr("'pinned_host'"),
                               ::testing::HasSubstr("'device'")));
}

TEST(OperandLayoutTest, TheResultIsSplitAsTheOperandsAre) {
  const auto laid = [](const Dims& dims, const PartitionSpec& spec) {
    return LaidOperand{dims, ShardingOf(FourByTwo(), spec)};
  };
  const auto spec = [](const std::vector<LaidOperand>& operands,
                       const Dims& dims) {
    return ResultSharding(operands, dims)->spec();
  };
  // One layout is kept as it is written.
  EXPECT_EQ(spec({laid({8, 4}, PartitionSpec("x")),
                  laid({8, 4}, PartitionSpec("x", nullptr))},
                 {8, 4}),
            PartitionSpec("x"));
  EXPECT_EQ(spec({laid({8, 4}, PartitionSpec()), laid({4}, PartitionSpec("y"))},
                 {8, 4}),
            PartitionSpec(nullptr, "y"));
  EXPECT_EQ(spec({laid({8, 1}, PartitionSpec("x")),
                  laid({1, 4}, PartitionSpec(nullptr, "y"))},
                 {8, 4}),
            PartitionSpec("x", "y"));
  // The first one that splits a dimension says how; an axis is taken once.
  EXPECT_EQ(spec({laid({8, 4}, PartitionSpec("x")),
                  laid({8, 4}, PartitionSpec("y", "x"))},
                 {8, 4}),
            PartitionSpec("x"));
}

}  // namespace
}  // namespace lockstep::internal
