#include "proto/convert_arrays.h"

#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

ArrayDescription OverMesh(PartitionSpec spec) {
  ArrayDescription array;
  array.shape = Shape(ElementType::kBF16, {8, 6, 4, 2});
  array.shard_shape = Shape(ElementType::kBF16, {2, 6, 2, 2});
  for (int id : {7, 0, 1, 2}) array.devices.push_back(GlobalDeviceId(id));
  array.layout = MeshDescription{{{"data", 2}, {"model", 2}}, std::move(spec)};
  return array;
}

TEST(ConvertArrays, SpecsComeBackAsTheyWere) {
  for (const PartitionSpec& spec :
       {PartitionSpec(),
        PartitionSpec(nullptr, kUnconstrained, "data", AxisTuple{"model"}),
        PartitionSpec(AxisTuple{"model", "data"}, AxisTuple{}, "")}) {
    const ArrayDescription array = OverMesh(spec);
    const auto back = FromProto(ToProto(array));
    ASSERT_TRUE(back.ok()) << back.status();
    EXPECT_EQ(*back, array) << spec.ToString();
  }
}

TEST(ConvertArrays, MemoryComesBackAsItWas) {
  ArrayDescription array = OverMesh({});
  std::get<MeshDescription>(array.layout).memory_kind = "pinned_host";
  const auto back = FromProto(ToProto(array));
  ASSERT_TRUE(back.ok()) << back.status();
  EXPECT_EQ(*back, array);
  EXPECT_EQ(array.LayoutText(),
            "PartitionSpec() over ('data': 2, 'model': 2) in pinned_host");
}

TEST(ConvertArrays, RowsComeBackAsTheyWere) {
  for (const std::optional<int64_t> dim :
       {std::optional<int64_t>(), {0}, {2}}) {
    NamedArray named{"w",
                     OverMesh({}),
                     {Incarnation(7)},
                     "trainer",
                     absl::AbortedError("gone")};
    named.array.layout = RowsDescription{.dim = dim, .copies = 2};
    const auto back = FromProto(ToProto(named));
    ASSERT_TRUE(back.ok()) << back.status();
    EXPECT_EQ(back->array, named.array);
    EXPECT_EQ(back->name, "w");
    EXPECT_EQ(back->lives, named.lives);
    EXPECT_EQ(back->client, "trainer");
    EXPECT_EQ(back->status, named.status);
  }
}

TEST(ConvertArrays, WhatIsNoArrayIsRefused) {
  proto::ArrayDescription message = ToProto(OverMesh({}));
  message.clear_over_mesh();
  EXPECT_FALSE(FromProto(message).ok());
  message = ToProto(OverMesh({}));
  message.set_dims(0, -1);
  EXPECT_FALSE(FromProto(message).ok());
  message = ToProto(OverMesh({}));
  message.set_element_type(999);
  EXPECT_FALSE(FromProto(message).ok());
}

}  // namespace
}  // namespace lockstep::internal
