// Arrays of global shape in the global view, with real workers: rows M-1, M-5,
// M-6, M-9 and M-10 of docs/behaviour/multihost.md.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "client/lockstep.h"
#include "tests/multihost/process_cluster.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// The global view: the client sees all shards, and they move from worker to
// worker.
ProcessCluster::Options TwoByFour() {
  ProcessCluster::Options options;
  options.hosts = 2;
  options.devices_per_host = 4;
  return options;
}

class GlobalViewArraysTest : public ::testing::Test {
 protected:
  GlobalViewArraysTest() : cluster_(TwoByFour()) {
    auto client = Client::Connect(cluster_.address());
    EXPECT_TRUE(client.ok()) << client.status();
    client_.emplace(*std::move(client));
  }

  NamedSharding On(std::vector<int64_t> dims, PartitionSpec spec,
                   const std::vector<int>& ids = {0, 1, 2, 3, 4, 5, 6,
                                                  7}) const {
    std::vector<Device> devices;
    for (int id : ids) devices.push_back(client_->devices()[id]);
    return *NamedSharding::Create(
        *Mesh::Create({std::move(dims), std::move(devices)}, {"x", "y"}),
        std::move(spec));
  }

  ProcessCluster cluster_;
  std::optional<Client> client_;
};

std::vector<int32_t> Numbers(int count) {
  std::vector<int32_t> numbers;
  for (int i = 0; i < count; ++i) numbers.push_back(i);
  return numbers;
}

TEST_F(GlobalViewArraysTest, EveryShardIsAddressable_M1) {
  const auto array =
      client_->device_put(Array(Numbers(8)), On({4, 2}, PartitionSpec("x")));
  ASSERT_TRUE(array.ok()) << array.status();
  EXPECT_TRUE(array->is_fully_addressable());
  EXPECT_TRUE(array->is_fetchable());
  EXPECT_EQ(*array->ToString(), "[0 1 2 3 4 5 6 7]");
  const std::vector<ArrayShard> shards = array->addressable_shards();
  ASSERT_EQ(shards.size(), 8u);
  EXPECT_EQ(*shards[5].data->ToString(), "[4 5]");
  EXPECT_EQ(shards[5].replica_id, 1);
}

TEST_F(GlobalViewArraysTest, ShardOutlivesItsArray) {
  std::optional<Array> shard;
  {
    const auto array =
        client_->device_put(Array(Numbers(8)), On({8, 1}, PartitionSpec("x")));
    ASSERT_TRUE(array.ok()) << array.status();
    shard = *array->addressable_data(6);
  }
  EXPECT_EQ(*shard->ToString(), "[6]");
}

TEST_F(GlobalViewArraysTest, ShardingsBecomeOthers_M9) {
  const Array value = *Array::FromValues<int32_t>({8, 16}, Numbers(128));
  const NamedSharding shardings[] = {
      On({4, 2}, PartitionSpec("x", "y")),
      On({2, 4}, PartitionSpec(nullptr, AxisTuple{"y", "x"}),
         {5, 0, 7, 2, 1, 4, 3, 6}),
      On({8, 1}, PartitionSpec())};
  for (const NamedSharding& from : shardings) {
    const auto array = client_->device_put(value, from);
    ASSERT_TRUE(array.ok()) << array.status();
    for (const NamedSharding& to : shardings) {
      const auto moved = client_->device_put(*array, to);
      ASSERT_TRUE(moved.ok()) << moved.status();
      EXPECT_EQ(moved->sharding(), Sharding(to));
      ASSERT_TRUE(moved->Fetch().ok()) << moved->Fetch().status();
      EXPECT_EQ(*moved->Fetch(), *value.Fetch());
    }
  }
}

TEST_F(GlobalViewArraysTest, RowsOfAMappedFunctionAreResharded_M9) {
  auto twice = client_->pmap([](Tensor x) { return 2 * x; });
  const auto rows = twice(*Array::FromValues<int32_t>({8, 2}, Numbers(16)));
  ASSERT_TRUE(rows.ok()) << rows.status();
  const auto columns =
      client_->device_put(*rows, On({2, 4}, PartitionSpec(nullptr, "x")));
  ASSERT_TRUE(columns.ok()) << columns.status();
  EXPECT_EQ(*columns->Fetch(), *rows->Fetch());
  EXPECT_EQ(columns->addressable_data(7)->shape(),
            Shape(ElementType::kS32, {8, 1}));
}

TEST_F(GlobalViewArraysTest, OtherDevices_M9) {
  const auto array =
      client_->device_put(Array(Numbers(8)), On({8, 1}, PartitionSpec("x")));
  ASSERT_TRUE(array.ok()) << array.status();
  const auto fewer =
      client_->device_put(*array, On({2, 1}, PartitionSpec("x"), {6, 1}));
  ASSERT_TRUE(fewer.ok()) << fewer.status();
  EXPECT_EQ(*fewer->ToString(), "[0 1 2 3 4 5 6 7]");
  EXPECT_EQ(*fewer->addressable_data(0)->ToString(), "[0 1 2 3]");
  const auto one = client_->device_put(*fewer, client_->devices()[6]);
  ASSERT_TRUE(one.ok()) << one.status();
  EXPECT_EQ(*one->ToString(), "[0 1 2 3 4 5 6 7]");
  // To devices that have nothing of it.
  const auto more = client_->device_put(*fewer, On({8, 1}, PartitionSpec("x")));
  ASSERT_TRUE(more.ok()) << more.status();
  EXPECT_EQ(*more->ToString(), "[0 1 2 3 4 5 6 7]");
  EXPECT_EQ(*more->addressable_data(7)->ToString(), "[7]");
  const auto there = client_->device_put(*one, client_->devices()[0]);
  ASSERT_TRUE(there.ok()) << there.status();
  EXPECT_EQ(there->devices()[0], GlobalDeviceId(0));
  EXPECT_EQ(*there->ToString(), "[0 1 2 3 4 5 6 7]");
  // Rows of a mapped function on some devices, too.
  auto twice = client_->pmap(
      [](Tensor x) { return 2 * x; },
      {.devices = {{client_->devices()[4], client_->devices()[5]}}});
  const auto rows = twice(Array({1, 2}));
  ASSERT_TRUE(rows.ok()) << rows.status();
  const auto elsewhere =
      client_->device_put(*rows, On({2, 1}, PartitionSpec("x"), {0, 7}));
  ASSERT_TRUE(elsewhere.ok()) << elsewhere.status();
  EXPECT_EQ(*elsewhere->ToString(), "[2 4]");
}

TEST_F(GlobalViewArraysTest, OperationsComputeOnTheDevicesOfTheArrays_M10) {
  const Array value = *Array::FromValues<int32_t>({8, 4}, Numbers(32));
  const Literal expected = *(value * 3 - value / 2.0).Fetch();
  const NamedSharding both = On({4, 2}, PartitionSpec("x", "y"));
  const Array x = *client_->device_put(value, both);
  const Array y =
      *client_->device_put(value, On({2, 4}, PartitionSpec(nullptr, "y")));
  const Array result = x * 3 - y / 2.0;
  ASSERT_TRUE(result.Await().ok()) << result.Await();
  EXPECT_EQ(*result.Fetch(), expected);
  EXPECT_EQ(result.sharding(), Sharding(both));
  auto twice = client_->pmap([](Tensor t) { return 2 * t; });
  const Array rows = *twice(value);
  EXPECT_EQ(*(rows - value).Fetch(), *value.Fetch());
  EXPECT_EQ((rows + 1).sharding(), rows.sharding());
}

TEST_F(GlobalViewArraysTest, ReductionsCombineWhatAllHostsHave_M10) {
  for (const ElementType type :
       {ElementType::kS32, ElementType::kF32, ElementType::kBF16}) {
    const Array value(
        *astype(*Array::FromValues<int32_t>({8, 4}, Numbers(32)), type)
             .Fetch());
    for (const PartitionSpec& spec :
         {PartitionSpec("x", "y"), PartitionSpec("y"),
          PartitionSpec(AxisTuple{"y", "x"})}) {
      const Array x = *client_->device_put(value, On({4, 2}, spec));
      const auto expect = [&](const Array& result, const Array& expected) {
        ASSERT_TRUE(result.Await().ok()) << result.Await();
        EXPECT_EQ(*result.Fetch(), *expected.Fetch()) << spec.ToString();
      };
      expect(max(x), max(value));
      expect(sum(x, 1), sum(value, 1));
      expect(mean(x, 1, true), mean(value, 1, true));
      expect(all(x >= 0, 0), all(value >= 0, 0));
    }
  }
  const Array x =
      *client_->device_put(*Array::FromValues<int32_t>({8}, Numbers(8)),
                           On({8, 1}, PartitionSpec("x")));
  EXPECT_EQ(sum(x, 1).Await().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(sum(x).ToString().value(), "28");  // the cluster goes on
}

TEST_F(GlobalViewArraysTest, ArraysOfDevicesAreJoined_M6) {
  const std::vector<Device> devices = client_->devices();
  std::vector<Array> parts;
  for (int32_t i : {6, 1, 4}) {  // in any order
    parts.push_back(
        *client_->device_put(Array({10 * i, 10 * i + 1}), devices[i]));
  }
  const NamedSharding rows = On({3, 1}, PartitionSpec("x"), {1, 4, 6});
  const ArrayOptions here = {.view = client_->view()};
  const auto joined =
      make_array_from_single_device_arrays({6}, rows, parts, here);
  ASSERT_TRUE(joined.ok()) << joined.status();
  EXPECT_EQ(joined->sharding(), Sharding(rows));
  EXPECT_EQ(*joined->ToString(), "[10 11 40 41 60 61]");
  EXPECT_EQ(*parts[0].ToString(), "[60 61]");
  // An operand like others.
  EXPECT_EQ(*(*joined + 1).ToString(), "[11 12 41 42 61 62]");
  // One is missing; one is there twice.
  parts.pop_back();
  EXPECT_EQ(make_array_from_single_device_arrays({6}, rows, parts, here)
                .status()
                .code(),
            absl::StatusCode::kInvalidArgument);
  parts.push_back(parts[0]);
  EXPECT_EQ(make_array_from_single_device_arrays({6}, rows, parts, here)
                .status()
                .code(),
            absl::StatusCode::kInvalidArgument);
}

TEST_F(GlobalViewArraysTest, AnErrorOfAnArrayEndsItsWayToOtherDevices_M9) {
  const Array bad = *client_->device_put(
                        Array({1, 2}), On({2, 1}, PartitionSpec("x"), {0, 1})) +
                    Array({1, 2, 3});
  EXPECT_EQ(client_->device_put(bad, client_->devices()[5]).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST_F(GlobalViewArraysTest, CallbackMakesEveryPart_M5) {
  int calls = 0;
  const auto array = client_->make_array_from_callback(
      {8}, On({4, 2}, PartitionSpec("x")), [&](const ShardIndex& index) {
        ++calls;
        const auto first = static_cast<int32_t>(index[0].start());
        return Array({first, first + 1});
      });
  ASSERT_TRUE(array.ok()) << array.status();
  EXPECT_EQ(calls, 4);
  EXPECT_EQ(*array->ToString(), "[0 1 2 3 4 5 6 7]");
  // Arrays over a mesh are arguments like others.
  auto negate = client_->pmap([](Tensor x) { return -x; });
  EXPECT_EQ(*negate(*array)->ToString(), "[ 0 -1 -2 -3 -4 -5 -6 -7]");
}

}  // namespace
}  // namespace lockstep::internal
