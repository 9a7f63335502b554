#include "runtime/arrays/shard_rows.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lockstep {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Literal Iota(std::initializer_list<int64_t> dims) {
  Literal literal(Shape(ElementType::kS32, dims));
  int32_t next = 0;
  for (int32_t& x : literal.mutable_data<int32_t>()) x = next++;
  return literal;
}

TEST(ShardRowsTest, DeviceKHoldsRowK) {
  const std::vector<GlobalDeviceId> devices = {
      GlobalDeviceId(7), GlobalDeviceId(0), GlobalDeviceId(5)};
  auto shards = *ShardRows(Iota({3, 2}), devices);
  ASSERT_EQ(shards.size(), 3u);
  EXPECT_EQ(shards[1]->device(), GlobalDeviceId(0));
  EXPECT_EQ(shards[1]->shape(), Shape(ElementType::kS32, {2}));
  EXPECT_THAT(shards[1]->View()->data<int32_t>(), ElementsAre(2, 3));
}

TEST(ShardRowsTest, StackUndoesSplit) {
  for (const Literal& whole :
       {Iota({4}), Iota({1, 3}), Iota({2, 2, 2}), Iota({3, 0})}) {
    std::vector<GlobalDeviceId> devices;
    for (int32_t k = 0; k < whole.shape().dim(0); ++k) {
      devices.push_back(GlobalDeviceId(k));
    }
    EXPECT_EQ(*StackShards(*ShardRows(whole, devices)), whole);
  }
}

TEST(ShardRowsTest, WrongLeadingSizeNamesExpectedAndFound) {
  absl::Status status = SplitRows(Iota({3, 2}), 4).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(),
              HasSubstr("expected leading size 4, found tensor<3x2xi32>"));
  EXPECT_THAT(SplitRows(Iota({}), 4).status().message(),
              HasSubstr("found a scalar"));
}

TEST(ShardRowsTest, RowsOfDifferentShapesDoNotStack) {
  const Literal a = Iota({2}), b = Iota({3});
  EXPECT_THAT(StackRows({a.view(), b.view()}).status().message(),
              HasSubstr("row 1 is tensor<3xi32>"));
  EXPECT_FALSE(StackRows({}).ok());
}

TEST(ShardRowsTest, ErrorOfOneShardIsTheErrorOfTheStack) {
  std::vector<std::shared_ptr<Buffer>> shards =
      *ShardRows(Iota({2}), {GlobalDeviceId(0), GlobalDeviceId(1)});
  shards[1] =
      std::make_shared<Buffer>(Shape(ElementType::kS32, {}), GlobalDeviceId(1));
  shards[1]->SetError(absl::AbortedError("gone"));
  EXPECT_EQ(StackShards(shards).status().message(), "gone");
}

}  // namespace
}  // namespace lockstep
