#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"
#include "tests/conformance/backend/differential.h"

namespace lockstep::internal {
namespace {

// reduce_window and select_and_scatter beyond the windows that are unrolled
// into fusions.
struct LargeWindow {
  const char* name;
  const char* input;
  const char* result;
  const char* attributes;
};
const LargeWindow kWindows[] = {
    {"Cumulative", "100xT", "100xT",
     "window_dimensions = array<i64: 100>, padding = dense<[[99, 0]]> : "
     "tensor<1x2xi64>"},
    {"CumulativeBackward", "100xT", "100xT",
     "window_dimensions = array<i64: 100>, padding = dense<[[0, 99]]> : "
     "tensor<1x2xi64>"},
    {"CumulativeRows", "3x70xT", "3x70xT",
     "window_dimensions = array<i64: 1, 70>, padding = dense<[[0, 0], [69, "
     "0]]> : tensor<2x2xi64>"},
    {"CumulativeColumns", "70x5xT", "70x5xT",
     "window_dimensions = array<i64: 70, 1>, padding = dense<[[69, 0], [0, "
     "0]]> : tensor<2x2xi64>"},
    {"CumulativeMiddleBackward", "2x64x3xT", "2x64x3xT",
     "window_dimensions = array<i64: 1, 64, 1>, padding = dense<[[0, 0], [0, "
     "63], [0, 0]]> : tensor<3x2xi64>"},
    {"CumulativeManyColumns", "40x1100xT", "40x1100xT",
     "window_dimensions = array<i64: 40, 1>, padding = dense<[[39, 0], [0, "
     "0]]> : tensor<2x2xi64>"},
    {"CumulativeBothDims", "20x30xT", "20x30xT",
     "window_dimensions = array<i64: 20, 30>, padding = dense<[[19, 0], [29, "
     "0]]> : tensor<2x2xi64>"},
    {"Sliding", "301xT", "202xT", "window_dimensions = array<i64: 100>"},
    {"SlidingWithPadding", "301xT", "258xT",
     "window_dimensions = array<i64: 100>, padding = dense<[[17, 39]]> : "
     "tensor<1x2xi64>"},
    {"SlidingWithStrides", "3x301xT", "3x29xT",
     "window_dimensions = array<i64: 1, 100>, window_strides = array<i64: 1, "
     "7>, padding = dense<[[0, 0], [-5, 3]]> : tensor<2x2xi64>"},
    {"SlidingColumns", "150x4xT", "51x4xT",
     "window_dimensions = array<i64: 100, 1>"},
    {"SlidingColumnsWithStrides", "150x4xT", "17x4xT",
     "window_dimensions = array<i64: 100, 1>, window_strides = array<i64: 3, "
     "1>"},
    {"SlidingBothDims", "60x50xT", "41x31xT",
     "window_dimensions = array<i64: 20, 20>"},
    {"SlidingBeyondTheInput", "5xT", "94xT",
     "window_dimensions = array<i64: 100>, padding = dense<[[95, 93]]> : "
     "tensor<1x2xi64>"},
    {"DirectPool", "2x11x12x3xT", "2x3x3x3xT",
     "window_dimensions = array<i64: 1, 7, 6, 1>, window_strides = array<i64: "
     "1, 3, 4, 1>, padding = dense<[[0, 0], [2, 1], [1, 2], [0, 0]]> : "
     "tensor<4x2xi64>"},
    {"DirectWithDilations", "9x11xT", "5x12xT",
     "window_dimensions = array<i64: 5, 8>, window_dilations = array<i64: 3, "
     "2>, base_dilations = array<i64: 2, 2>, padding = dense<[[-1, 1], [4, "
     "1]]> : tensor<2x2xi64>"},
    {"DirectWindowDilations", "50xT", "28xT",
     "window_dimensions = array<i64: 40>, window_dilations = array<i64: 2>, "
     "padding = dense<[[30, 26]]> : tensor<1x2xi64>"},
    {"All", "6x50xT", "1x1xT", "window_dimensions = array<i64: 6, 50>"},
    {"ManyPlaces", "5000xT", "4961xT", "window_dimensions = array<i64: 40>"},
    {"NoPlaces", "30xT", "0xT", "window_dimensions = array<i64: 40>"},
    {"NothingButPadding", "0xT", "11xT",
     "window_dimensions = array<i64: 40>, padding = dense<[[25, 25]]> : "
     "tensor<1x2xi64>"},
};
struct Body {
  const char* op;
  const char* init;
};
const Body kBodies[] = {
    {"add", "0"}, {"add", "1"}, {"maximum", "-2"}, {"minimum", "3"}};

std::string WithType(const std::string& text, absl::string_view type) {
  return absl::StrReplaceAll(text, {{"xT>", absl::StrCat("x", type, ">")},
                                    {"<T>", absl::StrCat("<", type, ">")}});
}

std::string WindowText(const LargeWindow& row, const Body& body,
                       absl::string_view type) {
  const std::string input = absl::StrCat("tensor<", row.input, ">");
  const std::string result = absl::StrCat("tensor<", row.result, ">");
  std::string init = body.init;
  if (absl::StartsWith(type, "ui") && init == "-2") init = "2";
  if (absl::StrContains(type, "f")) init += ".0";
  if (type == "i1") init = init == "0" ? "false" : "true";
  return WithType(
      absl::StrCat("func.func @main(%x: ", input, ") -> ", result,
                   " {\n%i = stablehlo.constant dense<", init,
                   "> : tensor<T>\n%r = \"stablehlo.reduce_window\"(%x, %i) "
                   "({\n^bb0(%a: tensor<T>, %b: tensor<T>):\n%m = stablehlo.",
                   body.op, " %a, %b : tensor<T>\n",
                   "stablehlo.return %m : tensor<T>\n}) {", row.attributes,
                   "} : (", input, ", tensor<T>) -> ", result,
                   "\nreturn %r : ", result, "\n}"),
      type);
}

class LargeWindowTest : public ::testing::TestWithParam<LargeWindow> {};
INSTANTIATE_TEST_SUITE_P(Windows, LargeWindowTest,
                         ::testing::ValuesIn(kWindows), [](const auto& info) {
                           return std::string(info.param.name);
                         });

TEST_P(LargeWindowTest, EveryBodyAndTypeAgreesExactlyOnSmallIntegers) {
  for (const Body& body : kBodies) {
    for (const char* type :
         {"i1", "i8", "ui16", "i32", "bf16", "f16", "f32", "f64"}) {
      const std::string text = WindowText(GetParam(), body, type);
      ASSERT_TRUE(Verifies(text)) << text;
      EXPECT_EQ(DisagreementOn(text, /*tricky=*/false, 0), "") << text;
    }
  }
}

TEST_P(LargeWindowTest, MaximaOfNanInfinitiesAndZeros) {
  for (const char* type : {"i8", "bf16", "f16", "f32", "f64"}) {
    const std::string text = WindowText(GetParam(), kBodies[2], type);
    ASSERT_TRUE(Verifies(text)) << text;
    EXPECT_EQ(DisagreementOn(text, /*tricky=*/true, 0), "") << text;
  }
}

// So large that threads share the work.
TEST(LargeWindowDifferential, LargeTensors) {
  const LargeWindow kLarge[] = {
      {"Rows", "600x300xT", "600x300xT",
       "window_dimensions = array<i64: 1, 300>, padding = dense<[[0, 0], "
       "[299, 0]]> : tensor<2x2xi64>"},
      {"Columns", "300x601xT", "300x601xT",
       "window_dimensions = array<i64: 300, 1>, padding = dense<[[0, 299], "
       "[0, 0]]> : tensor<2x2xi64>"},
      {"Sliding", "64x3000xT", "64x2901xT",
       "window_dimensions = array<i64: 1, 100>"},
      {"Direct", "300x2000xT", "300x20xT",
       "window_dimensions = array<i64: 1, 100>, window_strides = array<i64: "
       "1, 100>"},
  };
  for (const LargeWindow& row : kLarge) {
    const std::string text = WindowText(row, kBodies[0], "f32");
    ASSERT_TRUE(Verifies(text)) << text;
    EXPECT_EQ(DisagreementOn(text, /*tricky=*/false, 0), "") << row.name;
  }
}

// Halves hold the sums of few small integers.
TEST(LargeWindowDifferential, CumulativeSumsOfHalves) {
  for (const char* type : {"f16", "bf16", "complex<f32>"}) {
    const std::string text = WithType(R"(
func.func @main(%x: tensor<4x50xT>, %y: tensor<50x4xT>) -> (tensor<4x50xT>, tensor<50x4xT>) {
  %i = stablehlo.constant dense<ZERO> : tensor<T>
  %r = "stablehlo.reduce_window"(%x, %i) ({
    ^bb0(%a: tensor<T>, %b: tensor<T>):
      %m = stablehlo.add %a, %b : tensor<T>
      stablehlo.return %m : tensor<T>
  }) {window_dimensions = array<i64: 1, 50>, padding = dense<[[0, 0], [49, 0]]> : tensor<2x2xi64>}
      : (tensor<4x50xT>, tensor<T>) -> tensor<4x50xT>
  %s = "stablehlo.reduce_window"(%y, %i) ({
    ^bb0(%a: tensor<T>, %b: tensor<T>):
      %m = stablehlo.add %a, %b : tensor<T>
      stablehlo.return %m : tensor<T>
  }) {window_dimensions = array<i64: 50, 1>, padding = dense<[[0, 49], [0, 0]]> : tensor<2x2xi64>}
      : (tensor<50x4xT>, tensor<T>) -> tensor<50x4xT>
  return %r, %s : tensor<4x50xT>, tensor<50x4xT>
})",
                                      type);
    const std::string with_zero = absl::StrReplaceAll(
        text, {{"ZERO", type[0] == 'c' ? "(0.0, 0.0)" : "0.0"}});
    ASSERT_TRUE(Verifies(with_zero)) << with_zero;
    EXPECT_EQ(DisagreementOn(with_zero, /*tricky=*/false, 0), "") << type;
  }
}

// Halves accumulate in f32 and are rounded once, as in every reduction.
TEST(LargeWindowDifferential, SumsOfHalvesAreRoundedOnce) {
  const auto both =
      RunOnBoth(R"(
func.func @main(%x: tensor<4xbf16>) -> tensor<1xbf16> {
  %i = stablehlo.constant dense<0.0> : tensor<bf16>
  %r = "stablehlo.reduce_window"(%x, %i) ({
    ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
      %m = stablehlo.add %a, %b : tensor<bf16>
      stablehlo.return %m : tensor<bf16>
  }) {window_dimensions = array<i64: 4>} : (tensor<4xbf16>, tensor<bf16>) -> tensor<1xbf16>
  return %r : tensor<1xbf16>
})",
                {Literal::FromValues<BF16>(
                    {4}, {BF16(256.0f), BF16(1.0f), BF16(1.0f), BF16(1.0f)})});
  ASSERT_TRUE(both.ok()) << both.status();
  const auto rounded_once = Literal::FromValues<BF16>({1}, {BF16(260.0f)});
  EXPECT_EQ(both->oracle[0], rounded_once);
  EXPECT_EQ(both->cpu[0], rounded_once);
}

// Also where windows would take several passes over the tensor.
TEST(LargeWindowDifferential, SumsOfHalvesInManyWindowsAreRoundedOnce) {
  const int64_t dims[] = {301};
  std::vector<BF16> values;
  for (int i = 0; i < 301; ++i) {
    values.push_back(BF16(1.0f + static_cast<float>(i * 37 % 100) / 64));
  }
  for (const LargeWindow& window : kWindows) {
    if (!absl::StartsWith(window.input, "301x")) continue;
    const auto both = RunOnBoth(
        WindowText(window, kBodies[0], "bf16"),
        {Literal::FromValues<BF16>(dims, absl::MakeConstSpan(values))});
    ASSERT_TRUE(both.ok()) << both.status();
    EXPECT_EQ(both->oracle[0], both->cpu[0]) << window.name;
  }
}

// A running reduction by a body of several ops keeps the order of elements: the
// first of all in a row wins, for the body is not commutative.
TEST(LargeWindowDifferential, CumulativeGeneralBodies) {
  const std::string text = R"(
func.func @main(%x: tensor<6x70xi32>, %y: tensor<70x6xbf16>) -> (tensor<6x70xi32>, tensor<70x6xbf16>) {
  %i = stablehlo.constant dense<0> : tensor<i32>
  %r = "stablehlo.reduce_window"(%x, %i) ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %z = stablehlo.constant dense<0> : tensor<i32>
      %p = stablehlo.compare NE, %a, %z, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %m = stablehlo.select %p, %a, %b : tensor<i1>, tensor<i32>
      stablehlo.return %m : tensor<i32>
  }) {window_dimensions = array<i64: 1, 70>, padding = dense<[[0, 0], [69, 0]]> : tensor<2x2xi64>}
      : (tensor<6x70xi32>, tensor<i32>) -> tensor<6x70xi32>
  %j = stablehlo.constant dense<0xFF80> : tensor<bf16>
  %s = "stablehlo.reduce_window"(%y, %j) ({
    ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
      %p = stablehlo.compare GE, %a, %b, FLOAT : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
      %m = stablehlo.select %p, %a, %b : tensor<i1>, tensor<bf16>
      stablehlo.return %m : tensor<bf16>
  }) {window_dimensions = array<i64: 70, 1>, padding = dense<[[69, 0], [0, 0]]> : tensor<2x2xi64>}
      : (tensor<70x6xbf16>, tensor<bf16>) -> tensor<70x6xbf16>
  return %r, %s : tensor<6x70xi32>, tensor<70x6xbf16>
})";
  ASSERT_TRUE(Verifies(text));
  EXPECT_EQ(DisagreementOn(text, /*tricky=*/false, 0), "");
  EXPECT_EQ(DisagreementOn(text, /*tricky=*/true, 0), "");
}

TEST(LargeWindowDifferential, SeveralOperandsAndAGeneralBody) {
  const std::string text = R"(
func.func @main(%x: tensor<7x90xf32>, %y: tensor<7x90xi32>, %i: tensor<f32>, %j: tensor<i32>)
    -> (tensor<7x31xf32>, tensor<7x31xi32>) {
  %r:2 = "stablehlo.reduce_window"(%x, %y, %i, %j) ({
    ^bb0(%a: tensor<f32>, %b: tensor<i32>, %c: tensor<f32>, %d: tensor<i32>):
      %p = stablehlo.compare GE, %a, %c, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %s = stablehlo.select %p, %a, %c : tensor<i1>, tensor<f32>
      %t = stablehlo.select %p, %b, %d : tensor<i1>, tensor<i32>
      stablehlo.return %s, %t : tensor<f32>, tensor<i32>
  }) {window_dimensions = array<i64: 1, 40>, window_strides = array<i64: 1, 2>,
      padding = dense<[[0, 0], [4, 6]]> : tensor<2x2xi64>}
      : (tensor<7x90xf32>, tensor<7x90xi32>, tensor<f32>, tensor<i32>) -> (tensor<7x31xf32>, tensor<7x31xi32>)
  return %r#0, %r#1 : tensor<7x31xf32>, tensor<7x31xi32>
})";
  ASSERT_TRUE(Verifies(text));
  EXPECT_EQ(DisagreementOn(text, /*tricky=*/false, 0), "");
  EXPECT_EQ(DisagreementOn(text, /*tricky=*/true, 0), "");
}

struct SelectCase {
  const char* name;
  const char* operand;
  const char* source;
  const char* attributes;
};
const SelectCase kSelects[] = {
    {"PoolGradient", "2x8x6x5xT", "2x4x3x5xT",
     "window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: "
     "1, 2, 2, 1>"},
    {"OverlappingWithPadding", "2x9x8x3xT", "2x5x4x3xT",
     "window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: "
     "1, 2, 2, 1>, padding = dense<[[0, 0], [1, 1], [0, 1], [0, 0]]> : "
     "tensor<4x2xi64>"},
    {"LargeWindow", "40xT", "11xT",
     "window_dimensions = array<i64: 35>, padding = dense<[[2, 3]]> : "
     "tensor<1x2xi64>"},
    {"WindowsInThePadding", "4x3xT", "6x5xT",
     "window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, "
     "1>, padding = dense<[[5, 3], [1, 2]]> : tensor<2x2xi64>"},
    {"LargeWindowsInThePadding", "4xT", "30xT",
     "window_dimensions = array<i64: 40>, padding = dense<[[60, 5]]> : "
     "tensor<1x2xi64>"},
    {"NegativePadding", "9x9xT", "3x6xT",
     "window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 2, "
     "1>, padding = dense<[[-1, 0], [-2, 0]]> : tensor<2x2xi64>"},
    {"ManyPlaces", "3x5000xT", "3x4999xT",
     "window_dimensions = array<i64: 1, 2>"},
};

std::string SelectText(const SelectCase& row, const char* direction,
                       const char* scatter, absl::string_view type) {
  const std::string operand = absl::StrCat("tensor<", row.operand, ">");
  const std::string source = absl::StrCat("tensor<", row.source, ">");
  return WithType(
      absl::StrCat(
          "func.func @main(%x: ", operand, ", %s: ", source,
          ", %i: tensor<T>) -> ", operand,
          " {\n%r = \"stablehlo.select_and_scatter\"(%x, %s, %i) ({\n",
          "^bb0(%a: tensor<T>, %b: tensor<T>):\n%p = stablehlo.compare ",
          direction, ", %a, %b : (tensor<T>, tensor<T>) -> tensor<i1>\n",
          "stablehlo.return %p : tensor<i1>\n}, {\n",
          "^bb0(%a: tensor<T>, %b: tensor<T>):\n%p = stablehlo.", scatter,
          " %a, %b : tensor<T>\nstablehlo.return %p : tensor<T>\n}) {",
          row.attributes, "} : (", operand, ", ", source, ", tensor<T>) -> ",
          operand, "\nreturn %r : ", operand, "\n}"),
      type);
}

class SelectDifferentialTest : public ::testing::TestWithParam<SelectCase> {};
INSTANTIATE_TEST_SUITE_P(Cases, SelectDifferentialTest,
                         ::testing::ValuesIn(kSelects), [](const auto& info) {
                           return std::string(info.param.name);
                         });

TEST_P(SelectDifferentialTest, EveryDirectionAndTypeAgreesExactly) {
  for (const char* direction : {"GE", "GT", "LE", "LT", "NE"}) {
    for (const char* type : {"i1", "i8", "ui32", "i64", "bf16", "f32", "f64"}) {
      for (const char* scatter : {"add", "maximum"}) {
        const std::string text =
            SelectText(GetParam(), direction, scatter, type);
        ASSERT_TRUE(Verifies(text)) << text;
        EXPECT_EQ(DisagreementOn(text, /*tricky=*/false, 0), "") << text;
      }
    }
  }
}

TEST_P(SelectDifferentialTest, NansAndZerosAreSelectedAsByTheOracle) {
  for (const char* direction : {"GE", "LT"}) {
    for (const char* type : {"f16", "f32", "f64"}) {
      const std::string text =
          SelectText(GetParam(), direction, "maximum", type);
      EXPECT_EQ(DisagreementOn(text, /*tricky=*/true, 0), "") << text;
    }
  }
}

}  // namespace
}  // namespace lockstep::internal
