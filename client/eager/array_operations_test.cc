// M-10 and M-20 of docs/behaviour/multihost.md, on one host: what several do is
// in tests/multihost/global_arrays_test.cc.
#include "client/eager/array_operations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "client/global_arrays/device_put.h"
#include "client/host/recording_view.h"
#include "client/pmap/pmap.h"
#include "client/tracer/ops.h"
#include "runtime/mesh/mesh_testing.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

struct Operation {
  const char* name;
  std::function<Array(const Array&, const Array&)> on_arrays;
  std::function<Tensor(Tensor, Tensor)> on_tensors;
};

// The operation on both, in the same words.
#define BOTH(name, expression)                                                \
  Operation {                                                                 \
    name, [](const Array& x, const Array& y) -> Array { return expression; }, \
        [](Tensor x, Tensor y) -> Tensor { return expression; }               \
  }

const std::vector<Operation>& Operations() {
  static const auto& operations = *new std::vector<Operation>{
      BOTH("+", x + y),
      BOTH("-", x - y),
      BOTH("*", x * y),
      BOTH("/", x / y),
      BOTH("==", x == y),
      BOTH("!=", x != y),
      BOTH("<", x < y),
      BOTH("<=", x <= y),
      BOTH(">", x > y),
      BOTH(">=", x >= y),
      BOTH("unary -", -x),
      BOTH("x * 2.0", x * 2.0),
      BOTH("2 - x", 2 - x),
      BOTH("1.5f / x", 1.5f / x),
      BOTH("x > 1", x > 1),
      BOTH("chained", (x + y) * 0.5 - x / 3),
      BOTH("add", add(x, y)),
      BOTH("subtract", subtract(2, y)),
      BOTH("multiply", multiply(x, 3)),
      BOTH("divide", divide(x, y)),
      BOTH("div", div(x, y)),
      BOTH("maximum", maximum(x, y)),
      BOTH("minimum", minimum(1, y)),
      BOTH("power", power(x, y)),
      BOTH("equal", equal(x, y)),
      BOTH("not_equal", not_equal(x, y)),
      BOTH("less", less(x, y)),
      BOTH("less_equal", less_equal(x, y)),
      BOTH("greater", greater(x, y)),
      BOTH("greater_equal", greater_equal(x, y)),
      BOTH("logical_and", logical_and(x, y)),
      BOTH("logical_or", logical_or(x, y)),
      BOTH("logical_not", logical_not(x)),
      BOTH("negative", negative(x)),
      BOTH("abs", abs(x)),
      BOTH("sign", sign(x)),
      BOTH("exp", exp(x)),
      BOTH("log", log(abs(x) + 1)),
      BOTH("tanh", tanh(x)),
      BOTH("logistic", logistic(x)),
      BOTH("sqrt", sqrt(abs(x))),
      BOTH("rsqrt", rsqrt(abs(x) + 1)),
      BOTH("square", square(x)),
      BOTH("isfinite", isfinite(x)),
      BOTH("where", where(x > y, x, y)),
      BOTH("where with a number", where(x > y, x, 7)),
      BOTH("clip", clip(x, 1, 3)),
      BOTH("astype", astype(x, ElementType::kF16)),
  };
  return operations;
}

Literal Values(ElementType type, std::vector<int64_t> dims, int64_t first) {
  const int64_t count = Shape(ElementType::kF32, dims).element_count();
  std::vector<float> values;
  for (int64_t i = 0; i < count; ++i) {
    values.push_back(static_cast<float>((first + 5 * i) % 7 - 2));
  }
  const Array floats = *Array::FromValues<float>(dims, values);
  return *astype(floats, type).Fetch();
}

class ArrayOperationsTest : public ::testing::Test {
 protected:
  ArrayOperationsTest() : view_(RecordingView::Create(8)) {}

  Mesh MeshOn(const std::vector<int32_t>& ids,
              std::vector<int64_t> dims) const {
    return MeshOf(view_->world(), ids, std::move(dims), {"x", "y"});
  }
  NamedSharding Spec(PartitionSpec spec) const {
    return ShardingOf(MeshOn({0, 1, 2, 3, 4, 5, 6, 7}, {4, 2}),
                      std::move(spec));
  }
  Array Put(const Array& value, const NamedSharding& sharding) const {
    return *device_put(value, sharding, {.view = view_});
  }
  Array Rows(const Array& value) const {
    auto identity = pmap([](Tensor x) { return x; }, {.view = view_});
    return *identity(value);
  }
  // Of an operation, whose result must be this.
  static void ExpectIs(const Array& result, const std::string& text) {
    const auto value = result.ToString();
    ASSERT_TRUE(value.ok()) << value.status();
    EXPECT_EQ(*value, text);
  }

  const std::shared_ptr<RecordingView> view_;
};

// Every operation for every element type gives, or refuses, what a mapped
// function does: on rows, over a mesh, and in host memory.
TEST_F(ArrayOperationsTest, AreThoseOfTracedFunctions) {
  const NamedSharding sharding = Spec(PartitionSpec("x", "y"));
  for (const Operation& operation : Operations()) {
    auto mapped = pmap(operation.on_tensors, {.view = view_});
    for (const ElementType type :
         {ElementType::kF32, ElementType::kS32, ElementType::kPred,
          ElementType::kBF16, ElementType::kU8, ElementType::kC64}) {
      SCOPED_TRACE(std::string(operation.name) + " " +
                   std::string(NumpyName(type)));
      const Array x(Values(type, {8, 4}, 0)), y(Values(type, {8, 4}, 3));
      const auto expected = mapped(x, y);
      const Array on_rows = operation.on_arrays(Rows(x), Rows(y));
      const Array over_mesh =
          operation.on_arrays(Put(x, sharding), Put(y, sharding));
      const Array here = operation.on_arrays(x, y);
      if (!expected.ok()) {
        for (const Array& result : {on_rows, over_mesh, here}) {
          EXPECT_EQ(result.Await().code(), expected.status().code())
              << expected.status() << " " << result;
        }
        continue;
      }
      const auto value = expected->Fetch();
      ASSERT_TRUE(value.ok()) << value.status();
      ASSERT_TRUE(on_rows.Await().ok()) << on_rows.Await();
      ASSERT_TRUE(over_mesh.Await().ok()) << over_mesh.Await();
      EXPECT_EQ(*on_rows.Fetch(), *value);
      if (expected->sharding().is_on_devices()) {  // no constant
        EXPECT_EQ(on_rows.sharding(), expected->sharding());
      }
      EXPECT_EQ(*over_mesh.Fetch(), *value);
      EXPECT_EQ(over_mesh.sharding(), Sharding(sharding));
      ASSERT_TRUE(here.Await().ok()) << here.Await();
      EXPECT_EQ(here.shape(), value->shape());
      EXPECT_FALSE(here.sharding().is_on_devices());
    }
  }
}

TEST_F(ArrayOperationsTest, ValuesAreThese) {
  const Array x({1.f, 2.f}), n({3, 4});
  ExpectIs(x + x, "[2. 4.]");
  ExpectIs(1 - x * 2.0, "[-1. -3.]");
  ExpectIs(-n, "[-3 -4]");
  ExpectIs(n / 2, "[1.5 2. ]");
  ExpectIs(n > 3, "[False  True]");
  ExpectIs(where(n == 4, x, 0), "[0. 2.]");
  Array sum = n;
  sum += 1;
  sum *= n;
  ExpectIs(sum, "[12 20]");
}

TEST_F(ArrayOperationsTest, NumbersAreWeaklyTyped) {
  const Array half = Rows(Array(Values(ElementType::kF16, {8}, 0)));
  const Array ints = Rows(Array(Values(ElementType::kS32, {8}, 0)));
  EXPECT_EQ((half * 2.0).dtype(), ElementType::kF16);
  EXPECT_EQ((ints * 2).dtype(), ElementType::kS32);
  EXPECT_EQ((ints * 2.0).dtype(), ElementType::kF32);
  EXPECT_EQ((ints + half).dtype(), ElementType::kF16);
}

TEST_F(ArrayOperationsTest, AProgramIsLoadedOnceForItsShapesAndShardings) {
  const Array x = Put(Array(Values(ElementType::kF32, {8, 4}, 0)),
                      Spec(PartitionSpec("x")));
  const Array y = Put(Array(Values(ElementType::kF32, {8, 4}, 0)),
                      Spec(PartitionSpec("y")));
  Array sum = x + x;
  EXPECT_EQ(view_->loads(), 1);
  for (int i = 0; i < 3; ++i) sum = sum + x;
  EXPECT_EQ(view_->loads(), 1);
  for (const double rate : {0.5, 0.25}) sum = sum * rate;
  EXPECT_EQ(view_->loads(), 2);  // whatever the number is
  sum = y + y;
  EXPECT_EQ(view_->loads(), 3);
  EXPECT_EQ(view_->failed_calls(), 0);
}

TEST_F(ArrayOperationsTest, MessagesSayWhichValueOfACallDiffers_M20) {
  const Array x = Put(Array(Values(ElementType::kF32, {4, 4}, 0)),
                      Spec(PartitionSpec("x")));
  const auto text_of = [&](const Array& value) {
    const Array sum = 2.0 * x + value;
    EXPECT_TRUE(sum.Await().ok()) << sum.Await();
    return view_->last_call().text;
  };
  const std::string zeros = text_of(Array(Literal(x.shape())));
  EXPECT_THAT(zeros,
              HasSubstr("float32 (4, 4)) with values 1 = tensor<4x4xf32> #"));
  EXPECT_NE(zeros, text_of(Array(Values(ElementType::kF32, {4, 4}, 1))));
}

// What hosts say of their calls differs then.
TEST_F(ArrayOperationsTest, ValuesInHostMemoryArePartOfTheCall_M20) {
  const Array x = Put(Array(Values(ElementType::kF32, {8, 4}, 0)),
                      Spec(PartitionSpec("x")));
  const auto call_of = [&](const Array& result) {
    EXPECT_TRUE(result.Await().ok()) << result.Await();
    return view_->last_call();
  };
  const CallDescription twice = call_of(x * 2);
  EXPECT_EQ(twice.text, "multiply(float32 (8, 4), 2)");
  EXPECT_EQ(call_of(x * 2), twice);
  EXPECT_NE(call_of(x * 3).digest, twice.digest);
  const CallDescription bias = call_of(x + Array({1.f, 2.f, 3.f, 4.f}));
  EXPECT_THAT(bias.text, HasSubstr("add(float32 (8, 4), float32 (4,)) with "
                                   "values 1 = tensor<4xf32> #"));
  EXPECT_NE(call_of(x + Array({1.f, 2.f, 3.f, 5.f})).digest, bias.digest);
}

TEST_F(ArrayOperationsTest, OperandsBroadcastInPlace) {
  const Array x(Values(ElementType::kF32, {8, 4}, 0));
  const Array bias(Values(ElementType::kF32, {4}, 1));
  const Array column(Values(ElementType::kF32, {8, 1}, 2));
  const Literal expected = *(x * bias + column).Fetch();
  const NamedSharding both = Spec(PartitionSpec("x", "y"));
  // In host memory, or laid out as they are needed.
  const Array on_mesh = Put(x, both) * bias + column;
  EXPECT_EQ(*on_mesh.Fetch(), expected);
  EXPECT_EQ(on_mesh.sharding(), Sharding(both));
  const int loads = view_->loads();
  const Array laid = Put(x, both) * Put(bias, Spec(PartitionSpec("y"))) +
                     Put(column, Spec(PartitionSpec("x")));
  EXPECT_EQ(*laid.Fetch(), expected);
  EXPECT_EQ(view_->loads(), loads);  // nothing had to move
  // Rows.
  EXPECT_EQ(*(Rows(x) * bias + column).Fetch(), expected);
  EXPECT_EQ(*(column + bias * Rows(x)).Fetch(), expected);
  // Another dimension is the mapped one.
  auto by_columns = pmap([](Tensor x) { return x; },
                         {.in_axes = {1}, .out_axes = 1, .view = view_});
  const Array wide(Values(ElementType::kF32, {3, 8}, 0));
  const Array row(Values(ElementType::kF32, {8}, 1));
  const Array rows_of_one(Values(ElementType::kF32, {3, 1}, 1));
  const Array columns = *by_columns(wide);
  const Array result = columns * row + rows_of_one;
  EXPECT_EQ(*result.Fetch(), *(wide * row + rows_of_one).Fetch());
  EXPECT_EQ(result.sharding(), columns.sharding());
}

TEST_F(ArrayOperationsTest, ResultsOfWhichAllHaveTheWholeStayThat) {
  auto sum = pmap([](Tensor x) { return psum(x, "i"); },
                  {.axis_name = "i", .out_axes = std::nullopt, .view = view_});
  const Array total = *sum(Array(Values(ElementType::kF32, {8, 4}, 0)));
  const Array twice = total * 2 + total;
  EXPECT_EQ(*twice.Fetch(), *(Array(*total.Fetch()) * 3).Fetch());
  EXPECT_EQ(twice.sharding(), total.sharding());
}

TEST_F(ArrayOperationsTest, OtherShardingsOnTheSameDevicesAreResharded) {
  const Array x(Values(ElementType::kS32, {8, 4}, 0));
  const Array y(Values(ElementType::kS32, {8, 4}, 3));
  const Literal expected = *(x - y).Fetch();
  const NamedSharding by_x = Spec(PartitionSpec("x"));
  const NamedSharding other_order = ShardingOf(
      MeshOn({7, 6, 5, 4, 3, 2, 1, 0}, {4, 2}), PartitionSpec("x", "y"));
  for (const NamedSharding& other :
       {Spec(PartitionSpec("y")), Spec(PartitionSpec(nullptr, "x")),
        Spec(PartitionSpec()), other_order}) {
    const Array result = Put(x, by_x) - Put(y, other);
    ASSERT_TRUE(result.Await().ok()) << result.Await();
    EXPECT_EQ(*result.Fetch(), expected) << other.ToString();
    EXPECT_EQ(result.sharding().devices(), Sharding(by_x).devices());
  }
}

TEST_F(ArrayOperationsTest, OtherDevicesAreRefusedWithBothShardings_M10) {
  const Array value(Values(ElementType::kF32, {8}, 0));
  const NamedSharding four =
      ShardingOf(MeshOn({0, 1, 2, 3}, {4, 1}), PartitionSpec("x"));
  const Array x = Put(value, Spec(PartitionSpec("x")));
  for (const Array& other : {Put(value, four), Rows(value)}) {
    const absl::Status status = (x + other).Await();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(
        std::string(status.message()),
        AllOf(HasSubstr("add"), HasSubstr(x.sharding().ToString()),
              HasSubstr(other.sharding().ToString()), HasSubstr("device_put")));
  }
  const auto elsewhere = RecordingView::Create(8);
  auto identity = pmap([](Tensor t) { return t; }, {.view = elsewhere});
  EXPECT_EQ((Rows(value) + *identity(value)).Await().code(),
            absl::StatusCode::kFailedPrecondition);
}

TEST_F(ArrayOperationsTest, ErrorsGoOnToWhatIsComputedOfThem) {
  const Array x = Rows(Array(Values(ElementType::kF32, {8, 4}, 0)));
  const Array wrong = x + Array({1.f, 2.f, 3.f});
  const absl::Status status = wrong.Await();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  // The whole shapes, and the place of the call.
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("array_operations_test.cc"), HasSubstr("add"),
                    HasSubstr("8x4"), HasSubstr("3")));
  const Array further = tanh(-wrong * 2.0 + x) < 1;
  EXPECT_EQ(further.Await(), status);
  EXPECT_EQ(further.Fetch().status(), status);
  EXPECT_THAT(
      std::string(device_put(further, Spec(PartitionSpec()), {.view = view_})
                      .status()
                      .message()),
      HasSubstr(std::string(status.message())));
  auto f = pmap([](Tensor t) { return t; }, {.view = view_});
  EXPECT_EQ(f(further).status(), status);
  EXPECT_TRUE(further.is_ready());
  EXPECT_THAT(further.Describe(), HasSubstr("do not broadcast"));

  Array moved({1.f});
  const Array taken = std::move(moved);
  EXPECT_EQ((moved + 1).Await().code(),  // NOLINT: that it was moved from
            absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ((1 + taken).ToString().value(), "[2.]");
}

TEST_F(ArrayOperationsTest, DonatedOperandsAreRefused) {
  auto f = pmap([](Tensor x) { return x + 1; },
                {.donate_argnums = {0}, .view = view_});
  const Array x = Rows(Array(Values(ElementType::kF32, {8, 4}, 0)));
  ASSERT_TRUE(f(x).ok());
  EXPECT_EQ((x + 1).Await().code(), absl::StatusCode::kFailedPrecondition);
}

TEST_F(ArrayOperationsTest, ArraysWithoutElementsHaveResultsWithoutElements) {
  const Array none(Literal(Shape(ElementType::kF32, {8, 0})));
  EXPECT_EQ((Put(none, Spec(PartitionSpec("x"))) + 1).Fetch()->shape(),
            none.shape());
  EXPECT_EQ((Rows(none) + 1).Fetch()->shape(), none.shape());
}

TEST_F(ArrayOperationsTest, ArraysOutliveTheirViewWithoutOperations) {
  Array x;
  {
    auto view = RecordingView::Create(2);
    x = *pmap([](Tensor t) { return t; }, {.view = view})(Array({1.f, 2.f}));
    ASSERT_TRUE(x.Await().ok());
  }
  EXPECT_EQ((x + 1).Await().code(), absl::StatusCode::kFailedPrecondition);
}

}  // namespace
}  // namespace lockstep::internal
