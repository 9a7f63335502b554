#include "client/tracer/elementwise.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "client/tracer/traced_text_testing.h"

namespace lockstep::internal {
namespace {

using ::testing::HasSubstr;

Shape Of(ElementType type, std::initializer_list<int64_t> dims = {}) {
  return Shape(type, dims);
}

std::string Text(const Shape& argument,
                 const std::function<Tensor(const Tensor&)>& f) {
  return TracedText(FourMembers(), argument, f);
}

// The types of f(a, b).
ElementType TypeOf(ElementType a, ElementType b) {
  ElementType type = ElementType::kPred;
  TracedText(FourMembers(), {Of(a), Of(b)},
             [&](const std::vector<Tensor>& x) -> std::vector<Tensor> {
               type = maximum(x[0], x[1]).dtype();
               return {};
             });
  return type;
}

TEST(ElementwiseTest, OpsHaveTheirStablehloNames) {
  struct Case {
    Tensor (*function)(const Operand&);
    std::string op;
  };
  for (const Case& c :
       {Case{exp, "exponential"}, Case{log, "log"}, Case{tanh, "tanh"},
        Case{logistic, "logistic"}, Case{sqrt, "sqrt"}, Case{rsqrt, "rsqrt"},
        Case{expm1, "exponential_minus_one"}, Case{log1p, "log_plus_one"},
        Case{sin, "sine"}, Case{cos, "cosine"}, Case{cbrt, "cbrt"},
        Case{negative, "negate"}, Case{abs, "abs"}, Case{sign, "sign"}}) {
    EXPECT_EQ(Text(F32({2}), [&](const Tensor& x) { return c.function(x); }),
              absl::StrCat("%0 = stablehlo.", c.op,
                           " %arg0 : tensor<2xf32>\n"
                           "return %0 : tensor<2xf32>\n"));
  }
}

TEST(ElementwiseTest, NumbersTakeTheTensorsType) {
  EXPECT_EQ(Text(Of(ElementType::kBF16, {2}),
                 [](const Tensor& x) { return 2 * x + 0.1; }),
            "%cst = stablehlo.constant dense<2.0> : tensor<2xbf16>\n"
            "%0 = stablehlo.multiply %cst, %arg0 : tensor<2xbf16>\n"
            "%cst_0 = stablehlo.constant dense<0.1> : tensor<2xbf16>\n"
            "%1 = stablehlo.add %0, %cst_0 : tensor<2xbf16>\n"
            "return %1 : tensor<2xbf16>\n");
}

TEST(ElementwiseTest, FractionMakesAnIntegerTensorF32) {
  EXPECT_EQ(Text(S32({}), [](const Tensor& x) { return x + 0.5; }),
            "%0 = stablehlo.convert %arg0 : (tensor<i32>) -> tensor<f32>\n"
            "%cst = stablehlo.constant dense<0.5> : tensor<f32>\n"
            "%1 = stablehlo.add %0, %cst : tensor<f32>\n"
            "return %1 : tensor<f32>\n");
}

TEST(ElementwiseTest, NumberThatDoesNotFitIsRefused) {
  EXPECT_THAT(
      Text(Of(ElementType::kU8), [](const Tensor& x) { return x + 300; }),
      HasSubstr("the number 300 does not fit uint8"));
  EXPECT_THAT(
      Text(Of(ElementType::kU8), [](const Tensor& x) { return x + -1; }),
      HasSubstr("the number -1 does not fit uint8"));
}

TEST(ElementwiseTest, TypesMeetAsInJax) {
  using enum ElementType;
  EXPECT_EQ(TypeOf(kU8, kS8), kS16);
  EXPECT_EQ(TypeOf(kU32, kS32), kS64);
  EXPECT_EQ(TypeOf(kU64, kS8), kF64);
  EXPECT_EQ(TypeOf(kF16, kBF16), kF32);
  EXPECT_EQ(TypeOf(kS64, kF16), kF16);
  EXPECT_EQ(TypeOf(kF64, kC64), kC128);
  EXPECT_EQ(TypeOf(kPred, kU8), kU8);
}

TEST(ElementwiseTest, ComplexNumbersAreOrderedByTheirRealParts) {
  EXPECT_EQ(
      Text(Of(ElementType::kC64), [](const Tensor& x) { return x < x; }),
      "%0 = stablehlo.real %arg0 : (tensor<complex<f32>>) -> tensor<f32>\n"
      "%1 = stablehlo.real %arg0 : (tensor<complex<f32>>) -> tensor<f32>\n"
      "%2 = stablehlo.compare EQ, %0, %1, FLOAT : (tensor<f32>, "
      "tensor<f32>) -> tensor<i1>\n"
      "%3 = stablehlo.imag %arg0 : (tensor<complex<f32>>) -> tensor<f32>\n"
      "%4 = stablehlo.imag %arg0 : (tensor<complex<f32>>) -> tensor<f32>\n"
      "%5 = stablehlo.compare LT, %3, %4, FLOAT : (tensor<f32>, "
      "tensor<f32>) -> tensor<i1>\n"
      "%6 = stablehlo.compare LT, %0, %1, FLOAT : (tensor<f32>, "
      "tensor<f32>) -> tensor<i1>\n"
      "%7 = stablehlo.select %2, %5, %6 : tensor<i1>, tensor<i1>\n"
      "return %7 : tensor<i1>\n");
}

TEST(ElementwiseTest, BroadcastsAsNumpy) {
  EXPECT_EQ(TracedText(FourMembers(), {F32({3}), F32({2, 1})},
                       [](const std::vector<Tensor>& x) {
                         return std::vector<Tensor>{x[0] - x[1]};
                       }),
            "%0 = stablehlo.broadcast_in_dim %arg0, dims = [1] : "
            "(tensor<3xf32>) -> tensor<2x3xf32>\n"
            "%1 = stablehlo.broadcast_in_dim %arg1, dims = [0, 1] : "
            "(tensor<2x1xf32>) -> tensor<2x3xf32>\n"
            "%2 = stablehlo.subtract %0, %1 : tensor<2x3xf32>\n"
            "return %2 : tensor<2x3xf32>\n");
}

TEST(ElementwiseTest, FirstErrorIsReportedAtItsPlaceInTheSource) {
  const int line = __LINE__ + 2;
  const std::string text = Text(F32({2, 3}), [](const Tensor& x) {
    const Tensor wrong = x + zeros({4});
    return reshape(exp(wrong), {5});
  });
  EXPECT_EQ(
      text,
      absl::StrCat("INVALID_ARGUMENT: client/tracer/elementwise_test.cc:", line,
                   ": add: shapes do not broadcast: tensor<2x3xf32>, "
                   "tensor<4xf32>"));
}

TEST(ElementwiseTest, TensorOfAnotherTraceIsRefused) {
  Tensor leaked;
  Text(F32({}), [&](const Tensor& x) { return leaked = x; });
  EXPECT_THAT(Text(F32({}), [&](const Tensor& x) { return x + leaked; }),
              HasSubstr("belongs to another traced function"));
}

// The first operand does not decide, nor does a number; a tensor whose function
// has been traced keeps its shape, also when no result needed it.
TEST(ElementwiseTest, TensorOfATraceThatHasEndedIsRefusedInAnyPlace) {
  Tensor kept, dead;
  Text(F32({2}), [&](const Tensor& x) {
    kept = x;
    dead = x * 2;
    return x;
  });
  EXPECT_EQ(dead.shape(), F32({2}));
  EXPECT_EQ(dead.dim(0), 2);
  for (const Tensor& tensor : {kept, dead}) {
    EXPECT_THAT(Text(F32({2}), [&](const Tensor& x) { return tensor + x; }),
                HasSubstr("belongs to another traced function"));
    EXPECT_THAT(Text(F32({2}), [&](const Tensor&) { return 1.0 + tensor; }),
                HasSubstr("belongs to another traced function"));
    EXPECT_THAT(Text(F32({2}), [&](const Tensor&) { return exp(tensor); }),
                HasSubstr("belongs to another traced function"));
    EXPECT_THAT(Text(F32({2}),
                     [&](const Tensor&) {
                       return fori_loop(
                           0, 2,
                           [](const Tensor&, const Tensor& v) { return v; },
                           tensor);
                     }),
                HasSubstr("belongs to another traced function"));
  }
}

TEST(ElementwiseTest, TensorWithoutValueIsRefused) {
  EXPECT_THAT(Text(F32({}), [&](const Tensor& x) { return x + Tensor(); }),
              HasSubstr("a tensor without a value"));
  EXPECT_THAT(Text(F32({}), [&](const Tensor&) { return Tensor(); }),
              HasSubstr("result 0"));
}

TEST(ElementwiseTest, ComparisonsGiveBool) {
  EXPECT_EQ(Text(S32({}), [](const Tensor& x) { return x >= 3; }),
            "%c = stablehlo.constant dense<3> : tensor<i32>\n"
            "%0 = stablehlo.compare GE, %arg0, %c, SIGNED : (tensor<i32>, "
            "tensor<i32>) -> tensor<i1>\n"
            "return %0 : tensor<i1>\n");
}

TEST(ElementwiseTest, WhereBroadcastsAndConvertsThePredicate) {
  EXPECT_EQ(Text(S32({2}), [](const Tensor& x) { return where(x, x, 0); }),
            "%c = stablehlo.constant dense<0> : tensor<2xi32>\n"
            "%0 = stablehlo.compare NE, %arg0, %c, SIGNED : (tensor<2xi32>, "
            "tensor<2xi32>) -> tensor<2xi1>\n"
            "%c_0 = stablehlo.constant dense<0> : tensor<2xi32>\n"
            "%1 = stablehlo.select %0, %arg0, %c_0 : tensor<2xi1>, "
            "tensor<2xi32>\n"
            "return %1 : tensor<2xi32>\n");
}

TEST(ElementwiseTest, IntegersDivideTruly) {
  EXPECT_THAT(Text(S32({}), [](const Tensor& x) { return x / 2; }),
              HasSubstr("stablehlo.divide %0, %cst : tensor<f32>"));
  EXPECT_THAT(Text(S32({}), [](const Tensor& x) { return div(x, 2); }),
              HasSubstr("stablehlo.divide %arg0, %c : tensor<i32>"));
}

TEST(ElementwiseTest, UndefinedTypesAreRefused) {
  EXPECT_THAT(Text(Of(ElementType::kPred), [](const Tensor& x) { return -x; }),
              HasSubstr("negative: is not defined on bool"));
}

TEST(ElementwiseTest, DeadOpsAreLeftOut) {
  EXPECT_EQ(Text(F32({}),
                 [](const Tensor& x) {
                   exp(x);
                   return x;
                 }),
            "return %arg0 : tensor<f32>\n");
}

}  // namespace
}  // namespace lockstep::internal
