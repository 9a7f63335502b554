// M-9 of docs/behaviour/multihost.md, on one host: what several do is in
// tests/multihost/global_arrays_test.cc.
#include "client/global_arrays/device_put.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "client/arrays/row_layout.h"
#include "client/host/recording_view.h"
#include "client/trees/tree_structs_testing.h"
#include "runtime/mesh/mesh_testing.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

Literal Iota(ElementType type, const std::vector<int64_t>& dims) {
  Literal literal(Shape(type, dims));
  std::byte* bytes = literal.mutable_bytes();
  for (int64_t i = 0; i < literal.shape().byte_size(); ++i) {
    bytes[i] =
        static_cast<std::byte>(type == ElementType::kPred ? i % 2 : i * 7 % 96);
  }
  return literal;
}

class DevicePutTest : public ::testing::Test {
 protected:
  DevicePutTest() : view_(RecordingView::Create(8)) {}

  Mesh MeshOn(const std::vector<int32_t>& ids,
              std::vector<int64_t> dims) const {
    return MeshOf(view_->world(), ids, std::move(dims), {"x", "y"});
  }
  Mesh All(std::vector<int64_t> dims) const {
    return MeshOn({0, 1, 2, 3, 4, 5, 6, 7}, std::move(dims));
  }
  ArrayOptions Here() const { return {.view = view_}; }

  // Every shard must be the part of the value that the sharding says.
  static void ExpectHas(const Array& array, const NamedSharding& sharding,
                        const Literal& value) {
    EXPECT_EQ(array.sharding(), Sharding(sharding));
    const auto fetched = array.Fetch();
    ASSERT_TRUE(fetched.ok()) << fetched.status();
    EXPECT_EQ(*fetched, value) << sharding.ToString();
    const HostTensor whole =
        HostTensor::Of(std::make_shared<const Literal>(value));
    const std::vector<ArrayShard> shards = array.addressable_shards();
    ASSERT_EQ(static_cast<int64_t>(shards.size()), sharding.mesh().size());
    for (size_t i = 0; i < shards.size(); ++i) {
      EXPECT_EQ(shards[i].device, sharding.mesh().devices()[i].id);
      const HostTensor part =
          *TakeBox(whole, array.layout()->box(static_cast<int64_t>(i)));
      EXPECT_EQ(*shards[i].data->Fetch(), Literal::CopyOf(part.view));
    }
  }

  const std::shared_ptr<RecordingView> view_;
};

TEST_F(DevicePutTest, ArraysGoToOtherMemoryOfTheirDevices_M1) {
  const Literal value = Iota(ElementType::kF32, {8, 4});
  const NamedSharding device = ShardingOf(All({4, 2}), PartitionSpec("x"));
  const NamedSharding pinned = *device.with_memory_kind("pinned_host");
  const Array put = *device_put(Array(value), pinned, Here());
  ExpectHas(put, pinned, value);
  // The same parts in other memory, which is the same: nothing is launched.
  const Array moved = *device_put(put, device, Here());
  ExpectHas(moved, device, value);
  ExpectHas(
      *device_put(moved, *device.with_memory_kind("unpinned_host"), Here()),
      *device.with_memory_kind("unpinned_host"), value);
}

TEST_F(DevicePutTest, ArraysOfDevicesWithTheirOwnMemoryAreInIt_M1) {
  std::vector<Device> devices = view_->world().devices();
  for (Device& each : devices) each.platform = "cuda";
  const NamedSharding pinned = *NamedSharding::Create(
      MeshOf(World(devices), {8}, {"x"}), PartitionSpec("x"), "pinned_host");
  const absl::Status status =
      device_put(Array(Iota(ElementType::kF32, {8, 4})), pinned, Here())
          .status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented) << status;
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("CudaDevice(id=0)"), HasSubstr("'device'"),
                    HasSubstr("'pinned_host'")));
}

TEST_F(DevicePutTest, HostValueIsCutUp) {
  const Literal value = Iota(ElementType::kF32, {8, 4});
  for (const PartitionSpec& spec :
       {PartitionSpec(), PartitionSpec("x"), PartitionSpec("y", "x"),
        PartitionSpec(nullptr, AxisTuple{"x"})}) {
    const NamedSharding sharding = ShardingOf(All({4, 2}), spec);
    const auto array = device_put(Array(value), sharding, Here());
    ASSERT_TRUE(array.ok()) << array.status();
    ExpectHas(*array, sharding, value);
  }
  EXPECT_EQ(view_->loads(), 0);
}

TEST_F(DevicePutTest, OneDeviceHasAll) {
  const Device device = view_->world().devices()[5];
  const auto array = device_put(Array({1, 2, 3}), device, Here());
  ASSERT_TRUE(array.ok()) << array.status();
  EXPECT_EQ(array->sharding(), Sharding(SingleDeviceSharding(device)));
  EXPECT_THAT(array->devices(), ElementsAre(GlobalDeviceId(5)));
  EXPECT_EQ(*array->ToString(), "[1 2 3]");
}

TEST_F(DevicePutTest, RowsOfThisHostAreAHostValue) {
  const NamedSharding columns =
      ShardingOf(All({8, 1}), PartitionSpec(nullptr, "x"));
  const Literal value = Iota(ElementType::kS32, {2, 8});
  std::vector<HostTensor> rows;
  std::vector<GlobalDeviceId> devices;
  for (const Literal& row : SplitAlong(value, 0)) {
    devices.push_back(GlobalDeviceId(static_cast<int32_t>(rows.size())));
    rows.push_back(HostTensor::Of(std::make_shared<const Literal>(row)));
  }
  const Array array(*view_->Put(rows, devices), RowPlacement{.dim = 0});
  ExpectHas(*device_put(array, columns, Here()), columns, value);
}

TEST_F(DevicePutTest, EverySpecBecomesEveryOther) {
  const Literal value = Iota(ElementType::kF32, {8, 16});
  const PartitionSpec specs[] = {PartitionSpec(), PartitionSpec("x"),
                                 PartitionSpec("y", "x"),
                                 PartitionSpec(AxisTuple{"y", "x"}),
                                 PartitionSpec(nullptr, AxisTuple{"x", "y"})};
  const Mesh other = MeshOn({5, 0, 7, 2, 1, 4, 3, 6}, {2, 4});
  for (const PartitionSpec& before : specs) {
    const Array array =
        *device_put(Array(value), ShardingOf(All({4, 2}), before), Here());
    for (const PartitionSpec& after : specs) {
      const NamedSharding to = ShardingOf(other, after);
      const auto moved = device_put(array, to, Here());
      ASSERT_TRUE(moved.ok()) << moved.status();
      ExpectHas(*moved, to, value);
    }
  }
}

TEST_F(DevicePutTest, EveryElementTypeIsMoved) {
  for (uint32_t i = 1; ElementTypeFromNumber(i).ok(); ++i) {
    const ElementType type = *ElementTypeFromNumber(i);
    const Literal value = Iota(type, {8, 2});
    const Array array = *device_put(
        Array(value), ShardingOf(All({4, 2}), PartitionSpec("x", "y")), Here());
    const NamedSharding to =
        ShardingOf(MeshOn({1, 6, 3}, {1, 3}), PartitionSpec("x"));
    const auto moved = device_put(array, to, Here());
    ASSERT_TRUE(moved.ok()) << NumpyName(type) << ": " << moved.status();
    ExpectHas(*moved, to, value);
  }
}

TEST_F(DevicePutTest, DevicesMayBeFewerMoreAndOthers) {
  const Literal value = Iota(ElementType::kS32, {12});
  const NamedSharding shardings[] = {
      ShardingOf(MeshOn({0, 1, 2}, {3, 1}), PartitionSpec("x")),
      ShardingOf(MeshOn({7, 2, 1, 0}, {2, 2}),
                 PartitionSpec(AxisTuple{"x", "y"})),
      ShardingOf(MeshOn({4, 5}, {2, 1}), PartitionSpec()),
      ShardingOf(MeshOn({6}, {1, 1}), PartitionSpec("x"))};
  for (const NamedSharding& from : shardings) {
    const Array array = *device_put(Array(value), from, Here());
    for (const NamedSharding& to : shardings) {
      const auto moved = device_put(array, to, Here());
      ASSERT_TRUE(moved.ok()) << moved.status();
      ExpectHas(*moved, to, value);
    }
  }
}

TEST_F(DevicePutTest, WhatIsThereAlreadyIsNotMoved) {
  const Literal value = Iota(ElementType::kF32, {8, 2});
  const Array array = *device_put(
      Array(value), ShardingOf(All({4, 2}), PartitionSpec("x")), Here());
  const int puts = view_->puts();
  const NamedSharding same =
      ShardingOf(MeshOn({6, 0, 4, 2}, {4, 1}), PartitionSpec());
  const NamedSharding other_axes = ShardingOf(
      *Mesh::Create({{2, 2, 2}, view_->world().devices()}, {"a", "b", "c"}),
      PartitionSpec(AxisTuple{"a", "b"}));
  ExpectHas(*device_put(array, other_axes, Here()), other_axes, value);
  EXPECT_EQ(view_->loads(), 0);
  EXPECT_EQ(view_->puts(), puts);
  ExpectHas(*device_put(array, same, Here()), same, value);
  EXPECT_EQ(view_->loads(), 1);
}

TEST_F(DevicePutTest, ProgramIsLoadedOnce) {
  const NamedSharding from = ShardingOf(All({4, 2}), PartitionSpec("x"));
  const NamedSharding to = ShardingOf(All({4, 2}), PartitionSpec("y"));
  for (int i = 0; i < 3; ++i) {
    const Literal value = Literal::FromValues<int32_t>({4}, {i, 1, 2, 3});
    const Array array = *device_put(Array(value), from, Here());
    ExpectHas(*device_put(array, to, Here()), to, value);
  }
  EXPECT_EQ(view_->loads(), 1);
}

TEST_F(DevicePutTest, ArraysWithoutElementsHaveNothingToMove) {
  const Literal nothing(Shape(ElementType::kF32, {4, 0}));
  const Array array = *device_put(
      Array(nothing), ShardingOf(All({4, 2}), PartitionSpec("x")), Here());
  const NamedSharding to = ShardingOf(All({4, 2}), PartitionSpec("y", "x"));
  ExpectHas(*device_put(array, to, Here()), to, nothing);
  const Literal scalar = Literal::Scalar(3.5);
  const Array one =
      *device_put(Array(scalar), view_->world().devices()[2], Here());
  const NamedSharding all = ShardingOf(All({4, 2}), PartitionSpec());
  ExpectHas(*device_put(one, all, Here()), all, scalar);
}

TEST_F(DevicePutTest, LeavesOfAStructTakeShardingsByPrefix) {
  const NamedSharding rows = ShardingOf(All({4, 2}), PartitionSpec("x"));
  const NamedSharding whole = ShardingOf(All({4, 2}), PartitionSpec());
  const Array value(Iota(ElementType::kS32, {8}));
  const std::vector<Layer<Array>> layers = {{value, value}, {value, {}}};
  const auto all = device_put(layers, rows, Here());
  ASSERT_TRUE(all.ok()) << all.status();
  EXPECT_EQ((*all)[0].bias->sharding(), Sharding(rows));
  EXPECT_EQ((*all)[1].weight.sharding(), Sharding(rows));
  EXPECT_FALSE((*all)[1].bias.has_value());

  using Shardings = Tree<NamedSharding>;
  const auto some = device_put(
      layers, Shardings::List({Shardings(whole), Shardings()}), Here());
  ASSERT_TRUE(some.ok()) << some.status();
  EXPECT_EQ((*some)[0].bias->sharding(), Sharding(whole));
  EXPECT_FALSE((*some)[1].weight.sharding().is_on_devices());

  const auto on_one =
      device_put(layers[0], view_->world().devices()[3], Here());
  ASSERT_TRUE(on_one.ok()) << on_one.status();
  EXPECT_THAT(on_one->weight.devices(), ElementsAre(GlobalDeviceId(3)));
  EXPECT_EQ(*on_one->bias->Fetch(), Iota(ElementType::kS32, {8}));
}

TEST_F(DevicePutTest, ErrorsHaveThePathOfTheirLeaf) {
  const NamedSharding rows = ShardingOf(All({4, 2}), PartitionSpec("x"));
  const Array good(Iota(ElementType::kS32, {8}));
  const Array bad(Iota(ElementType::kS32, {3}));
  const absl::Status status =
      device_put(std::vector<Layer<Array>>{{good, bad}}, rows, Here()).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), ::testing::StartsWith("0/bias: "));
}

TEST_F(DevicePutTest, WrongArgumentsAreNamed) {
  const Array array = *device_put(
      Array({1, 2, 3, 4}), ShardingOf(All({4, 2}), PartitionSpec("x")), Here());
  const auto uneven =
      device_put(array, ShardingOf(All({8, 1}), PartitionSpec("x")), Here());
  EXPECT_EQ(uneven.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(uneven.status().message()),
              AllOf(HasSubstr("8"), HasSubstr("4")));
  ArrayOptions options = Here();
  options.dtype = ElementType::kF32;
  const auto other_type =
      device_put(array, ShardingOf(All({4, 2}), PartitionSpec()), options);
  EXPECT_THAT(std::string(other_type.status().message()),
              AllOf(HasSubstr("int32"), HasSubstr("float32")));
  Array moved = array;
  const Array taken = std::move(moved);
  const auto gone = device_put(moved, ShardingOf(All({4, 2}), PartitionSpec()),
                               Here());  // NOLINT
  EXPECT_EQ(gone.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(gone.status().message()), HasSubstr("moved from"));
}

}  // namespace
}  // namespace lockstep::internal
