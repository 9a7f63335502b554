// M-10 of docs/behaviour/multihost.md, on one host: what several do is in
// tests/multihost/global_arrays_test.cc.
#include "client/eager/array_reductions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "client/eager/array_operations.h"
#include "client/global_arrays/device_put.h"
#include "client/host/recording_view.h"
#include "client/pmap/pmap.h"
#include "client/tracer/ops.h"
#include "runtime/mesh/mesh_testing.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

struct Reduction {
  std::string name;
  std::function<Array(const Array&)> on_arrays;
  std::function<Tensor(Tensor)> on_tensors;
};

// With every choice of dimensions of a matrix.
std::vector<Reduction> Reductions() {
  std::vector<Reduction> reductions;
  const auto add = [&](const std::string& name, auto reduce) {
    reductions.push_back({name, reduce, reduce});
  };
  for (const ReducedDims& dims :
       {ReducedDims(), ReducedDims(0), ReducedDims(-1), ReducedDims({1, 0}),
        ReducedDims(std::vector<int64_t>())}) {
    const std::string text =
        dims.dims().has_value()
            ? " over " + std::to_string(dims.dims()->size()) + " from " +
                  std::to_string(dims.dims()->empty() ? 0 : (*dims.dims())[0])
            : "";
    for (const bool keep : {false, true}) {
      const std::string all_of = text + (keep ? ", kept" : "");
      add("sum" + all_of, [=](const auto& x) { return sum(x, dims, keep); });
      add("mean" + all_of, [=](const auto& x) { return mean(x, dims, keep); });
      add("max" + all_of, [=](const auto& x) { return max(x, dims, keep); });
      add("min" + all_of, [=](const auto& x) { return min(x, dims, keep); });
    }
    add("any" + text, [=](const auto& x) { return any(x, dims); });
    add("all" + text, [=](const auto& x) { return all(x, dims); });
  }
  return reductions;
}

// Small whole numbers, whose sums are exact in every type.
Array Values(ElementType type, std::vector<int64_t> dims) {
  const int64_t count = Shape(ElementType::kF32, dims).element_count();
  std::vector<float> values;
  for (int64_t i = 0; i < count; ++i) {
    values.push_back(static_cast<float>((5 * i) % 7 - 2));
  }
  return Array(*astype(*Array::FromValues<float>(dims, values), type).Fetch());
}

class ArrayReductionsTest : public ::testing::Test {
 protected:
  ArrayReductionsTest() : view_(RecordingView::Create(8)) {}

  NamedSharding Spec(PartitionSpec spec) const {
    return ShardingOf(
        MeshOf(view_->world(), {3, 1, 2, 0, 7, 5, 6, 4}, {4, 2}, {"x", "y"}),
        std::move(spec));
  }
  Array Put(const Array& value, const NamedSharding& sharding) const {
    return *device_put(value, sharding, {.view = view_});
  }
  // A row per device, of which every one has the whole `value`.
  Array Rows(const Array& value) const {
    auto copies = pmap([](Tensor, Tensor x) { return x; },
                       {.in_axes = {0, std::nullopt}, .view = view_});
    return *copies(Array(std::vector<float>(8)), value);
  }

  const std::shared_ptr<RecordingView> view_;
};

// Over a mesh however it is split, and in host memory: what a traced function
// gives, or its refusal.
TEST_F(ArrayReductionsTest, AreThoseOfTracedFunctions_M10) {
  const std::vector<PartitionSpec> specs = {
      PartitionSpec(), PartitionSpec("x"), PartitionSpec(nullptr, "y"),
      PartitionSpec("y", "x"), PartitionSpec(AxisTuple{"y", "x"})};
  for (const ElementType type :
       {ElementType::kF32, ElementType::kS32, ElementType::kPred,
        ElementType::kF16, ElementType::kU8, ElementType::kC64}) {
    const Array x = Values(type, {8, 4});
    std::vector<Array> laid;
    for (const PartitionSpec& spec : specs) laid.push_back(Put(x, Spec(spec)));
    for (const Reduction& reduction : Reductions()) {
      SCOPED_TRACE(reduction.name + " of " + std::string(NumpyName(type)));
      auto mapped =
          pmap([&](Tensor, Tensor t) { return reduction.on_tensors(t); },
               {.in_axes = {0, std::nullopt}, .view = view_});
      const auto expected = mapped(Array(std::vector<float>(8)), x);
      const Array here = reduction.on_arrays(x);
      if (!expected.ok()) {
        EXPECT_EQ(here.Await().code(), expected.status().code()) << here;
        for (const Array& each : laid) {
          EXPECT_EQ(reduction.on_arrays(each).Await().code(),
                    expected.status().code());
        }
        continue;
      }
      ASSERT_TRUE(here.Await().ok()) << here.Await();
      const Literal value = *here.Fetch();
      EXPECT_EQ(*Rows(here).Fetch(), *expected->Fetch());
      for (size_t i = 0; i < laid.size(); ++i) {
        const Array result = reduction.on_arrays(laid[i]);
        ASSERT_TRUE(result.Await().ok()) << result.Await();
        EXPECT_EQ(*result.Fetch(), value) << specs[i].ToString();
      }
    }
  }
}

TEST_F(ArrayReductionsTest, DimensionsThatStayKeepTheirSharding) {
  const Array x =
      Put(Values(ElementType::kF32, {8, 4}), Spec(PartitionSpec("x", "y")));
  EXPECT_EQ(sum(x, 0).sharding(), Sharding(Spec(PartitionSpec("y"))));
  EXPECT_EQ(sum(x, 1).sharding(), Sharding(Spec(PartitionSpec("x"))));
  EXPECT_EQ(sum(x, 1, true).sharding(),
            Sharding(Spec(PartitionSpec("x", nullptr))));
  const Array whole = sum(x);
  EXPECT_EQ(whole.sharding(), Sharding(Spec(PartitionSpec())));
  EXPECT_EQ(whole.addressable_shards().size(), 8u);
  EXPECT_EQ(view_->failed_calls(), 0);
}

TEST_F(ArrayReductionsTest, NanWinsOnEveryDevice) {
  std::vector<float> values(8, 1.0f);
  values[5] = std::numeric_limits<float>::quiet_NaN();
  const Array x = Put(Array(values), Spec(PartitionSpec("x")));
  for (const Array& result : {max(x), min(x), sum(x), mean(x)}) {
    EXPECT_EQ(result.ToString().value(), "nan");
  }
}

// The sum, 4098.25, is nearest to 4100 in f16, whose neighbor is 4096: what the
// first device has, 4097.75, would be 4096.
TEST_F(ArrayReductionsTest, NarrowSumsAreRoundedOnce) {
  std::vector<float> values(64, 0.0f);
  values[0] = 4096.0f;
  for (size_t i = 1; i < 8; ++i) values[i] = 0.25f;
  values[8] = 0.5f;
  const Array half =
      Put(Array(*astype(Array(values), ElementType::kF16).Fetch()),
          Spec(PartitionSpec(AxisTuple{"x", "y"})));
  EXPECT_EQ(sum(half).ToString().value(), "4100.0");
  EXPECT_EQ(sum(half).dtype(), ElementType::kF16);
  EXPECT_EQ(mean(half).dtype(), ElementType::kF16);
}

TEST_F(ArrayReductionsTest, RowsAreReducedOnTheirDevices) {
  const Array rows = Rows(Values(ElementType::kF32, {4, 3}));
  const Literal value = *rows.Fetch();
  for (const Array& result :
       {sum(rows, {1, 2}), sum(rows, 2), sum(rows, 1, true)}) {
    ASSERT_TRUE(result.Await().ok()) << result.Await();
    EXPECT_EQ(result.sharding(), rows.sharding());
  }
  EXPECT_EQ(*sum(rows, {1, 2}).Fetch(), *sum(Array(value), {1, 2}).Fetch());
  auto by_columns = pmap([](Tensor x) { return x; },
                         {.in_axes = {1}, .out_axes = 1, .view = view_});
  const Array wide = Values(ElementType::kF32, {3, 8, 2});
  const Array columns = *by_columns(wide);
  EXPECT_EQ(*max(columns, 0).Fetch(), *max(wide, 0).Fetch());
  EXPECT_EQ(*max(columns, 2).Fetch(), *max(wide, 2).Fetch());
  EXPECT_EQ(*max(columns, {0, 2}).Fetch(), *max(wide, {0, 2}).Fetch());
  for (const Array& wrong : {sum(rows), sum(rows, 0), sum(columns, -2)}) {
    const absl::Status status = wrong.Await();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(status.message()),
                AllOf(HasSubstr("mapped over devices"), HasSubstr("psum"),
                      HasSubstr("PmapSharding")));
  }
}

TEST_F(ArrayReductionsTest, AProgramIsLoadedOnceAndCallsAreDescribed) {
  const Array x =
      Put(Values(ElementType::kF32, {8, 4}), Spec(PartitionSpec("x")));
  const int loads = view_->loads();
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(sum(x, 0).Await().ok());
  EXPECT_EQ(view_->loads(), loads + 1);
  EXPECT_EQ(view_->last_call().text, "sum(float32 (8, 4), dims=(0,))");
  const uint64_t digest = view_->last_call().digest;
  ASSERT_TRUE(sum(x, 1).Await().ok());
  EXPECT_NE(view_->last_call().digest, digest);
  EXPECT_EQ(view_->loads(), loads + 2);
}

TEST_F(ArrayReductionsTest, WrongDimensionsAndFailedArraysAreErrors) {
  const Array x =
      Put(Values(ElementType::kF32, {8, 4}), Spec(PartitionSpec("x")));
  for (const Array& operand : {x, Values(ElementType::kF32, {8, 4})}) {
    for (const ReducedDims& dims :
         {ReducedDims(2), ReducedDims(-3), ReducedDims({0, 0})}) {
      const absl::Status status = sum(operand, dims).Await();
      EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
      EXPECT_THAT(
          std::string(status.message()),
          AllOf(HasSubstr("array_reductions_test.cc"), HasSubstr("sum")));
    }
  }
  EXPECT_EQ(view_->failed_calls(), 3);  // told to other hosts, each
  const Array wrong = x + Array({1.f, 2.f, 3.f});
  EXPECT_EQ(mean(wrong).Await(), wrong.Await());
}

}  // namespace
}  // namespace lockstep::internal
