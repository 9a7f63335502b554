// M-10 of docs/behaviour/multihost.md, on one host: what several do is in
// tests/multihost/global_arrays_test.cc.
#include "client/eager/array_slices.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "client/eager/array_operations.h"
#include "client/global_arrays/device_put.h"
#include "client/host/recording_view.h"
#include "client/pmap/pmap.h"
#include "client/tracer/ops.h"
#include "runtime/ir/printer.h"
#include "runtime/mesh/mesh_testing.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using Sizes = std::vector<int64_t>;

std::string Text(const Array& array) {
  const auto text = array.ToString();
  return text.ok() ? *text : std::string(text.status().message());
}

class ArraySlicesTest : public ::testing::Test {
 protected:
  ArraySlicesTest()
      : view_(RecordingView::Create(8)),
        mesh_(MeshOf(view_->world(), {3, 1, 2, 0, 7, 5, 6, 4}, {4, 2},
                     {"x", "y"})) {
    std::vector<int32_t> values;
    for (int i = 0; i < 32; ++i) values.push_back(i);
    matrix_ = *Array::FromValues<int32_t>({8, 4}, values);
  }

  Array Put(const Array& value, PartitionSpec spec) const {
    return *device_put(value, ShardingOf(mesh_, std::move(spec)),
                       {.view = view_});
  }
  // A row of `value` per device.
  Array Rows(const Array& value, int64_t dim = 0) const {
    auto copy = pmap([](Tensor x) { return x; },
                     {.in_axes = {dim}, .out_axes = {dim}, .view = view_});
    return *copy(value);
  }

  const std::shared_ptr<RecordingView> view_;
  const Mesh mesh_;
  Array matrix_;
};

struct Case {
  Sizes starts, limits, strides;
  // Of the result; by dimension whether it keeps its sharding.
  std::vector<bool> keeps;
};

const std::vector<Case>& Cases() {
  static const auto& cases = *new std::vector<Case>{
      {{0, 0}, {8, 4}, {1, 1}, {true, true}},
      {{2, 0}, {6, 4}, {1, 1}, {false, true}},
      {{0, 1}, {8, 2}, {1, 1}, {true, false}},
      {{1, 1}, {8, 4}, {3, 2}, {false, false}},
      {{0, 0}, {8, 4}, {2, 1}, {false, true}},
      {{5, 0}, {5, 4}, {1, 1}, {false, true}},
  };
  return cases;
}

TEST_F(ArraySlicesTest, OfMeshesHaveTheValuesOfThoseInHostMemory_M10) {
  for (const PartitionSpec& spec :
       {PartitionSpec(), PartitionSpec("x"), PartitionSpec(nullptr, "y"),
        PartitionSpec("y", "x"), PartitionSpec(AxisTuple{"y", "x"})}) {
    const Array x = Put(matrix_, spec);
    for (const Case& each : Cases()) {
      const Array part = slice(x, each.starts, each.limits, each.strides);
      EXPECT_EQ(Text(part),
                Text(slice(matrix_, each.starts, each.limits, each.strides)));
      std::vector<SpecEntry> entries;
      for (int dim = 0; dim < 2; ++dim) {
        entries.push_back(each.keeps[dim] ? spec.entry(dim) : SpecEntry());
      }
      ASSERT_NE(part.sharding().named(), nullptr);
      EXPECT_TRUE(SameAxes(part.sharding().named()->spec(),
                           PartitionSpec::FromEntries(entries)))
          << part.sharding();
    }
    for (int64_t i : {0, 3, -1}) {
      EXPECT_EQ(Text(index_in_dim(x, i)), Text(index_in_dim(matrix_, i)));
      EXPECT_EQ(Text(index_in_dim(x, i, -1)),
                Text(index_in_dim(matrix_, i, 1)));
    }
  }
  EXPECT_EQ(Text(slice(matrix_, {1, 1}, {8, 4}, {3, 2})),
            "[[ 5  7]\n [17 19]\n [29 31]]");
  EXPECT_EQ(Text(slice_in_dim(matrix_, 6, 8)),
            "[[24 25 26 27]\n [28 29 30 31]]");
  EXPECT_EQ(Text(index_in_dim(matrix_, -2, 1)), "[ 2  6 10 14 18 22 26 30]");
}

TEST_F(ArraySlicesTest, ShardedRowsAreNotMovedWhereTheyAreNotCut_M10) {
  const Array x = Put(matrix_, PartitionSpec("x"));
  const int calls = view_->calls();
  const Array column = index_in_dim(x, 1, 1);
  EXPECT_EQ(view_->calls(), calls + 1);
  EXPECT_THAT(Print(*view_->last_load().module), Not(HasSubstr("collective")));
  EXPECT_EQ(column.sharding(), Sharding(ShardingOf(mesh_, PartitionSpec("x"))));
  // An operand of what comes next.
  EXPECT_EQ(Text(column + index_in_dim(x, 0, 1)), "[ 1  9 17 25 33 41 49 57]");
}

TEST_F(ArraySlicesTest, EveryOneIsOneCall_M10) {
  const Array x = Put(matrix_, PartitionSpec("x"));
  int calls = view_->calls();
  for (const auto& [start, limit] :
       {std::pair{1, 3}, {0, 8}, {0, 9}, {4, 4}, {0, 8}}) {
    const Array rows = slice_in_dim(x, start, limit);
    EXPECT_EQ(rows.Await().ok(), limit <= 8);
    EXPECT_EQ(view_->calls(), ++calls) << start << ':' << limit;
  }
  EXPECT_FALSE(index_in_dim(x, 0, 2).Await().ok());
  EXPECT_EQ(view_->calls(), ++calls);
  EXPECT_EQ(view_->failed_calls(), 2);
}

TEST_F(ArraySlicesTest, ArraysWithoutElementsAreCut_M10) {
  const Array empty = *Array::FromValues<int32_t>({8, 0}, {});
  const Array x = Put(empty, PartitionSpec("x"));
  EXPECT_EQ(slice_in_dim(x, 1, 4).shape(), Shape(ElementType::kS32, {3, 0}));
  EXPECT_EQ(Text(slice_in_dim(x, 1, 4)), Text(slice_in_dim(empty, 1, 4)));
}

TEST_F(ArraySlicesTest, MappedRowsStayOnTheirDevices_M10) {
  const Array rows = Rows(matrix_);
  const Array some = slice_in_dim(rows, 2, 4);
  EXPECT_EQ(Text(some), Text(slice_in_dim(matrix_, 2, 4)));
  EXPECT_EQ(some.devices(), (std::vector<GlobalDeviceId>{GlobalDeviceId(2),
                                                         GlobalDeviceId(3)}));
  EXPECT_EQ(Text(slice(rows, {1, 0}, {8, 4}, {3, 2})),
            Text(slice(matrix_, {1, 0}, {8, 4}, {3, 2})));
  const Array first = index_in_dim(rows, 0);
  EXPECT_EQ(Text(first), "[0 1 2 3]");
  EXPECT_EQ(first.devices(), std::vector<GlobalDeviceId>{GlobalDeviceId(0)});
  EXPECT_EQ(Text(index_in_dim(rows, 2, 1)), Text(index_in_dim(matrix_, 2, 1)));
  EXPECT_EQ(Text(slice_in_dim(rows, 3, 3)), "[]");
  // The mapped dimension behind one that is dropped.
  const auto transposed = *Array::FromValues<int32_t>(
      {2, 8}, {0, 1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 13, 14, 15, 16, 17});
  const Array columns = Rows(transposed, 1);
  EXPECT_EQ(Text(index_in_dim(columns, 1)), "[10 11 12 13 14 15 16 17]");
  EXPECT_EQ(Text(slice(columns, {0, 1}, {2, 7}, {1, 5})),
            "[[ 1  6]\n [11 16]]");
}

TEST_F(ArraySlicesTest, CopiesOfARowAreOneArrayWithoutRows_M10) {
  // Each row is on two devices, the copies of the inner map.
  auto twice = pmap([](Tensor x) { return 2 * x; }, {.axis_name = "copies"});
  auto rows_of = pmap([=](Tensor row) { return twice(row); }, {.view = view_});
  const auto rows =
      rows_of(*Array::FromValues<int32_t>({4, 2}, {0, 1, 2, 3, 4, 5, 6, 7}));
  ASSERT_TRUE(rows.ok()) << rows.status();
  ASSERT_EQ(rows->placement().copies, 2);
  const Array third = index_in_dim(*rows, 2);
  EXPECT_EQ(third.devices().size(), 2u);
  EXPECT_TRUE(third.placement() == RowPlacement());
  EXPECT_EQ(Text(third), "[ 8 10]");
  // An operand of what comes next.
  EXPECT_EQ(Text(third + index_in_dim(*rows, 2)), "[16 20]");
}

TEST_F(ArraySlicesTest, ADimensionThatIsNotThereIsNamed_M10) {
  const Array scalar(Literal::Scalar(7));
  for (const Array& x : {scalar, Put(scalar, PartitionSpec())}) {
    for (const Array& part : {slice_in_dim(x, 0, 1), index_in_dim(x, 0, -1)}) {
      EXPECT_EQ(part.Await().code(), absl::StatusCode::kInvalidArgument);
      EXPECT_THAT(std::string(part.Await().message()),
                  AllOf(HasSubstr("array_slices_test.cc:"),
                        HasSubstr("is out of range for rank 0")));
    }
    EXPECT_EQ(Text(slice(x, {}, {})), "7");
  }
  EXPECT_THAT(std::string(index_in_dim(matrix_, 0, -3).Await().message()),
              HasSubstr("slice: dimension -3 is out of range for rank 2"));
}

TEST_F(ArraySlicesTest, WhatIsOutOfRangeIsAnErrorOfTheResult_M10) {
  for (const Array& x :
       {matrix_, Put(matrix_, PartitionSpec("x")), Rows(matrix_)}) {
    for (const Array& part :
         {slice_in_dim(x, 0, 9), slice_in_dim(x, -1, 2), slice_in_dim(x, 3, 2),
          slice_in_dim(x, 0, 1, 2), index_in_dim(x, 8), index_in_dim(x, -9),
          index_in_dim(x, 0, 5), slice(x, {0}, {1}),
          slice(x, {0, 0}, {8, 4}, {0, 1})}) {
      EXPECT_EQ(part.Await().code(), absl::StatusCode::kInvalidArgument)
          << part.Await();
    }
  }
  EXPECT_THAT(std::string(slice_in_dim(matrix_, 0, 9).Await().message()),
              HasSubstr("array_slices_test.cc"));
}

}  // namespace
}  // namespace lockstep::internal
