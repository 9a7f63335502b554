#include "client/arrays/array.h"

#include <gtest/gtest.h>

#include <sstream>
#include <stdexcept>

#include "client/arrays/row_layout.h"

namespace lockstep::internal {
namespace {

Literal Iota(std::initializer_list<int64_t> dims) {
  Literal literal(Shape(ElementType::kS32, dims));
  int32_t next = 0;
  for (int32_t& element : literal.mutable_data<int32_t>()) element = next++;
  return literal;
}

TEST(RowLayoutTest, SplitTakesOneIndexOfTheDimension) {
  const Literal whole = Iota({2, 3, 2});
  const std::vector<Literal> rows = SplitAlong(whole, 1);
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0], Literal::FromValues<int32_t>({2, 2}, {0, 1, 6, 7}));
  EXPECT_EQ(rows[2], Literal::FromValues<int32_t>({2, 2}, {4, 5, 10, 11}));
}

TEST(RowLayoutTest, StackIsTheInverseOfSplitForEveryDimension) {
  for (int64_t dim = 0; dim < 4; ++dim) {
    const Literal whole = Iota({2, 1, 3, 4});
    EXPECT_EQ(StackAlong(SplitAlong(whole, dim), dim), whole) << dim;
  }
  const Literal vector = Iota({5});
  EXPECT_EQ(StackAlong(SplitAlong(vector, 0), 0), vector);
}

TEST(RowLayoutTest, RowsWithoutElementsKeepTheirShape) {
  const Literal whole = Iota({2, 0, 3});
  EXPECT_EQ(StackAlong(SplitAlong(whole, 0), 0), whole);
  EXPECT_EQ(SplitAlong(whole, 1).size(), 0u);
}

TEST(ArrayTest, HoldsHostValues) {
  const Array array({28, 29, 30});
  EXPECT_EQ(array.dtype(), ElementType::kS32);
  EXPECT_EQ(array.dim(-1), 3);
  EXPECT_THROW(array.dim(1), std::out_of_range);
  EXPECT_TRUE(array.is_ready());
  EXPECT_EQ(*array.ToString(), "[28 29 30]");
  EXPECT_EQ(*array.ToVector<int32_t>(), (std::vector<int32_t>{28, 29, 30}));
  EXPECT_TRUE(array.devices().empty());
}

TEST(ArrayTest, ValuesMustBeAsManyAsTheDimsSay) {
  EXPECT_EQ(Array::FromValues<float>({2, 2}, {1, 2, 3}).status().message(),
            "an array of dims [2, 2] has 4 elements, found 3");
  EXPECT_EQ(Array::FromValues<float>({2, 2}, {1, 2, 3, 4})->shape(),
            Shape(ElementType::kF32, {2, 2}));
}

TEST(ArrayTest, ElementsAreOfOneTypeOnly) {
  EXPECT_EQ(Array({1.f}).ToVector<double>().status().message(),
            "the array's elements are float32, asked for as float64");
}

// Rows on devices, as a view would give them.
class FixedShards : public Shards {
 public:
  explicit FixedShards(std::vector<absl::StatusOr<Literal>> values)
      : values_(std::move(values)) {
    for (size_t i = 0; i < values_.size(); ++i) {
      devices_.push_back(GlobalDeviceId(static_cast<int32_t>(i)));
    }
  }
  const View* view() const override { return nullptr; }
  const Shape& shape() const override { return shape_; }
  const std::vector<GlobalDeviceId>& devices() const override {
    return devices_;
  }
  bool is_ready() const override { return true; }
  absl::Status Await(absl::Time) const override { return absl::OkStatus(); }
  absl::StatusOr<std::vector<Literal>> Fetch(
      absl::Span<const int64_t> positions) const override {
    std::vector<Literal> values;
    for (int64_t position : positions) {
      if (!values_[position].ok()) return values_[position].status();
      values.push_back(*values_[position]);
    }
    return values;
  }

 private:
  const Shape shape_ = Shape(ElementType::kS32, {});
  const std::vector<absl::StatusOr<Literal>> values_;
  std::vector<GlobalDeviceId> devices_;
};

std::shared_ptr<Shards> FourShards() {
  return std::make_shared<FixedShards>(std::vector<absl::StatusOr<Literal>>{
      Literal::Scalar(1), Literal::Scalar(2), Literal::Scalar(3),
      Literal::Scalar(4)});
}

TEST(ArrayTest, RowsOnDevicesAreStacked) {
  const Array array(FourShards(), {.dim = 0});
  EXPECT_EQ(array.shape(), Shape(ElementType::kS32, {4}));
  EXPECT_EQ(*array.ToString(), "[1 2 3 4]");
}

TEST(ArrayTest, RowOfSeveralDevicesIsReadFromTheFirst) {
  const Array array(FourShards(), {.dim = 0, .copies = 2});
  EXPECT_EQ(*array.ToString(), "[1 3]");
}

TEST(ArrayTest, ReplicatedValueIsReadFromTheFirstDevice) {
  const Array array(FourShards(), {});
  EXPECT_EQ(*array.ToVector<int32_t>(), std::vector<int32_t>{1});
}

TEST(ArrayTest, FailedArrayPrintsItsError) {
  const Array array(
      std::make_shared<FixedShards>(std::vector<absl::StatusOr<Literal>>{
          absl::AbortedError("host 1 (b) died")}),
      {.dim = 0});
  std::ostringstream out;
  out << array;
  EXPECT_EQ(out.str(),
            "Array(shape=(1,), dtype=int32: ABORTED: host 1 (b) died)");
}

}  // namespace
}  // namespace lockstep::internal
