// M-1, M-3 and M-4 of docs/behaviour/multihost.md: what one host sees of an
// array whose shards lie on several.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <numeric>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "client/arrays/array.h"
#include "runtime/mesh/mesh_testing.h"
#include "runtime/types/box.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

// Shards in memory, as the view of one host would give them.
class HeldShards : public Shards {
 public:
  HeldShards(Shape shape, std::vector<GlobalDeviceId> devices,
             std::vector<Literal> values)
      : shape_(std::move(shape)),
        devices_(std::move(devices)),
        values_(std::move(values)) {}

  const View* view() const override { return nullptr; }
  const Shape& shape() const override { return shape_; }
  const std::vector<GlobalDeviceId>& devices() const override {
    return devices_;
  }
  bool is_ready() const override { return true; }
  absl::Status Await(absl::Time) const override { return absl::OkStatus(); }
  absl::StatusOr<std::shared_ptr<Shards>> Select(
      absl::Span<const int64_t> positions) const override {
    std::vector<GlobalDeviceId> devices;
    std::vector<Literal> values;
    for (int64_t position : positions) {
      devices.push_back(devices_[position]);
      values.push_back(values_[position]);
    }
    return std::make_shared<HeldShards>(shape_, devices, values);
  }
  absl::StatusOr<std::vector<Literal>> Fetch(
      absl::Span<const int64_t> positions) const override {
    std::vector<Literal> values;
    for (int64_t position : positions) values.push_back(values_[position]);
    return values;
  }

 private:
  const Shape shape_;
  const std::vector<GlobalDeviceId> devices_;
  const std::vector<Literal> values_;
};

HostTensor Iota(absl::Span<const int64_t> dims) {
  Literal literal(Shape(ElementType::kF32, dims));
  const auto elements = literal.mutable_data<float>();
  std::iota(elements.begin(), elements.end(), 0.0f);
  return HostTensor::Of(std::make_shared<const Literal>(std::move(literal)));
}

// What `host` has of an array of 0, 1, 2, ..
Array OnHost(int32_t host, const NamedSharding& sharding,
             absl::Span<const int64_t> dims) {
  const auto layout = *ArrayLayout::Create(sharding, ElementType::kF32, dims);
  const HostTensor whole = Iota(dims);
  std::vector<GlobalDeviceId> devices;
  std::vector<Literal> values;
  for (int64_t position : sharding.mesh().LocalPositions(HostId(host))) {
    devices.push_back(sharding.mesh().devices()[position].id);
    values.push_back(
        Literal::CopyOf(TakeBox(whole, layout->box(position))->view));
  }
  if (devices.empty()) {
    return Array(layout, NoShards(nullptr, layout->shard_shape()));
  }
  return Array(layout, std::make_shared<HeldShards>(
                           layout->shard_shape(), devices, std::move(values)));
}

struct Fetchable {
  PartitionSpec spec;
  bool with_several_devices;  // on 4×2 and 2×4
  bool with_one;              // on 8×1
};

void ExpectFetchable(const Fetchable& row, std::vector<int64_t> mesh_dims,
                     std::vector<std::string> axes,
                     const std::vector<int64_t>& dims) {
  for (const int32_t hosts : {2, 4, 8}) {
    const World world = WorldOf(hosts, 8 / hosts);
    const NamedSharding sharding =
        ShardingOf(MeshOf(world, mesh_dims, axes), row.spec);
    const bool expected = hosts == 8 ? row.with_one : row.with_several_devices;
    for (int32_t host = 0; host < hosts; ++host) {
      const Array array = OnHost(host, sharding, dims);
      EXPECT_EQ(array.is_fetchable(), expected)
          << sharding.ToString() << " on " << hosts << " hosts";
      const auto value = array.Fetch();
      if (expected) {
        ASSERT_TRUE(value.ok()) << value.status();
        EXPECT_EQ(*value, Literal::CopyOf(Iota(dims).view));
      } else {
        EXPECT_EQ(value.status().code(), absl::StatusCode::kFailedPrecondition);
      }
    }
  }
}

TEST(GlobalArrayTest, FetchableWhereEveryIndexIsHere_M3) {
  for (const Fetchable& row : std::vector<Fetchable>{
           {PartitionSpec("x", "y"), false, false},
           {PartitionSpec("x"), false, false},
           {PartitionSpec(AxisTuple{"x", "y"}), false, false},
           {PartitionSpec("y"), true, false},
           {PartitionSpec(), true, true}}) {
    ExpectFetchable(row, {4, 2}, {"x", "y"}, {8, 2});
  }
}

TEST(GlobalArrayTest, FetchableOnMeshesOfThreeAxes_M3) {
  for (const Fetchable& row : std::vector<Fetchable>{
           {PartitionSpec("x", "y", "z"), false, false},
           {PartitionSpec(AxisTuple{"x", "y"}, "z"), false, false},
           {PartitionSpec("z"), true, false},
           {PartitionSpec(nullptr, nullptr, "z"), true, false}}) {
    ExpectFetchable(row, {2, 2, 2}, {"x", "y", "z"}, {8, 4, 2});
  }
}

NamedSharding FourByTwo(PartitionSpec spec) {
  return ShardingOf(MeshOf(WorldOf(2, 4), {4, 2}, {"x", "y"}), std::move(spec));
}

TEST(GlobalArrayTest, ErrorOfFetchSaysWhatIsHereAndWhereTheRestIs_M3) {
  const Array array = OnHost(0, FourByTwo(PartitionSpec("x")), {8, 2});
  const absl::Status status = array.Fetch().status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("(8, 2)"), HasSubstr("float32"),
                    HasSubstr("NamedSharding(mesh=Mesh('x': 4, 'y': 2), "
                              "spec=PartitionSpec('x',))"),
                    HasSubstr("2 of its 4 parts"), HasSubstr("host 1"),
                    Not(HasSubstr("host 0")), HasSubstr("addressable_shards"),
                    HasSubstr("process_allgather")));
  EXPECT_EQ(array.ToVector<float>().status(), status);
  EXPECT_EQ(array.ToString().status(), status);
  EXPECT_EQ(array.Share().status(), status);
}

TEST(GlobalArrayTest, PrintsItsValueOrItsShape_M3) {
  std::ostringstream whole, part;
  whole << OnHost(1, FourByTwo(PartitionSpec("y")), {2, 2});
  EXPECT_EQ(whole.str(), "[[0. 1.]\n [2. 3.]]");
  part << OnHost(1, FourByTwo(PartitionSpec("x")), {8, 2});
  EXPECT_EQ(part.str(), "Array(shape=(8, 2), dtype=float32)");
}

TEST(GlobalArrayTest, DescribesWhatIsHereAndWhatIsElsewhere) {
  const NamedSharding sharding =
      ShardingOf(MeshOf(WorldOf(2, 2), {2, 2}, {"x", "y"}), PartitionSpec("y"));
  EXPECT_EQ(OnHost(1, sharding, {4}).Describe(),
            "Array(shape=(4,), dtype=float32, sharding=NamedSharding("
            "mesh=Mesh('x': 2, 'y': 2), spec=PartitionSpec('y',)))\n"
            "  device 0, on host 0: (0:2), replica 0\n"
            "  device 1, on host 0: (2:4), replica 0\n"
            "  device 2, here: (0:2), replica 1\n"
            "  device 3, here: (2:4), replica 1");
}

TEST(GlobalArrayTest, ShardsAreThoseOfThisHost_M1) {
  const NamedSharding sharding = FourByTwo(PartitionSpec("x"));
  const Array array = OnHost(1, sharding, {8, 2});
  EXPECT_EQ(array.shape(), Shape(ElementType::kF32, {8, 2}));
  EXPECT_EQ(array.sharding(), Sharding(sharding));
  EXPECT_FALSE(array.is_fully_addressable());
  EXPECT_FALSE(array.is_fully_replicated());
  EXPECT_EQ(array.on_device_size_in_bytes(), 8 * 4 * 4);
  const std::vector<ArrayShard> shards = array.addressable_shards();
  ASSERT_EQ(shards.size(), 4u);
  for (int32_t i = 0; i < 4; ++i) {
    const int64_t row = 4 + i / 2 * 2;
    EXPECT_EQ(shards[i].device, GlobalDeviceId(4 + i));
    EXPECT_EQ(shards[i].index,
              (ShardIndex{IndexSlice(row, row + 2), IndexSlice::All()}));
    EXPECT_EQ(shards[i].replica_id, i % 2);
    const float first = 2.0f * static_cast<float>(row);
    EXPECT_EQ(*shards[i].data->ToVector<float>(),
              (std::vector<float>{first, first + 1, first + 2, first + 3}));
    EXPECT_EQ(shards[i].data->devices(),
              std::vector<GlobalDeviceId>{shards[i].device});
  }
  const std::vector<ArrayShard> all = array.global_shards();
  ASSERT_EQ(all.size(), 8u);
  for (size_t i = 0; i < 8; ++i) {
    EXPECT_EQ(all[i].data.has_value(), i >= 4);
    EXPECT_EQ(all[i].replica_id, static_cast<int64_t>(i % 2));
  }
  EXPECT_EQ(array.addressable_data(3)->shape(),
            Shape(ElementType::kF32, {2, 2}));
  EXPECT_EQ(array.addressable_data(4).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(GlobalArrayTest, ShardsFollowTheMesh_M1) {
  const Mesh mesh = MeshOf(WorldOf(2, 2), {1, 2, 0, 3}, {4}, {"x"});
  const Array array = OnHost(0, ShardingOf(mesh, PartitionSpec("x")), {4});
  EXPECT_EQ(array.devices(), (std::vector<GlobalDeviceId>{GlobalDeviceId(1),
                                                          GlobalDeviceId(0)}));
  EXPECT_EQ(*array.addressable_data(0)->ToVector<float>(),
            std::vector<float>{0});
  EXPECT_EQ(*array.addressable_data(1)->ToVector<float>(),
            std::vector<float>{2});
}

TEST(GlobalArrayTest, ReplicatedArrayIsNotAddressableButFetchable_M1) {
  const Array array = OnHost(0, FourByTwo(PartitionSpec()), {3});
  EXPECT_TRUE(array.is_fully_replicated());
  EXPECT_FALSE(array.is_fully_addressable());
  EXPECT_EQ(*array.ToString(), "[0. 1. 2.]");
}

TEST(GlobalArrayTest, ArrayWithoutAShardHereIsAValue_M4) {
  const Mesh mesh = MeshOf(WorldOf(2, 2), {2, 3}, {2}, {"x"});
  const Array array = OnHost(0, ShardingOf(mesh, PartitionSpec("x")), {4});
  EXPECT_EQ(array.shape(), Shape(ElementType::kF32, {4}));
  EXPECT_EQ(array.on_device_size_in_bytes(), 16);
  EXPECT_TRUE(array.is_ready());
  EXPECT_TRUE(array.Await().ok());
  EXPECT_TRUE(array.addressable_shards().empty());
  EXPECT_EQ(array.global_shards().size(), 2u);
  for (const absl::Status& status :
       {array.Fetch().status(), array.addressable_data(0).status()}) {
    EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
    EXPECT_THAT(std::string(status.message()),
                AllOf(HasSubstr("host 1"), Not(HasSubstr("host 0"))));
  }
  const Array copy = array;
  EXPECT_EQ(copy.Describe(), array.Describe());
  std::ostringstream out;
  out << array;
  EXPECT_EQ(out.str(), "Array(shape=(4,), dtype=float32)");
}

TEST(GlobalArrayTest, HostValueAndRowsAreAllHere_M1) {
  const Array host({1, 2});
  EXPECT_TRUE(host.is_fully_addressable());
  EXPECT_TRUE(host.is_fully_replicated());
  EXPECT_EQ(host.sharding().ToString(), "HostMemory()");
  EXPECT_TRUE(host.addressable_shards().empty());
  EXPECT_EQ(host.addressable_data(0).status().code(),
            absl::StatusCode::kInvalidArgument);

  const Shape row(ElementType::kF32, {2});
  const auto value = [](float x) {
    return Literal::FromValues<float>({2}, {x, x});
  };
  const Array rows(
      std::make_shared<HeldShards>(
          row,
          std::vector<GlobalDeviceId>{GlobalDeviceId(5), GlobalDeviceId(4)},
          std::vector<Literal>{value(1), value(2)}),
      RowPlacement{.dim = 1});
  EXPECT_EQ(rows.sharding().ToString(),
            "PmapSharding(dim=1, device_ids=[5, 4])");
  EXPECT_TRUE(rows.is_fully_addressable());
  EXPECT_FALSE(rows.is_fully_replicated());
  EXPECT_EQ(rows.on_device_size_in_bytes(), 16);
  const std::vector<ArrayShard> shards = rows.addressable_shards();
  ASSERT_EQ(shards.size(), 2u);
  EXPECT_EQ(shards[1].device, GlobalDeviceId(4));
  EXPECT_EQ(shards[1].index, (ShardIndex{IndexSlice::All(), IndexSlice(1, 2)}));
  EXPECT_EQ(*shards[1].data->ToVector<float>(), (std::vector<float>{2, 2}));
}

// Dimension 1 is split too: shards do not follow each other in the value.
TEST(GlobalArrayTest, BoxesAreFetchedIntoTheirPlaces) {
  const Mesh mesh = MeshOf(WorldOf(1, 6), {2, 3}, {"x", "y"});
  for (const PartitionSpec& spec :
       {PartitionSpec("x", "y"), PartitionSpec("y", "x"),
        PartitionSpec(nullptr, nullptr, AxisTuple{"y", "x"}),
        PartitionSpec("x", nullptr, "y")}) {
    const Array array = OnHost(0, ShardingOf(mesh, spec), {6, 6, 6});
    EXPECT_TRUE(array.is_fully_addressable());
    EXPECT_EQ(*array.Fetch(), Literal::CopyOf(Iota({6, 6, 6}).view));
  }
  const Array nothing = OnHost(0, ShardingOf(mesh, PartitionSpec("x")), {2, 0});
  EXPECT_EQ(nothing.Fetch()->shape(), Shape(ElementType::kF32, {2, 0}));
}

TEST(GlobalArrayTest, ArrayThatWasMovedFromSaysSo) {
  Array arrays[] = {Array({1, 2}), OnHost(0, FourByTwo(PartitionSpec()), {3})};
  for (Array& array : arrays) {
    const Array taken = std::move(array);
    for (const absl::Status& status :
         {array.Fetch().status(), array.Await(),              // NOLINT
          array.Share().status(), array.ToString().status(),  // NOLINT
          array.addressable_data(0).status()}) {              // NOLINT
      EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
      EXPECT_EQ(status.message(), "the array was moved from");
    }
    EXPECT_TRUE(array.devices().empty());             // NOLINT
    EXPECT_TRUE(array.is_ready());                    // NOLINT
    EXPECT_TRUE(array.addressable_shards().empty());  // NOLINT
    std::ostringstream out;
    out << array << array.Describe();  // NOLINT
    EXPECT_THAT(out.str(), HasSubstr("moved from"));
    array = taken;
    EXPECT_TRUE(array.Fetch().ok());
  }
}

TEST(GlobalArrayTest, LayoutNeedsDevicesAndDimsThatFit) {
  const auto empty = ArrayLayout::Create(
      *NamedSharding::Create(Mesh(), PartitionSpec()), ElementType::kF32, {2});
  EXPECT_EQ(empty.status().code(), absl::StatusCode::kInvalidArgument);
  const auto uneven = ArrayLayout::Create(FourByTwo(PartitionSpec("x")),
                                          ElementType::kF32, {6});
  EXPECT_EQ(uneven.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(uneven.status().message()),
              AllOf(HasSubstr("dimension 0"), HasSubstr("4"), HasSubstr("6")));
}

}  // namespace
}  // namespace lockstep::internal
