#include "client/pmap/pmap.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "client/host/recording_view.h"
#include "client/tracer/ops.h"
#include "client/trees/tree_map.h"
#include "client/trees/tree_structs_testing.h"
#include "runtime/ir/printer.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::FloatNear;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::Pointwise;

std::shared_ptr<RecordingView> OneHost(int devices) {
  return RecordingView::Create(devices);
}

std::vector<float> Iota(int n) {
  std::vector<float> values;
  for (int i = 0; i < n; ++i) values.push_back(static_cast<float>(i));
  return values;
}

std::vector<Device> SomeDevices(const View& view, std::vector<int> ids) {
  std::vector<Device> devices;
  for (int id : ids) devices.push_back(*view.world().Find(GlobalDeviceId(id)));
  return devices;
}

std::vector<float> Floats(const absl::StatusOr<Array>& array) {
  if (!array.ok()) {
    ADD_FAILURE() << array.status();
    return {};
  }
  return *array->ToVector<float>();
}

MATCHER(IsClose, "") {
  return std::abs(std::get<0>(arg) - std::get<1>(arg)) <= 1e-6;
}

// J-17.
TEST(PmapTest, FunctionRunsOncePerRow) {
  auto square = pmap([](Tensor x) { return x * x; }, {.view = OneHost(8)});
  EXPECT_THAT(Floats(square(Iota(8))), ElementsAre(0, 1, 4, 9, 16, 25, 36, 49));
}

// J-17.
TEST(PmapTest, NormalisesByTheSumOverAllDevices) {
  auto f = pmap([](Tensor x) { return x / psum(x, "i"); },
                {.axis_name = "i", .view = OneHost(4)});
  EXPECT_THAT(
      Floats(f(Iota(4))),
      Pointwise(IsClose(), std::vector<float>{0, .16666667f, .33333334f, .5f}));
}

// J-8.
TEST(PmapTest, FewerRowsThanDevicesUseTheFirstDevices) {
  const auto view = OneHost(8);
  auto f = pmap([](Tensor x) { return psum(x, "i"); },
                {.axis_name = "i", .view = view});
  EXPECT_THAT(Floats(f(Iota(5))), ElementsAre(10, 10, 10, 10, 10));
  EXPECT_EQ(view->last_load().assignment.ToString(), "[[0],[1],[2],[3],[4]]");
}

// J-9, J-17.
TEST(PmapTest, TwoDisjointListsOfDevices) {
  const auto view = OneHost(8);
  auto first = pmap([](Tensor x) { return x / psum(x, "i"); },
                    {.axis_name = "i",
                     .devices = SomeDevices(*view, {0, 1, 2, 3, 4, 5}),
                     .view = view});
  auto second = pmap(
      [](Tensor x) { return psum(x * x, "i"); },
      {.axis_name = "i", .devices = SomeDevices(*view, {6, 7}), .view = view});
  EXPECT_THAT(
      Floats(first(Iota(6))),
      Pointwise(IsClose(), std::vector<float>{0, .06666667f, .13333333f, .2f,
                                              .26666667f, .33333333f}));
  EXPECT_THAT(Floats(second(std::vector<float>{2, 3})), ElementsAre(13, 13));
}

// J-17.
TEST(PmapTest, BatchedDot) {
  auto f =
      pmap([](Tensor x, Tensor y) { return dot(x, y); }, {.view = OneHost(3)});
  std::vector<float> x = Iota(12), y = Iota(12);
  for (float& v : y) v *= v;
  EXPECT_THAT(
      Floats(f(*Array::FromValues<float>({3, 2, 2}, x),
               *Array::FromValues<float>({3, 2, 2}, y))),
      ElementsAre(4, 9, 12, 29, 244, 345, 348, 493, 1412, 1737, 1740, 2141));
}

// J-17.
TEST(PmapTest, SumOfOneIsTheAxisSize) {
  const auto view = OneHost(8);
  auto f = pmap([](Tensor x) { return psum(1, "i"); },
                {.axis_name = "i", .view = view});
  EXPECT_EQ(*f(Iota(8))->ToString(), "[8 8 8 8 8 8 8 8]");
  EXPECT_EQ(view->loads(), 0);
}

// J-9.
TEST(PmapTest, OwnIndexFollowsTheDeviceList) {
  const auto view = OneHost(4);
  auto f = pmap([](Tensor x) { return axis_index("i"); },
                {.axis_name = "i",
                 .devices = SomeDevices(*view, {3, 0, 2}),
                 .view = view});
  EXPECT_EQ(*f(Iota(3))->ToString(), "[0 1 2]");
  EXPECT_EQ(view->last_load().assignment.ToString(), "[[3],[0],[2]]");
}

// J-5.
TEST(PmapTest, ConstantsAloneAreNotCompiled) {
  const auto view = OneHost(8);
  auto f = pmap([](Tensor x) { return 3; }, {.view = view});
  const auto y = f(Iota(100));
  ASSERT_TRUE(y.ok()) << y.status();
  EXPECT_EQ(y->shape(), Shape(ElementType::kS32, {100}));
  EXPECT_EQ(y->ToVector<int32_t>()->back(), 3);
  EXPECT_EQ(view->loads(), 0);
}

// J-5.
TEST(PmapTest, ConstantsBesideOtherResultsAreBroadcast) {
  auto f =
      pmap([](Tensor x) { return std::pair(x, zeros({2}, ElementType::kS32)); },
           {.view = OneHost(2)});
  const auto y = f(Iota(2));
  ASSERT_TRUE(y.ok()) << y.status();
  EXPECT_EQ(y->second.shape(), Shape(ElementType::kS32, {2, 2}));
}

// J-4.
TEST(PmapTest, PrivateAxisLeavesNoTraceInTheProgram) {
  const auto view = OneHost(2);
  auto f = pmap([](Tensor x) { return exp(x); }, {.view = view});
  ASSERT_TRUE(f(Iota(2)).ok());
  const std::string first = Print(*view->last_load().module);
  auto g = pmap([](Tensor x) { return exp(x); }, {.view = view});
  ASSERT_TRUE(g(Iota(2)).ok());
  EXPECT_EQ(Print(*view->last_load().module), first);
}

TEST(PmapTest, CompilesOncePerSignature) {
  const auto view = OneHost(4);
  int traces = 0;
  auto f = pmap(
      [&](Tensor x) {
        ++traces;
        return x + 1;
      },
      {.view = view});
  ASSERT_TRUE(f(Iota(4)).ok());
  ASSERT_TRUE(f(Iota(4)).ok());
  EXPECT_EQ(traces, 1);
  ASSERT_TRUE(f(Iota(3)).ok());
  EXPECT_EQ(traces, 2);
  EXPECT_EQ(view->loads(), 2);
}

TEST(PmapTest, ResultsOnDevicesArePassedOnWithoutACopy) {
  const auto view = OneHost(4);
  auto f = pmap([](Tensor x) { return x + 1; }, {.view = view});
  const auto y = f(Iota(4));
  EXPECT_EQ(view->puts(), 1);
  EXPECT_THAT(Floats(f(*y)), ElementsAre(2, 3, 4, 5));
  EXPECT_EQ(view->puts(), 1);
}

TEST(PmapTest, AxesChooseTheMappedDimension) {
  const auto view = OneHost(3);
  auto f = pmap([](Tensor x, Tensor scale) { return x * scale; },
                {.in_axes = {-1, std::nullopt}, .out_axes = 1, .view = view});
  const Array x = *Array::FromValues<float>({2, 3}, {0, 1, 2, 3, 4, 5});
  const auto y = f(x, 10.0f);
  ASSERT_TRUE(y.ok()) << y.status();
  EXPECT_EQ(y->shape(), Shape(ElementType::kF32, {2, 3}));
  EXPECT_THAT(Floats(y), ElementsAre(0, 10, 20, 30, 40, 50));
}

TEST(PmapTest, UnmappedResultIsTheFirstCopys) {
  auto f =
      pmap([](Tensor x) { return psum(x, "i"); },
           {.axis_name = "i", .out_axes = std::nullopt, .view = OneHost(4)});
  const auto y = f(Iota(4));
  ASSERT_TRUE(y.ok()) << y.status();
  EXPECT_EQ(y->rank(), 0);
  EXPECT_THAT(Floats(y), ElementsAre(6));
}

TEST(PmapTest, TreesKeepTheirForm) {
  auto f = pmap(
      [](std::vector<Tensor> v, Tree<Tensor> t,
         std::map<std::string, Tensor> m) {
        return std::tuple(v[0] + v[1], t,
                          std::map<std::string, Tensor>{{"z", m["a"] * 2}});
      },
      {.view = OneHost(2)});
  const Array x({1.f, 2.f}), y({10.f, 20.f});
  const auto result =
      f(std::vector<Array>{x, y}, Tree<Array>::List({x, Tree<Array>(), y}),
        std::map<std::string, Array>{{"a", y}});
  ASSERT_TRUE(result.ok()) << result.status();
  const auto& [sum, tree, map] = *result;
  EXPECT_EQ(*sum.ToString(), "[11. 22.]");
  EXPECT_EQ(*tree[2].leaf().ToString(), "[10. 20.]");
  EXPECT_EQ(*map.at("z").ToString(), "[20. 40.]");
}

TEST(PmapTest, StructsOfArraysAreStructsOfTensorsInside) {
  const auto view = OneHost(2);
  auto step = pmap(
      [](Layer<Tensor> layer, Tensor rate) {
        return tree_map([&](const Tensor& x) { return x * rate; }, layer);
      },
      {.view = view});
  const Array x({1.f, 2.f}), two({2.f, 2.f});
  const auto scaled = step(Layer<Array>{x, two}, 0.5);
  ASSERT_TRUE(scaled.ok()) << scaled.status();
  static_assert(
      std::is_same_v<decltype(scaled), const absl::StatusOr<Layer<Array>>>);
  EXPECT_EQ(*scaled->weight.ToString(), "[0.5 1. ]");
  EXPECT_EQ(*scaled->bias->ToString(), "[1. 1.]");
}

TEST(PmapTest, AbsentValuesAreAnotherFunctionAndStayAbsent) {
  const auto view = OneHost(2);
  auto apply = pmap(
      [](Layer<Tensor> layer, Tensor x) {
        const Tensor y = x * layer.weight;
        const Tensor z = layer.bias.has_value() ? y + *layer.bias : y;
        return std::pair(z, layer.bias);
      },
      {.view = view});
  const Array x({1.f, 2.f}), w({3.f, 4.f});
  for (int time = 0; time < 2; ++time) {
    const auto without = apply(Layer<Array>{w, {}}, x);
    ASSERT_TRUE(without.ok()) << without.status();
    EXPECT_EQ(*without->first.ToString(), "[3. 8.]");
    EXPECT_FALSE(without->second.has_value());
    const auto with = apply(Layer<Array>{w, x}, x);
    ASSERT_TRUE(with.ok()) << with.status();
    EXPECT_EQ(*with->first.ToString(), "[ 4. 10.]");
    EXPECT_EQ(*with->second->ToString(), "[1. 2.]");
  }
  EXPECT_EQ(view->loads(), 2);
}

// Two arguments with the same leaves, one of which is in the place of the
// other.
TEST(PmapTest, WhichOfTwoValuesIsAbsentIsPartOfTheForm) {
  using Pair = std::pair<std::optional<Tensor>, std::optional<Tensor>>;
  auto which =
      pmap([](Pair p, Tensor x) { return x + (p.first.has_value() ? 10 : 20); },
           {.view = OneHost(2)});
  using Arrays = std::pair<std::optional<Array>, std::optional<Array>>;
  const Array x({1, 2});
  EXPECT_EQ(*which(Arrays{x, {}}, x)->ToString(), "[11 12]");
  EXPECT_EQ(*which(Arrays{{}, x}, x)->ToString(), "[21 22]");
}

TEST(PmapTest, StaticFieldsArePartOfTheForm) {
  const auto view = OneHost(2);
  auto f = pmap(
      [](Model<Tensor> model) {
        model.pair.first = model.pair.first * model.steps;
        return model;
      },
      {.view = view});
  Model<Array> model;
  model.pair.first = Array({1, 2});
  model.named = {{"a", Array({3, 4})}};
  for (int steps : {5, 7}) {
    model.steps = steps;
    const auto result = f(model);
    ASSERT_TRUE(result.ok()) << result.status();
    EXPECT_EQ(result->steps, steps);
    EXPECT_EQ(*result->pair.first.ToString(),
              steps == 5 ? "[ 5 10]" : "[ 7 14]");
    EXPECT_EQ(*result->named.at("a").ToString(), "[3 4]");
  }
}

TEST(PmapTest, NestedMapsTakeStructs) {
  auto f = pmap(
      [](Layer<Tensor> layer) {
        return pmap([](Layer<Tensor> row) {
          row.weight = row.weight + *row.bias;
          row.bias.reset();
          return row;
        })(layer);
      },
      {.view = OneHost(2)});
  const Array rows = *Array::FromValues<int32_t>({1, 2}, {1, 2});
  const auto result = f(Layer<Array>{rows, rows});
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(*result->weight.ToString(), "[[2 4]]");
  EXPECT_FALSE(result->bias.has_value());
}

TEST(PmapTest, ALeafOfAStructIsNamedByItsPath) {
  auto f =
      pmap([](Layer<Tensor> layer) { return layer; }, {.view = OneHost(2)});
  const absl::Status status =
      f(Layer<Array>{Array({1, 2}), Array({1, 2, 3})}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("0/bias"), HasSubstr("0/weight")));
}

// The leaves are the same; what the function makes of them is not.
TEST(PmapTest, ArgumentsOfAnotherFormAreAnotherFunction) {
  const auto view = OneHost(2);
  auto f = pmap([](auto x) { return x; }, {.view = view});
  const Array a({1.f, 2.f}), b({3.f, 4.f});
  const auto list = f(std::vector<Array>{a, b});
  const auto pair = f(std::pair(a, b));
  const auto map = f(std::map<std::string, Array>{{"0", a}, {"1", b}});
  const auto tree = f(Tree<Array>::List({a, b}));
  ASSERT_TRUE(list.ok() && pair.ok() && map.ok() && tree.ok());
  EXPECT_EQ(*list->at(1).ToString(), "[3. 4.]");
  EXPECT_EQ(*pair->second.ToString(), "[3. 4.]");
  EXPECT_EQ(*map->at("1").ToString(), "[3. 4.]");
  EXPECT_EQ(*(*tree)[1].leaf().ToString(), "[3. 4.]");
}

TEST(PmapTest, EmptyContainersAndKeysArePartOfTheForm) {
  const auto view = OneHost(2);
  auto count = pmap([](std::map<std::string, std::vector<Tensor>> m,
                       Tensor x) { return x + (m.contains("a") ? 10 : 20); },
                    {.view = view});
  using Map = std::map<std::string, std::vector<Array>>;
  const Array x({1, 2});
  EXPECT_EQ(*count(Map{{"a", {}}}, x)->ToString(), "[11 12]");
  EXPECT_EQ(*count(Map{{"b", {}}}, x)->ToString(), "[21 22]");
  auto kind = pmap([](Tree<Tensor> t, Tensor x) { return x + t.is_map(); },
                   {.view = view});
  EXPECT_EQ(*kind(Tree<Array>::List({}), x)->ToString(), "[1 2]");
  EXPECT_EQ(*kind(Tree<Array>::Map({}), x)->ToString(), "[2 3]");
}

TEST(PmapTest, NumbersAmongTheArgumentsAreWeaklyTyped) {
  const auto view = OneHost(2);
  auto scale = pmap([](Tensor x, Tensor s) { return x * s; }, {.view = view});
  const auto scaled = [&](ElementType type, auto number) {
    auto rows = pmap([=](Tensor x) { return astype(x, type); },
                     {.view = view})(Array({1.f, 2.f}));
    const auto y = scale(*rows, number);
    EXPECT_TRUE(y.ok()) << y.status();
    return y->dtype();
  };
  using enum ElementType;
  EXPECT_EQ(scaled(kF32, 2.0), kF32);
  EXPECT_EQ(scaled(kBF16, 2.0f), kBF16);
  EXPECT_EQ(scaled(kF64, 2.0), kF64);
  EXPECT_EQ(scaled(kU8, 2), kU8);
  EXPECT_EQ(scaled(kS8, int64_t{2}), kS8);
  EXPECT_EQ(scaled(kF16, 2), kF16);
  EXPECT_EQ(scaled(kPred, 2), kS32);
  EXPECT_EQ(scaled(kS32, 2.5), kF32);
  EXPECT_EQ(scaled(kS32, true), kS32);
  EXPECT_EQ(scaled(kF32, std::complex<double>(0, 1)), kC64);
  EXPECT_EQ(scaled(kF64, std::complex<float>(0, 1)), kC128);
}

TEST(PmapTest, DoubleArgumentKeepsItsDigitsBesideF64) {
  auto scale =
      pmap([](Tensor x, Tensor s) { return x * s; }, {.view = OneHost(1)});
  const Array x(Literal::FromValues<double>({1}, {1.0}));
  EXPECT_THAT(*scale(x, 0.1)->ToVector<double>(), ElementsAre(0.1));
}

TEST(PmapTest, NumberOnItsOwnHasItsDefaultType) {
  auto f = pmap([](Tensor x, Tensor s) { return std::pair(s, 0.5); },
                {.view = OneHost(2)});
  const Array x({1, 2});
  EXPECT_EQ(f(x, 2.5)->first.dtype(), ElementType::kF32);
  EXPECT_EQ(f(x, 2.5)->second.dtype(), ElementType::kF32);
  EXPECT_EQ(f(x, 3)->first.dtype(), ElementType::kS32);
  EXPECT_EQ(f(x, int64_t{1} << 40)->first.dtype(), ElementType::kS64);
  EXPECT_EQ(f(x, true)->first.dtype(), ElementType::kPred);
}

TEST(PmapTest, NewValueOfANumberNeedsNoNewProgram) {
  const auto view = OneHost(2);
  auto f = pmap([](Tensor x, Tensor s) { return x * s; }, {.view = view});
  EXPECT_THAT(Floats(f(Iota(2), 2.0)), ElementsAre(0, 2));
  EXPECT_THAT(Floats(f(Iota(2), 2.5)), ElementsAre(0, 2.5));
  EXPECT_EQ(view->loads(), 1);
  // A scalar array is strongly typed: another program.
  EXPECT_EQ(f(Iota(2), 2)->dtype(), ElementType::kF32);
  EXPECT_EQ(view->loads(), 2);
}

// K-4. Summed in f32 and rounded once: 256 + 1 + 1 + 1 is 259 in bf16 steps
// of 2.
TEST(PmapTest, MeansAndSumsOfHalvesAreAddedInF32) {
  const auto view = OneHost(4);
  for (ElementType type : {ElementType::kBF16, ElementType::kF16}) {
    const float big = type == ElementType::kBF16 ? 256 : 2048;
    auto f = pmap(
        [=](Tensor x) {
          const Tensor half = astype(x, type);
          return std::tuple(psum(half, "i"), pmean(half, "i"),
                            pmean(half, "i", {{{0, 1, 2}, {3}}}),
                            psum_scatter(broadcast_to(half, {4}), "i"));
        },
        {.axis_name = "i", .view = view});
    const auto y = f(Array({big, 1.f, 1.f, 1.f}));
    ASSERT_TRUE(y.ok()) << y.status();
    const auto& [total, mean, uneven, scattered] = *y;
    EXPECT_EQ(total.dtype(), type);
    EXPECT_EQ(mean.dtype(), type);
    const auto as_floats = [&](const Array& x) {
      return Floats(pmap([](Tensor x) { return astype(x, ElementType::kF32); },
                         {.view = view})(x));
    };
    EXPECT_THAT(as_floats(total), Each(big + 4));
    EXPECT_THAT(as_floats(scattered), Each(big + 4));
    EXPECT_THAT(as_floats(mean), Each(FloatNear((big + 3) / 4, big / 256)));
    EXPECT_THAT(as_floats(uneven)[3], 1);
  }
}

TEST(PmapTest, DonatesAllLeavesOfAnArgument) {
  const auto view = OneHost(2);
  auto f = pmap([](Tensor x, std::vector<Tensor> v) { return v[0] + v[1] + x; },
                {.donate_argnums = {1}, .view = view});
  const Array x({1.f, 2.f});
  ASSERT_TRUE(f(x, std::vector<Array>{x, x}).ok());
  EXPECT_THAT(view->last_load().donated_arguments, ElementsAre(1, 2));
}

// Rows (4) by columns (2).
class NestedTest : public ::testing::Test {
 protected:
  template <typename F>
  absl::StatusOr<Array> Run(F f) {
    auto inner = pmap(f, {.axis_name = "cols"});
    auto outer = pmap([=](Tensor row) { return inner(row); },
                      {.axis_name = "rows", .view = view_});
    return outer(*Array::FromValues<float>({4, 2}, Iota(8)));
  }
  std::shared_ptr<RecordingView> view_ = OneHost(8);
};

// J-7, J-17.
TEST_F(NestedTest, SumsOverEitherAxisOrBoth) {
  EXPECT_THAT(Floats(Run([](Tensor x) { return psum(x, "rows"); })),
              ElementsAre(12, 16, 12, 16, 12, 16, 12, 16));
  EXPECT_THAT(Floats(Run([](Tensor x) { return psum(x, "cols"); })),
              ElementsAre(1, 1, 5, 5, 9, 9, 13, 13));
  EXPECT_THAT(Floats(Run([](Tensor x) { return psum(x, {"rows", "cols"}); })),
              ElementsAre(28, 28, 28, 28, 28, 28, 28, 28));
  EXPECT_EQ(view_->last_load().assignment.replica_count(), 8);
}

// J-17.
TEST_F(NestedTest, IndicesOfBothAxes) {
  EXPECT_THAT(Floats(Run([](Tensor x) {
                return 10.0f * axis_index("rows") + axis_index("cols");
              })),
              ElementsAre(0, 1, 10, 11, 20, 21, 30, 31));
}

// J-17.
TEST_F(NestedTest, NormalisesByAnAxis) {
  EXPECT_THAT(Floats(Run([](Tensor x) { return x / psum(x, "rows"); })),
              Pointwise(IsClose(),
                        std::vector<float>{0, .0625f, .16666667f, .1875f,
                                           .33333334f, .3125f, .5f, .4375f}));
}

// J-16.
TEST_F(NestedTest, RowsOutsideTheInnerMapUseTheOuterAxis) {
  auto inner = pmap([](Tensor x) { return x * 2; }, {.axis_name = "cols"});
  auto outer = pmap([=](Tensor row) { return inner(row) + psum(row, "rows"); },
                    {.axis_name = "rows", .view = view_});
  EXPECT_THAT(Floats(outer(*Array::FromValues<float>({4, 2}, Iota(8)))),
              ElementsAre(12, 18, 16, 22, 20, 26, 24, 30));
}

// J-7, J-8.
TEST_F(NestedTest, NeedsAsManyDevicesAsTheProduct) {
  auto inner = pmap([](Tensor x) { return x; }, {.axis_name = "cols"});
  auto outer = pmap([=](Tensor row) { return inner(row); }, {.view = view_});
  const auto status =
      outer(*Array::FromValues<float>({8, 2}, Iota(16))).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("16"), HasSubstr("8")));
}

// J-15.
TEST_F(NestedTest, OutermostMapMayHaveDevices) {
  auto inner =
      pmap([](Tensor x) { return std::pair(psum(x, "cols"), psum(x, "rows")); },
           {.axis_name = "cols"});
  PmapOptions options{.axis_name = "rows"};
  options.view = view_;
  options.devices = SomeDevices(*view_, {7, 6, 2, 3, 0, 1});
  auto outer = pmap([=](Tensor row) { return inner(row); }, options);
  const auto y = outer(*Array::FromValues<float>({3, 2}, Iota(6)));
  ASSERT_TRUE(y.ok()) << y.status();
  EXPECT_THAT(Floats(y->first), ElementsAre(1, 1, 5, 5, 9, 9));
  EXPECT_THAT(Floats(y->second), ElementsAre(6, 9, 6, 9, 6, 9));
  EXPECT_EQ(view_->last_load().assignment.ToString(),
            "[[7],[6],[2],[3],[0],[1]]");
}

// J-9.
TEST_F(NestedTest, ListMustHaveAsManyDevicesAsTheProduct) {
  auto inner = pmap([](Tensor x) { return x; }, {.axis_name = "cols"});
  PmapOptions options{.axis_name = "rows"};
  options.view = view_;
  options.devices = view_->world().devices();
  auto outer = pmap([=](Tensor row) { return inner(row); }, options);
  const auto status =
      outer(*Array::FromValues<float>({8, 2}, Iota(16))).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("16 replicas"), HasSubstr("8 devices")));
}

// J-15.
TEST_F(NestedTest, InnerMapCannotHaveDevices) {
  PmapOptions options{.axis_name = "cols"};
  options.devices = view_->world().devices();
  auto inner = pmap([](Tensor x) { return x; }, options);
  auto outer = pmap([=](Tensor row) { return inner(row); },
                    {.axis_name = "rows", .view = view_});
  const auto status =
      outer(*Array::FromValues<float>({8, 1}, Iota(8))).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(
      std::string(status.message()),
      AllOf(HasSubstr("'cols'"), HasSubstr("'rows'"), HasSubstr("devices")));
}

// J-16.
TEST_F(NestedTest, AxesOfArgumentsAndResults) {
  auto inner = pmap([](Tensor x, Tensor y) { return std::pair(x * y, y); },
                    {.axis_name = "cols",
                     .in_axes = {1, std::nullopt},
                     .out_axes = {-1, std::nullopt}});
  auto outer = pmap([=](Tensor row) { return inner(row, 10); },
                    {.axis_name = "rows", .view = view_});
  const auto y = outer(*Array::FromValues<float>({2, 3, 2}, Iota(12)));
  ASSERT_TRUE(y.ok()) << y.status();
  EXPECT_EQ(y->first.shape(), Shape(ElementType::kF32, {2, 3, 2}));
  EXPECT_THAT(Floats(y->first),
              ElementsAre(0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110));
  EXPECT_EQ(*y->second.ToString(), "[10 10]");
}

// J-13.
TEST_F(NestedTest, InnerAxisIsNotBoundOutside) {
  auto inner = pmap([](Tensor x) { return x; }, {.axis_name = "cols"});
  auto outer = pmap([=](Tensor row) { return psum(inner(row), "cols"); },
                    {.axis_name = "rows", .view = view_});
  EXPECT_EQ(outer(*Array::FromValues<float>({4, 2}, Iota(8))).status().code(),
            absl::StatusCode::kNotFound);
}

struct ErrorCase {
  std::string name;
  absl::Status status;
  absl::StatusCode code;
  std::vector<std::string> names;
};

void Check(const std::vector<ErrorCase>& cases) {
  for (const ErrorCase& c : cases) {
    EXPECT_EQ(c.status.code(), c.code) << c.name << ": " << c.status;
    for (const std::string& name : c.names) {
      EXPECT_THAT(std::string(c.status.message()), HasSubstr(name)) << c.name;
    }
  }
}

constexpr auto kIdentity = [](Tensor x) { return x; };

// J-3.
TEST(PmapErrorTest, SizesOfTheArguments) {
  const auto invalid = absl::StatusCode::kInvalidArgument;
  auto two = pmap([](Tensor x, Tensor y) { return x; }, {.view = OneHost(8)});
  auto one = pmap(kIdentity, {.view = OneHost(8)});
  Check({
      {"no shape", one(3.0f).status(), invalid, {"0"}},
      {"scalar",
       one(Array(Literal::Scalar(1.0f))).status(),
       invalid,
       {"0", "rank 0"}},
      {"different sizes",
       two(Iota(4), Iota(3)).status(),
       invalid,
       {"1", "4", "3"}},
      {"too many rows", one(Iota(9)).status(), invalid, {"9", "8"}},
      {"too many axes",
       pmap(kIdentity, {.in_axes = {0, 0}, .view = OneHost(8)})(Iota(4))
           .status(),
       invalid,
       {"in_axes has 2 entries, expected 1"}},
      {"no such dimension",
       pmap(kIdentity, {.in_axes = 1, .view = OneHost(8)})(Iota(4)).status(),
       invalid,
       {"in_axes", "dimension 1", "tensor<4xf32>"}},
      {"no place for the result",
       pmap(kIdentity, {.out_axes = 1, .view = OneHost(8)})(Iota(4)).status(),
       invalid,
       {"out_axes", "result 0", "dimension 1"}},
      {"no such argument",
       pmap(kIdentity, {.donate_argnums = {1}, .view = OneHost(8)})(Iota(4))
           .status(),
       invalid,
       {"donate_argnums", "argument 1"}},
  });
}

// J-9, J-10.
TEST(PmapErrorTest, ListsOfDevices) {
  const auto invalid = absl::StatusCode::kInvalidArgument;
  const auto view = OneHost(8);
  const auto with = [&](std::vector<int> devices, int rows) {
    PmapOptions options;
    options.devices = SomeDevices(*view, devices);
    options.view = view;
    return pmap(kIdentity, options)(Iota(rows)).status();
  };
  Check({
      {"empty list", with({}, 4), invalid, {"devices"}},
      {"rows that do not match the list",
       with({0, 1, 2, 3}, 3),
       invalid,
       {"3", "4", "0", "1", "2"}},
      {"fewer rows, each of which could take two devices",
       with({0, 1, 2, 3}, 2),
       invalid,
       {"axis size 2", "4 devices"}},
      {"a device twice", with({0, 0}, 2), invalid, {"device 0"}},
  });
}

// J-5.
TEST(PmapErrorTest, ConstantsAreExcusedOnlyFromTheNumberOfDevices) {
  const auto view = OneHost(8);
  PmapOptions options;
  options.devices = SomeDevices(*view, {0, 1});
  options.view = view;
  const auto status = pmap([](Tensor x) { return 3; }, options)(Iota(3));
  EXPECT_EQ(status.status().code(), absl::StatusCode::kInvalidArgument);
}

TEST(PmapErrorTest, ExceptionOfTheTracedFunctionIsAnError) {
  const auto view = OneHost(2);
  auto f = pmap(
      [](Tensor x) {
        if (x.dtype() == ElementType::kF32) throw std::runtime_error("no f32");
        return x + 1;
      },
      {.name = "picky", .view = view});
  EXPECT_EQ(
      f(Iota(2)).status(),
      absl::UnknownError("pmap_picky: the traced function threw \"no f32\""));
  EXPECT_EQ(view->failed_calls(), 1);
  // The trace is over, and the next one unharmed.
  EXPECT_EQ(*f(Array({1, 2}))->ToString(), "[2 3]");
  auto g = pmap([](Tensor x) -> Tensor { throw 7; }, {.view = view});
  EXPECT_EQ(g(Iota(2)).status().code(), absl::StatusCode::kUnknown);
}

TEST(PmapErrorTest, DimensionThatIsNotThereIsAnErrorAtItsPlace) {
  const int line = __LINE__ + 1;
  auto f = pmap([](Tensor x) { return x * static_cast<float>(x.dim(7)); },
                {.view = OneHost(2)});
  EXPECT_EQ(f(Iota(2)).status(),
            absl::InvalidArgumentError(
                absl::StrCat("client/pmap/pmap_test.cc:", line,
                             ": dim: dimension 7 is out of range for rank 0")));
}

TEST(PmapErrorTest, TraceErrorsCarryTheUsersPlace) {
  const int line = __LINE__ + 1;
  auto f = pmap([](Tensor x) { return psum(x, "j"); },
                {.axis_name = "i", .view = OneHost(2)});
  EXPECT_EQ(f(Iota(2)).status(),
            absl::NotFoundError(absl::StrCat(
                "client/pmap/pmap_test.cc:", line,
                ": psum: axis 'j' is not bound; bound axes: 'i'")));
}

}  // namespace
}  // namespace lockstep::internal
