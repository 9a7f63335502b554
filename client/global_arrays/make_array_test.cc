// M-5, M-6 and M-7 of docs/behaviour/multihost.md, on one host: what several do
// is in tests/multihost/global_arrays_test.cc.
#include "client/global_arrays/make_array.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "client/global_arrays/device_put.h"
#include "client/host/recording_view.h"
#include "runtime/mesh/mesh_testing.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class MakeArrayTest : public ::testing::Test {
 protected:
  MakeArrayTest() : view_(RecordingView::Create(4)) {}

  NamedSharding On(std::vector<int64_t> dims, std::vector<std::string> axes,
                   PartitionSpec spec) const {
    return ShardingOf(MeshOf(view_->world(), std::move(dims), std::move(axes)),
                      std::move(spec));
  }
  ArrayOptions Here() const { return {.view = view_}; }

  // The first element of each shard.
  static std::vector<int32_t> FirstElements(const Array& array) {
    std::vector<int32_t> elements;
    for (const ArrayShard& shard : array.addressable_shards()) {
      elements.push_back(shard.data->ToVector<int32_t>()->at(0));
    }
    return elements;
  }

  const std::shared_ptr<RecordingView> view_;
};

void ExpectInvalid(const absl::Status& status,
                   const ::testing::Matcher<std::string>& message) {
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
  EXPECT_THAT(std::string(status.message()), message);
}

TEST_F(MakeArrayTest, CallbackIsCalledOncePerIndex_M5) {
  std::vector<std::string> calls;
  const auto array = make_array_from_callback(
      {4, 2}, On({2, 2}, {"x", "y"}, PartitionSpec("y")),
      [&](const ShardIndex& index) -> absl::StatusOr<Array> {
        calls.push_back(ShardIndexText(index));
        const int32_t row = static_cast<int32_t>(index[0].start());
        return Array::FromValues<int32_t>({2, 2}, {row, row, row, row});
      },
      Here());
  ASSERT_TRUE(array.ok()) << array.status();
  EXPECT_THAT(calls, ElementsAre("(0:2, ALL)", "(2:4, ALL)"));
  EXPECT_EQ(array->shape(), Shape(ElementType::kS32, {4, 2}));
  EXPECT_THAT(FirstElements(*array), ElementsAre(0, 2, 0, 2));
  EXPECT_EQ(*array->ToString(), "[[0 0]\n [0 0]\n [2 2]\n [2 2]]");
}

TEST_F(MakeArrayTest, CallbackOfAReplicatedArrayIsCalledOnce_M5) {
  int calls = 0;
  const auto array = make_array_from_callback(
      {}, On({4}, {"x"}, PartitionSpec()),
      [&](const ShardIndex& index) {
        ++calls;
        EXPECT_TRUE(index.empty());
        return Array(Literal::Scalar(7));
      },
      Here());
  ASSERT_TRUE(array.ok()) << array.status();
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(*array->ToString(), "7");
  EXPECT_EQ(array->devices().size(), 4u);
}

TEST_F(MakeArrayTest, CallbackMustGiveTheShard_M5) {
  const NamedSharding rows = On({4}, {"x"}, PartitionSpec("x"));
  const auto wrong_shape = make_array_from_callback(
      {8}, rows, [](const ShardIndex&) { return Array({1, 2, 3}); }, Here());
  ExpectInvalid(
      wrong_shape.status(),
      AllOf(HasSubstr("device 0"), HasSubstr("(3,)"), HasSubstr("(2,)"),
            HasSubstr("(8,)"), HasSubstr("PartitionSpec('x',)")));
  const auto wrong_type = make_array_from_callback(
      {8}, rows,
      [](const ShardIndex& index) {
        return index[0].start() == 2 ? Array({1.f, 2.f}) : Array({1, 2});
      },
      Here());
  ExpectInvalid(
      wrong_type.status(),
      AllOf(HasSubstr("device 1"), HasSubstr("float32"), HasSubstr("int32")));
  ArrayOptions options = Here();
  options.dtype = ElementType::kF64;
  const auto other_type = make_array_from_callback(
      {8}, rows, [](const ShardIndex&) { return Array({1, 2}); }, options);
  ExpectInvalid(other_type.status(),
                AllOf(HasSubstr("int32"), HasSubstr("float64")));
}

TEST_F(MakeArrayTest, ErrorsOfTheCallbackAreTheCalls_M5) {
  const NamedSharding rows = On({4}, {"x"}, PartitionSpec("x"));
  const auto failed = make_array_from_callback(
      {8}, rows,
      [](const ShardIndex&) -> absl::StatusOr<Array> {
        return absl::NotFoundError("no file rows.npy");
      },
      Here());
  EXPECT_EQ(failed.status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(failed.status().message()),
              HasSubstr("no file rows.npy"));
  const auto thrown = make_array_from_callback(
      {8}, rows,
      [](const ShardIndex&) -> absl::StatusOr<Array> {
        throw std::runtime_error("broken");
      },
      Here());
  EXPECT_EQ(thrown.status().code(), absl::StatusCode::kUnknown);
  EXPECT_THAT(std::string(thrown.status().message()), HasSubstr("broken"));
}

TEST_F(MakeArrayTest, DimsMustBeDivided_M5) {
  const auto array = make_array_from_callback(
      {6}, On({4}, {"x"}, PartitionSpec("x")),
      [](const ShardIndex&) { return Array({1, 2}); }, Here());
  ExpectInvalid(array.status(), AllOf(HasSubstr("make_array_from_callback"),
                                      HasSubstr("6"), HasSubstr("4")));
}

// A mesh of another host's devices: nothing happens here.
TEST_F(MakeArrayTest, WithoutADeviceHereTheTypeMustBeGiven_M5) {
  const NamedSharding elsewhere =
      ShardingOf(MeshOf(WorldOf(2, 4), {6, 7}, {2}, {"x"}), PartitionSpec("x"));
  const auto callback = [](const ShardIndex&) -> absl::StatusOr<Array> {
    ADD_FAILURE() << "called for another host";
    return Array();
  };
  ExpectInvalid(
      make_array_from_callback({4}, elsewhere, callback, Here()).status(),
      AllOf(HasSubstr("dtype"), HasSubstr("host 1")));
  ExpectInvalid(
      make_array_from_single_device_arrays({4}, elsewhere, {}, Here()).status(),
      AllOf(HasSubstr("dtype"), HasSubstr("host 1")));
  ArrayOptions options = Here();
  options.dtype = ElementType::kF32;
  for (const auto& array :
       {make_array_from_callback({4}, elsewhere, callback, options),
        make_array_from_single_device_arrays({4}, elsewhere, {}, options),
        make_array_from_process_local_data(elsewhere, Array({1.f}), {{4}},
                                           options)}) {
    ASSERT_TRUE(array.ok()) << array.status();
    EXPECT_EQ(array->shape(), Shape(ElementType::kF32, {4}));
    EXPECT_TRUE(array->addressable_shards().empty());
  }
}

TEST_F(MakeArrayTest, ArraysOfDevicesAreJoinedInAnyOrder_M6) {
  const NamedSharding rows = On({4}, {"x"}, PartitionSpec("x"));
  std::vector<Array> parts;
  for (int i : {2, 0, 3, 1}) {
    parts.push_back(
        *device_put(Array({i, i}), view_->world().devices()[i], Here()));
  }
  const auto array =
      make_array_from_single_device_arrays({8}, rows, parts, Here());
  ASSERT_TRUE(array.ok()) << array.status();
  EXPECT_EQ(*array->ToString(), "[0 0 1 1 2 2 3 3]");
  // What was taken apart is put together.
  std::vector<Array> shards;
  for (const ArrayShard& shard : array->addressable_shards()) {
    shards.push_back(*shard.data);
  }
  const auto again =
      make_array_from_single_device_arrays({8}, rows, shards, Here());
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(*again->ToString(), "[0 0 1 1 2 2 3 3]");
}

TEST_F(MakeArrayTest, ArraysMustBeOneForEachDevice_M6) {
  const NamedSharding rows = On({4}, {"x"}, PartitionSpec("x"));
  const auto on = [&](Array value, int device) {
    return *device_put(value, view_->world().devices()[device], Here());
  };
  const Array a = on(Array({0, 0}), 0), b = on(Array({1, 1}), 1);
  const Array c = on(Array({2, 2}), 2), d = on(Array({3, 3}), 3);
  const auto make = [&](std::vector<Array> arrays) {
    return make_array_from_single_device_arrays({8}, rows, arrays, Here())
        .status();
  };
  ExpectInvalid(make({a, b, c}), AllOf(HasSubstr("4"), HasSubstr("0, 1, 2, 3"),
                                       HasSubstr("3"), HasSubstr("0, 1, 2")));
  ExpectInvalid(make({a, b, c, c}), HasSubstr("device 2"));
  ExpectInvalid(make({a, b, c, d, on(Array({1, 1}), 0)}),
                HasSubstr("device 0"));
  ExpectInvalid(
      make({a, b, c, on(Array({1, 1, 1}), 3)}),
      AllOf(HasSubstr("device 3"), HasSubstr("(3,)"), HasSubstr("(2,)")));
  ExpectInvalid(
      make({a, b, c, on(Array({1.f, 1.f}), 3)}),
      AllOf(HasSubstr("device 3"), HasSubstr("float32"), HasSubstr("int32")));
  ExpectInvalid(make({a, b, c, Array({3, 3})}), HasSubstr("host memory"));
  Array moved = a;
  const Array taken = std::move(moved);
  EXPECT_EQ(make({moved, b, c, d}).code(),  // NOLINT
            absl::StatusCode::kFailedPrecondition);
  const NamedSharding two = ShardingOf(
      MeshOf(view_->world(), {0, 1}, {2}, {"x"}), PartitionSpec("x"));
  ExpectInvalid(
      make_array_from_single_device_arrays({4}, two, {a, c}, Here()).status(),
      AllOf(HasSubstr("0, 1"), HasSubstr("0, 2")));
}

TEST_F(MakeArrayTest, DataOfTheOnlyHostIsTheWholeArray_M7) {
  const NamedSharding boxes = On({2, 2}, {"x", "y"}, PartitionSpec("x", "y"));
  const Array data = *Array::FromValues<int32_t>(
      {2, 4}, std::vector<int32_t>{0, 1, 2, 3, 4, 5, 6, 7});
  for (const auto& array :
       {make_array_from_process_local_data(boxes, data, {}, Here()),
        make_array_from_process_local_data(boxes, data, {{2, 4}}, Here())}) {
    ASSERT_TRUE(array.ok()) << array.status();
    EXPECT_THAT(FirstElements(*array), ElementsAre(0, 2, 4, 6));
    EXPECT_EQ(*array->Fetch(), *data.Fetch());
  }
  ExpectInvalid(
      make_array_from_process_local_data(boxes, data, {{4, 4}}, Here())
          .status(),
      AllOf(HasSubstr("dimension 0"), HasSubstr("2"), HasSubstr("4")));
}

// So a host that cannot read its data tells the others why.
TEST_F(MakeArrayTest, TheErrorThatDataCarriesIsTheCalls_M7) {
  const auto array = make_array_from_process_local_data(
      On({4}, {"x"}, PartitionSpec("x")),
      Array::Failed(absl::DataLossError("rows.npy: damaged")), {{4, 2}},
      Here());
  EXPECT_EQ(array.status().code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(std::string(array.status().message()),
              HasSubstr("rows.npy: damaged"));
}

}  // namespace
}  // namespace lockstep::internal
