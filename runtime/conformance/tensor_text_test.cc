#include "runtime/conformance/tensor_text.h"

#include <complex>
#include <limits>

#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

TEST(TensorTextTest, ScalarsStandOnOneLine) {
  EXPECT_EQ(TensorText(Literal::Scalar<uint8_t>(1)), "tensor<ui8> {1}");
  EXPECT_EQ(TensorText(Literal::Scalar(true)), "tensor<i1> {true}");
  EXPECT_EQ(TensorText(Literal::Scalar(std::complex<float>(1, -2))),
            "tensor<complex<f32>> {[1.000000e+00, -2.000000e+00]}");
}

TEST(TensorTextTest, RowsStandOnLinesOfTheirOwn) {
  EXPECT_EQ(TensorText(Literal::FromValues<int8_t>({3}, {1, -2, 3})),
            "tensor<3xi8> {\n  [1, -2, 3]\n}");
  EXPECT_EQ(TensorText(Literal::FromValues<int64_t>({2, 1, 2}, {1, 2, 3, 4})),
            "tensor<2x1x2xi64> {\n"
            "  [\n"
            "    [\n"
            "      [1, 2]\n"
            "    ],\n"
            "    [\n"
            "      [3, 4]\n"
            "    ]\n"
            "  ]\n"
            "}");
}

TEST(TensorTextTest, TensorsWithoutElementsKeepTheirOuterDims) {
  EXPECT_EQ(TensorText(Literal(Shape(ElementType::kU8, {0}))),
            "tensor<0xui8> {\n  []\n}");
  EXPECT_EQ(TensorText(Literal(Shape(ElementType::kU8, {0, 2}))),
            "tensor<0x2xui8> {\n  []\n}");
  EXPECT_EQ(TensorText(Literal(Shape(ElementType::kU8, {2, 0}))),
            "tensor<2x0xui8> {\n  [\n    [],\n    []\n  ]\n}");
}

TEST(TensorTextTest, FloatsHaveTheDigitsThatReadBack) {
  EXPECT_EQ(TensorText(Literal::Scalar(0.1f)), "tensor<f32> {1.000000e-01}");
  EXPECT_EQ(TensorText(Literal::Scalar(16777217.0)),
            "tensor<f64> {1.6777217e+07}");
  EXPECT_EQ(
      TensorText(Literal::Scalar(-std::numeric_limits<float>::infinity())),
      "tensor<f32> {-inf}");
}

}  // namespace
}  // namespace lockstep::internal
