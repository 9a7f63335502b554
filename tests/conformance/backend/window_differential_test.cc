#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"
#include "tests/conformance/backend/differential.h"

namespace lockstep::internal {
namespace {

struct WindowCase {
  const char* name;
  const char* text;  // T is the element type
};
const WindowCase kConvolutions[] = {
    {"ImageWithStrideAndPadding", R"(
func.func @main(%x: tensor<2x9x10x3xT>, %k: tensor<3x3x3x8xT>) -> tensor<2x5x5x8xT> {
  %r = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {stride = [2, 2], pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x9x10x3xT>, tensor<3x3x3x8xT>) -> tensor<2x5x5x8xT>
  return %r : tensor<2x5x5x8xT>
})"},
    {"GroupsChannelsFirst", R"(
func.func @main(%x: tensor<2x4x7x6xT>, %k: tensor<6x2x2x3xT>) -> tensor<2x6x6x4xT> {
  %r = stablehlo.convolution(%x, %k) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1],
      window = {} {batch_group_count = 1 : i64, feature_group_count = 2 : i64}
      : (tensor<2x4x7x6xT>, tensor<6x2x2x3xT>) -> tensor<2x6x6x4xT>
  return %r : tensor<2x6x6x4xT>
})"},
    {"GradientOfTheInput", R"(
func.func @main(%x: tensor<2x4x4x5xT>, %k: tensor<3x3x2x5xT>) -> tensor<2x9x9x2xT> {
  %r = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f],
      window = {pad = [[2, 2], [2, 2]], lhs_dilate = [2, 2], reverse = [true, true]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x4x4x5xT>, tensor<3x3x2x5xT>) -> tensor<2x9x9x2xT>
  return %r : tensor<2x9x9x2xT>
})"},
    {"GradientOfTheKernel", R"(
func.func @main(%x: tensor<4x9x9x3xT>, %g: tensor<4x4x4x5xT>) -> tensor<3x3x3x5xT> {
  %r = stablehlo.convolution(%x, %g) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f],
      window = {rhs_dilate = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<4x9x9x3xT>, tensor<4x4x4x5xT>) -> tensor<3x3x3x5xT>
  return %r : tensor<3x3x3x5xT>
})"},
    {"NegativePaddingOneDim", R"(
func.func @main(%x: tensor<3x11x4xT>, %k: tensor<3x4x6xT>) -> tensor<3x8x6xT> {
  %r = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
      window = {pad = [[-2, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<3x11x4xT>, tensor<3x4x6xT>) -> tensor<3x8x6xT>
  return %r : tensor<3x8x6xT>
})"},
};
const WindowCase kWindows[] = {
    {"PoolOfMaxima", R"(
func.func @main(%x: tensor<2x8x9x3xT>, %i: tensor<T>) -> tensor<2x4x5x3xT> {
  %r = "stablehlo.reduce_window"(%x, %i) ({
    ^bb0(%a: tensor<T>, %b: tensor<T>):
      %m = stablehlo.maximum %a, %b : tensor<T>
      stablehlo.return %m : tensor<T>
  }) {window_dimensions = array<i64: 1, 2, 3, 1>, window_strides = array<i64: 1, 2, 2, 1>,
      padding = dense<[[0, 0], [0, 0], [1, 1], [0, 0]]> : tensor<4x2xi64>}
      : (tensor<2x8x9x3xT>, tensor<T>) -> tensor<2x4x5x3xT>
  return %r : tensor<2x4x5x3xT>
})"},
    {"SumsWithDilations", R"(
func.func @main(%x: tensor<5x7xT>, %i: tensor<T>) -> tensor<4x11xT> {
  %r = "stablehlo.reduce_window"(%x, %i) ({
    ^bb0(%a: tensor<T>, %b: tensor<T>):
      %m = stablehlo.add %a, %b : tensor<T>
      stablehlo.return %m : tensor<T>
  }) {window_dimensions = array<i64: 2, 3>, window_dilations = array<i64: 1, 2>,
      base_dilations = array<i64: 1, 2>,
      padding = dense<[[0, 0], [1, 1]]> : tensor<2x2xi64>}
      : (tensor<5x7xT>, tensor<T>) -> tensor<4x11xT>
  return %r : tensor<4x11xT>
})"},
};

std::string WithType(const char* text, const char* type) {
  return absl::StrReplaceAll(text, {{"xT>", absl::StrCat("x", type, ">")},
                                    {"<T>", absl::StrCat("<", type, ">")}});
}

TEST(ConvolutionDifferential, EveryTypeAgreesExactlyOnSmallIntegers) {
  for (const WindowCase& row : kConvolutions) {
    for (const char* type : {"f32", "bf16", "f64", "i32"}) {
      const std::string text = WithType(row.text, type);
      EXPECT_TRUE(Verifies(text)) << row.name;
      EXPECT_EQ(DisagreementOn(text, false, 0), "") << row.name << " " << type;
    }
  }
}

TEST(ReduceWindowDifferential, EveryTypeAgreesExactlyOnSmallIntegers) {
  for (const WindowCase& row : kWindows) {
    for (const char* type : {"f32", "bf16", "f64", "i32", "ui8"}) {
      const std::string text = WithType(row.text, type);
      EXPECT_TRUE(Verifies(text)) << row.name;
      EXPECT_EQ(DisagreementOn(text, false, 0), "") << row.name << " " << type;
    }
  }
}

}  // namespace
}  // namespace lockstep::internal
