#include "runtime/ops/small_float_expansion.h"

#include <cmath>
#include <string>

#include "absl/strings/str_replace.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/frontend/parser.h"
#include "runtime/interpreter/interpreter.h"
#include "runtime/ir/printer.h"
#include "runtime/ir/verifier.h"
#include "runtime/types/scalar_math.h"
#include "tests/programs/program_testing.h"

namespace lockstep::internal {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// `body` computes %0 of `type`.
struct Case {
  const char* name;
  const char* type;
  const char* body;
  const char* expected;
};

const Case kCases[] = {
    // 3 * 1.125 = 3.375 is half way between 3.25 and 3.5.
    {"EachOpRoundsOnce", "tensor<f8E4M3FN>",
     R"(%a = stablehlo.constant dense<3.0> : tensor<f8E4M3FN>
        %b = stablehlo.constant dense<1.125> : tensor<f8E4M3FN>
        %1 = stablehlo.multiply %a, %b : tensor<f8E4M3FN>
        %0 = stablehlo.subtract %1, %a : tensor<f8E4M3FN>)",
     "0.5"},
    {"OverflowIsInfiniteWhereThatIs", "tensor<2xf8E5M2>",
     R"(%a = stablehlo.constant dense<[57344.0, -57344.0]> : tensor<2xf8E5M2>
        %0 = stablehlo.add %a, %a : tensor<2xf8E5M2>)",
     "[0x7C, 0xFC]"},
    {"OverflowIsNanWhereThatIs", "tensor<2xf8E4M3FN>",
     R"(%a = stablehlo.constant dense<[448.0, -448.0]> : tensor<2xf8E4M3FN>
        %0 = stablehlo.add %a, %a : tensor<2xf8E4M3FN>)",
     "[0x7F, 0xFF]"},
    {"OverflowIsTheLargestElse", "tensor<2xf4E2M1FN>",
     R"(%a = stablehlo.constant dense<[6.0, -6.0]> : tensor<2xf4E2M1FN>
        %0 = stablehlo.add %a, %a : tensor<2xf4E2M1FN>)",
     "[6.0, -6.0]"},
    {"FunctionsAreThoseOfF32", "tensor<3xf8E4M3FN>",
     R"(%a = stablehlo.constant dense<[0.0, 1.0, -2.0]> : tensor<3xf8E4M3FN>
        %0 = stablehlo.exponential %a : tensor<3xf8E4M3FN>)",
     "[1.0, 2.75, 0.140625]"},
    {"ComparesValues", "tensor<3xi1>",
     R"(%a = stablehlo.constant dense<[-0.0, 1.0, 0x7F]> : tensor<3xf8E4M3FN>
        %b = stablehlo.constant dense<[0.0, 2.0, 0x7F]> : tensor<3xf8E4M3FN>
        %0 = stablehlo.compare EQ, %a, %b : (tensor<3xf8E4M3FN>, tensor<3xf8E4M3FN>) -> tensor<3xi1>)",
     "[true, false, false]"},
    {"TotalOrder", "tensor<2xi1>",
     R"(%a = stablehlo.constant dense<[-0.0, 448.0]> : tensor<2xf8E4M3FN>
        %b = stablehlo.constant dense<[0.0, 0x7F]> : tensor<2xf8E4M3FN>
        %0 = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<2xf8E4M3FN>, tensor<2xf8E4M3FN>) -> tensor<2xi1>)",
     "[true, true]"},
    {"SelectMovesBits", "tensor<2xf8E4M3FN>",
     R"(%p = stablehlo.constant dense<[true, false]> : tensor<2xi1>
        %a = stablehlo.constant dense<0xFF> : tensor<2xf8E4M3FN>
        %b = stablehlo.constant dense<1.0> : tensor<2xf8E4M3FN>
        %0 = stablehlo.select %p, %a, %b : tensor<2xi1>, tensor<2xf8E4M3FN>)",
     "[0xFF, 1.0]"},
    {"Clamp", "tensor<3xf8E5M2>",
     R"(%low = stablehlo.constant dense<-1.0> : tensor<f8E5M2>
        %a = stablehlo.constant dense<[-3.0, 0.5, 3.0]> : tensor<3xf8E5M2>
        %high = stablehlo.constant dense<1.0> : tensor<f8E5M2>
        %0 = stablehlo.clamp %low, %a, %high : (tensor<f8E5M2>, tensor<3xf8E5M2>, tensor<f8E5M2>) -> tensor<3xf8E5M2>)",
     "[-1.0, 0.5, 1.0]"},
    {"Iota", "tensor<20xf8E4M3FN>",
     "%0 = stablehlo.iota dim = 0 : tensor<20xf8E4M3FN>",
     "[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, "
     "13.0, 14.0, 15.0, 16.0, 16.0, 18.0, 20.0]"},
    // Added one by one, each sum rounded, 16 + 1 would stay 16.
    {"AReductionByOneOpRoundsOnce", "tensor<f8E4M3FN>",
     R"(%a = stablehlo.constant dense<1.0> : tensor<20xf8E4M3FN>
        %z = stablehlo.constant dense<0.0> : tensor<f8E4M3FN>
        %0 = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [0] : (tensor<20xf8E4M3FN>, tensor<f8E4M3FN>) -> tensor<f8E4M3FN>)",
     "20.0"},
    {"OtherBodiesRoundAtEachOp", "tensor<f8E4M3FN>",
     R"(%a = stablehlo.constant dense<1.0> : tensor<20xf8E4M3FN>
        %z = stablehlo.constant dense<0.0> : tensor<f8E4M3FN>
        %0 = stablehlo.reduce(%a init: %z) across dimensions = [0] : (tensor<20xf8E4M3FN>, tensor<f8E4M3FN>) -> tensor<f8E4M3FN>
        reducer(%x: tensor<f8E4M3FN>, %y: tensor<f8E4M3FN>) {
          %1 = stablehlo.add %x, %y : tensor<f8E4M3FN>
          %2 = stablehlo.abs %1 : tensor<f8E4M3FN>
          stablehlo.return %2 : tensor<f8E4M3FN>
        })",
     "16.0"},
    {"AReductionMayPromote", "tensor<bf16>",
     R"(%a = stablehlo.constant dense<1.0> : tensor<20xf8E4M3FN>
        %z = stablehlo.constant dense<0.0> : tensor<f8E4M3FN>
        %0 = stablehlo.reduce(%a init: %z) across dimensions = [0] : (tensor<20xf8E4M3FN>, tensor<f8E4M3FN>) -> tensor<bf16>
        reducer(%x: tensor<bf16>, %y: tensor<bf16>) {
          %1 = stablehlo.add %x, %y : tensor<bf16>
          stablehlo.return %1 : tensor<bf16>
        })",
     "20.0"},
    {"WindowsRoundOnce", "tensor<2xf8E5M2>",
     R"(%a = stablehlo.constant dense<1.0> : tensor<12xf8E5M2>
        %z = stablehlo.constant dense<0.0> : tensor<f8E5M2>
        %0 = "stablehlo.reduce_window"(%a, %z) <{window_dimensions = array<i64: 10>, window_strides = array<i64: 2>}> ({
        ^bb0(%x: tensor<f8E5M2>, %y: tensor<f8E5M2>):
          %1 = stablehlo.add %x, %y : tensor<f8E5M2>
          stablehlo.return %1 : tensor<f8E5M2>
        }) : (tensor<12xf8E5M2>, tensor<f8E5M2>) -> tensor<2xf8E5M2>)",
     "10.0"},
    {"DotOfSmallFloats", "tensor<f8E4M3FN>",
     R"(%a = stablehlo.constant dense<[1.125, 1.125, 16.0]> : tensor<3xf8E4M3FN>
        %b = stablehlo.constant dense<[1.125, 1.125, 1.0]> : tensor<3xf8E4M3FN>
        %0 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0] : (tensor<3xf8E4M3FN>, tensor<3xf8E4M3FN>) -> tensor<f8E4M3FN>)",
     "18.0"},
    {"DotThatIsF32", "tensor<f32>",
     R"(%a = stablehlo.constant dense<[1.125, 1.125, 16.0]> : tensor<3xf8E4M3FN>
        %b = stablehlo.constant dense<[1.125, 1.125, 1.0]> : tensor<3xf8E4M3FN>
        %0 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0] : (tensor<3xf8E4M3FN>, tensor<3xf8E4M3FN>) -> tensor<f32>)",
     "18.53125"},
    {"Sorts", "tensor<4xf8E4M3FN>",
     R"(%a = stablehlo.constant dense<[3.0, -1.0, 448.0, 0.5]> : tensor<4xf8E4M3FN>
        %0 = "stablehlo.sort"(%a) <{dimension = 0 : i64}> ({
        ^bb0(%x: tensor<f8E4M3FN>, %y: tensor<f8E4M3FN>):
          %1 = stablehlo.compare LT, %x, %y : (tensor<f8E4M3FN>, tensor<f8E4M3FN>) -> tensor<i1>
          stablehlo.return %1 : tensor<i1>
        }) : (tensor<4xf8E4M3FN>) -> tensor<4xf8E4M3FN>)",
     "[-1.0, 0.5, 3.0, 448.0]"},
    {"NextAfterIsOfTheFormat", "tensor<4xf8E4M3FN>",
     R"(%a = stablehlo.constant dense<[1.0, 0.0, 448.0, 1.0]> : tensor<4xf8E4M3FN>
        %b = stablehlo.constant dense<[2.0, -1.0, 0.0, 1.0]> : tensor<4xf8E4M3FN>
        %0 = chlo.next_after %a, %b : tensor<4xf8E4M3FN>, tensor<4xf8E4M3FN> -> tensor<4xf8E4M3FN>)",
     "[1.125, 0x81, 416.0, 1.0]"},
    {"NextAfterWithOneZero", "tensor<2xf8E4M3FNUZ>",
     R"(%a = stablehlo.constant dense<[0x81, 0x00]> : tensor<2xf8E4M3FNUZ>
        %b = stablehlo.constant dense<[1.0, -1.0]> : tensor<2xf8E4M3FNUZ>
        %0 = chlo.next_after %a, %b : tensor<2xf8E4M3FNUZ>, tensor<2xf8E4M3FNUZ> -> tensor<2xf8E4M3FNUZ>)",
     "[0x00, 0x81]"},
    {"ScalesMultiply", "tensor<3xf8E8M0FNU>",
     R"(%a = stablehlo.constant dense<[2.0, 0.5, 1.0]> : tensor<3xf8E8M0FNU>
        %0 = stablehlo.multiply %a, %a : tensor<3xf8E8M0FNU>)",
     "[4.0, 0.25, 1.0]"},
};

class SmallFloatExpansionTest : public testing::TestWithParam<Case> {};

TEST_P(SmallFloatExpansionTest, ComputesTheseElements) {
  const Case& c = GetParam();
  const auto found = RunBody(c.type, c.body);
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_TRUE(*found == Dense(c.expected, c.type)) << ToString(*found);
}

INSTANTIATE_TEST_SUITE_P(All, SmallFloatExpansionTest,
                         testing::ValuesIn(kCases),
                         [](const auto& info) { return info.param.name; });

// K-3.
TEST(ComputeSmallFloatsInF32Test, ReductionsOverDevicesExchangeF32) {
  const auto module = ParseAndVerify(R"(
module @m attributes {mhlo.num_replicas = 2 : i32} {
func.func @main(%a: tensor<4xf8E5M2>) -> tensor<4xf8E5M2> {
  %0 = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%x: tensor<f8E5M2>, %y: tensor<f8E5M2>):
    %2 = stablehlo.add %x, %y : tensor<f8E5M2>
    stablehlo.return %2 : tensor<f8E5M2>
  }) : (tensor<4xf8E5M2>) -> tensor<4xf8E5M2>
  return %0 : tensor<4xf8E5M2>
}
})",
                                     "m");
  ASSERT_TRUE(module.ok()) << module.status();
  const std::string text = Print(**module);
  EXPECT_THAT(text, HasSubstr("(tensor<4xf32>) -> tensor<4xf32>"));
  EXPECT_THAT(text, Not(HasSubstr("tensor<f8E5M2>")));
  EXPECT_TRUE(Verify(**module).ok());
}

TEST(ComputeSmallFloatsInF32Test, WhatMovesElementsIsLeftAlone) {
  const std::string text =
      R"(func.func @main(%arg0: tensor<2xf8E5M2>) -> tensor<4xf8E5M2> {
  %0 = stablehlo.concatenate %arg0, %arg0, dim = 0 : (tensor<2xf8E5M2>, tensor<2xf8E5M2>) -> tensor<4xf8E5M2>
  return %0 : tensor<4xf8E5M2>
})";
  const auto module = ParseAndVerify(text, "m");
  ASSERT_TRUE(module.ok()) << module.status();
  EXPECT_THAT(Print(**module), Not(HasSubstr("f32")));
}

// All pairs of numbers of a format, one operand after the other.
template <typename T>
Literal Pairs(bool is_first) {
  constexpr int64_t kCount = int64_t{1} << T::kWidth;
  Literal pairs(Shape(ElementTypeOf<T>::value, {kCount * kCount}));
  for (int64_t i = 0; i < kCount * kCount; ++i) {
    pairs.mutable_data<T>()[i] =
        T::FromBits(static_cast<uint8_t>(is_first ? i / kCount : i % kCount));
  }
  return pairs;
}

template <typename T>
class AllPairsTest : public testing::Test {
 protected:
  template <typename F>
  void ExpectRoundedOnce(absl::string_view op, F f) {
    const Literal x = Pairs<T>(true), y = Pairs<T>(false);
    const std::string type = x.shape().ToString();
    const auto module = ParseAndVerify(
        absl::StrReplaceAll(R"(func.func @main(%x: TYPE, %y: TYPE) -> TYPE {
  %0 = stablehlo.OP %x, %y : TYPE
  return %0 : TYPE
})",
                            {{"TYPE", type}, {"OP", op}}),
        "m");
    ASSERT_TRUE(module.ok()) << module.status();
    const auto found = Evaluate(**module, {x, y});
    ASSERT_TRUE(found.ok()) << found.status();
    const auto z = found->front().template data<T>();
    for (size_t i = 0; i < z.size(); ++i) {
      const float a = static_cast<float>(x.template data<T>()[i]);
      const float b = static_cast<float>(y.template data<T>()[i]);
      const T expected(static_cast<double>(f(a, b)));
      const bool are_nans = std::isnan(static_cast<float>(expected)) &&
                            std::isnan(static_cast<float>(z[i]));
      ASSERT_TRUE(expected.bits() == z[i].bits() || are_nans)
          << op << " of " << a << " and " << b << " in " << type;
    }
  }
};

using Formats =
    testing::Types<F8E5M2, F8E4M3, F8E3M4, F8E4M3FN, F8E4M3FNUZ, F8E5M2FNUZ,
                   F8E4M3B11FNUZ, F8E8M0FNU, F6E2M3FN, F6E3M2FN, F4E2M1FN>;
TYPED_TEST_SUITE(AllPairsTest, Formats);

TYPED_TEST(AllPairsTest, ResultsAreThoseOfF32RoundedOnce) {
  this->ExpectRoundedOnce("add", AddScalars());
  this->ExpectRoundedOnce("multiply", MultiplyScalars());
  this->ExpectRoundedOnce("divide", [](float a, float b) { return a / b; });
  this->ExpectRoundedOnce("maximum", MaximumScalars());
}

}  // namespace
}  // namespace lockstep::internal
