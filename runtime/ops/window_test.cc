#include "gtest/gtest.h"
#include "runtime/ops/body_case_testing.h"

namespace lockstep::internal {
namespace {

constexpr absl::string_view kInputs = R"(
  %v = stablehlo.constant dense<[1, 2, 3, 4, 5]> : tensor<5xi32>
  %w = stablehlo.constant dense<[1, 5, 2, 5, 1]> : tensor<5xi32>
    %m = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6], [7, 8, 9]]> : tensor<3x3xi32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %h = stablehlo.constant dense<100> : tensor<i32>
)";

class WindowTest : public testing::TestWithParam<BodyCase> {};

TEST_P(WindowTest, GivesTheseElements) { ExpectElements(kInputs, GetParam()); }

const BodyCase kCases[] = {
    {"ReduceWindowOfSums",
     R"(%0 = "stablehlo.reduce_window"(%v, %z) <{window_dimensions = array<i64: 2>}> ({
     ^bb0(%x: tensor<i32>, %y: tensor<i32>):
       %r = stablehlo.add %x, %y : tensor<i32>
       stablehlo.return %r : tensor<i32>
     }) : (tensor<5xi32>, tensor<i32>) -> tensor<4xi32>)",
     "tensor<4xi32>", "[3, 5, 7, 9]"},
    {"ReduceWindowWithStridesAndPadding",
     R"(%0 = "stablehlo.reduce_window"(%v, %z) <{window_dimensions = array<i64: 3>, window_strides = array<i64: 2>, padding = dense<[[1, 1]]> : tensor<1x2xi64>}> ({
     ^bb0(%x: tensor<i32>, %y: tensor<i32>):
       %r = stablehlo.maximum %x, %y : tensor<i32>
       stablehlo.return %r : tensor<i32>
     }) : (tensor<5xi32>, tensor<i32>) -> tensor<3xi32>)",
     "tensor<3xi32>", "[2, 4, 5]"},
    {"ReduceWindowPaddingHoldsTheInitValue",
     R"(%0 = "stablehlo.reduce_window"(%v, %h) <{window_dimensions = array<i64: 2>, padding = dense<[[1, 0]]> : tensor<1x2xi64>}> ({
     ^bb0(%x: tensor<i32>, %y: tensor<i32>):
       %r = stablehlo.add %x, %y : tensor<i32>
       stablehlo.return %r : tensor<i32>
     }) : (tensor<5xi32>, tensor<i32>) -> tensor<5xi32>)",
     "tensor<5xi32>", "[201, 103, 105, 107, 109]"},
    {"ReduceWindowWithBaseDilation",
     R"(%0 = "stablehlo.reduce_window"(%v, %z) <{window_dimensions = array<i64: 2>, base_dilations = array<i64: 2>}> ({
     ^bb0(%x: tensor<i32>, %y: tensor<i32>):
       %r = stablehlo.add %x, %y : tensor<i32>
       stablehlo.return %r : tensor<i32>
     }) : (tensor<5xi32>, tensor<i32>) -> tensor<8xi32>)",
     "tensor<8xi32>", "[1, 2, 2, 3, 3, 4, 4, 5]"},
    {"ReduceWindowWithWindowDilation",
     R"(%0 = "stablehlo.reduce_window"(%v, %z) <{window_dimensions = array<i64: 2>, window_dilations = array<i64: 3>}> ({
     ^bb0(%x: tensor<i32>, %y: tensor<i32>):
       %r = stablehlo.add %x, %y : tensor<i32>
       stablehlo.return %r : tensor<i32>
     }) : (tensor<5xi32>, tensor<i32>) -> tensor<2xi32>)",
     "tensor<2xi32>", "[5, 7]"},
    {"ReduceWindowWithNegativePaddingCuts",
     R"(%0 = "stablehlo.reduce_window"(%v, %z) <{window_dimensions = array<i64: 2>, padding = dense<[[-1, -1]]> : tensor<1x2xi64>}> ({
     ^bb0(%x: tensor<i32>, %y: tensor<i32>):
       %r = stablehlo.add %x, %y : tensor<i32>
       stablehlo.return %r : tensor<i32>
     }) : (tensor<5xi32>, tensor<i32>) -> tensor<2xi32>)",
     "tensor<2xi32>", "[5, 7]"},
    {"ReduceWindowOfAWindowThatDoesNotFit",
     R"(%0 = "stablehlo.reduce_window"(%v, %z) <{window_dimensions = array<i64: 6>}> ({
     ^bb0(%x: tensor<i32>, %y: tensor<i32>):
       %r = stablehlo.add %x, %y : tensor<i32>
       stablehlo.return %r : tensor<i32>
     }) : (tensor<5xi32>, tensor<i32>) -> tensor<0xi32>)",
     "tensor<0xi32>", ""},
    {"ReduceWindowOfTwoDims",
     R"(%0 = "stablehlo.reduce_window"(%m, %z) <{window_dimensions = array<i64: 2, 2>}> ({
     ^bb0(%x: tensor<i32>, %y: tensor<i32>):
       %r = stablehlo.add %x, %y : tensor<i32>
       stablehlo.return %r : tensor<i32>
     }) : (tensor<3x3xi32>, tensor<i32>) -> tensor<2x2xi32>)",
     "tensor<2x2xi32>", "[[12, 16], [24, 28]]"},
    {"ReduceWindowInRowMajorOrder",
     R"(%0 = "stablehlo.reduce_window"(%v, %z) <{window_dimensions = array<i64: 3>}> ({
     ^bb0(%x: tensor<i32>, %y: tensor<i32>):
       %t = stablehlo.add %x, %x : tensor<i32>
       %r = stablehlo.subtract %t, %y : tensor<i32>
       stablehlo.return %r : tensor<i32>
     }) : (tensor<5xi32>, tensor<i32>) -> tensor<3xi32>)",
     "tensor<3xi32>", "[-11, -18, -25]"},
    {"ReduceWindowOfBfloat16",
     R"(%b = stablehlo.constant dense<[1.0, 2.5, -1.0]> : tensor<3xbf16>
     %n = stablehlo.constant dense<0xFF80> : tensor<bf16>
     %0 = "stablehlo.reduce_window"(%b, %n) <{window_dimensions = array<i64: 2>}> ({
     ^bb0(%x: tensor<bf16>, %y: tensor<bf16>):
       %r = stablehlo.maximum %x, %y : tensor<bf16>
       stablehlo.return %r : tensor<bf16>
     }) : (tensor<3xbf16>, tensor<bf16>) -> tensor<2xbf16>)",
     "tensor<2xbf16>", "[2.5, 2.5]"},
    {"ReduceWindowOfNothing",
     R"(%e = stablehlo.constant dense<> : tensor<0xi32>
     %0 = "stablehlo.reduce_window"(%e, %h) <{window_dimensions = array<i64: 2>, padding = dense<[[1, 1]]> : tensor<1x2xi64>}> ({
     ^bb0(%x: tensor<i32>, %y: tensor<i32>):
       %r = stablehlo.add %x, %y : tensor<i32>
       stablehlo.return %r : tensor<i32>
     }) : (tensor<0xi32>, tensor<i32>) -> tensor<1xi32>)",
     "tensor<1xi32>", "[300]"},
    {"SelectAndScatterAddsAtTheLargest",
     R"(%s = stablehlo.constant dense<[10, 20]> : tensor<2xi32>
     %0 = "stablehlo.select_and_scatter"(%v, %s, %h) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
     ^bb0(%x: tensor<i32>, %y: tensor<i32>):
       %r = stablehlo.compare GE, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
       stablehlo.return %r : tensor<i1>
     }, {
     ^bb0(%x: tensor<i32>, %y: tensor<i32>):
       %r = stablehlo.add %x, %y : tensor<i32>
       stablehlo.return %r : tensor<i32>
     }) : (tensor<5xi32>, tensor<2xi32>, tensor<i32>) -> tensor<5xi32>)",
     "tensor<5xi32>", "[100, 110, 100, 120, 100]"},
    {"SelectAndScatterOfOverlappingWindows",
     R"(%s = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
     %0 = "stablehlo.select_and_scatter"(%w, %s, %h) <{window_dimensions = array<i64: 3>}> ({
     ^bb0(%x: tensor<i32>, %y: tensor<i32>):
       %r = stablehlo.compare GE, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
       stablehlo.return %r : tensor<i1>
     }, {
     ^bb0(%x: tensor<i32>, %y: tensor<i32>):
       %r = stablehlo.add %x, %y : tensor<i32>
       stablehlo.return %r : tensor<i32>
     }) : (tensor<5xi32>, tensor<3xi32>, tensor<i32>) -> tensor<5xi32>)",
     "tensor<5xi32>", "[100, 103, 100, 103, 100]"},
    {"SelectAndScatterKeepsTheFirstOfEqualOnesWithGe",
     R"(%e = stablehlo.constant dense<7> : tensor<5xi32>
     %s = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
     %0 = "stablehlo.select_and_scatter"(%e, %s, %h) <{window_dimensions = array<i64: 2>}> ({
     ^bb0(%x: tensor<i32>, %y: tensor<i32>):
       %r = stablehlo.compare GE, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
       stablehlo.return %r : tensor<i1>
     }, {
     ^bb0(%x: tensor<i32>, %y: tensor<i32>):
       %r = stablehlo.add %x, %y : tensor<i32>
       stablehlo.return %r : tensor<i32>
     }) : (tensor<5xi32>, tensor<4xi32>, tensor<i32>) -> tensor<5xi32>)",
     "tensor<5xi32>", "[101, 102, 103, 104, 100]"},
    {"SelectAndScatterTakesTheLastOfEqualOnesWithGt",
     R"(%e = stablehlo.constant dense<7> : tensor<5xi32>
     %s = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
     %0 = "stablehlo.select_and_scatter"(%e, %s, %h) <{window_dimensions = array<i64: 2>}> ({
     ^bb0(%x: tensor<i32>, %y: tensor<i32>):
       %r = stablehlo.compare GT, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
       stablehlo.return %r : tensor<i1>
     }, {
     ^bb0(%x: tensor<i32>, %y: tensor<i32>):
       %r = stablehlo.add %x, %y : tensor<i32>
       stablehlo.return %r : tensor<i32>
     }) : (tensor<5xi32>, tensor<4xi32>, tensor<i32>) -> tensor<5xi32>)",
     "tensor<5xi32>", "[100, 101, 102, 103, 104]"},
    {"SelectAndScatterNeverSelectsPadding",
     R"(%s = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
     %0 = "stablehlo.select_and_scatter"(%v, %s, %h) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>, padding = dense<[[1, 0]]> : tensor<1x2xi64>}> ({
     ^bb0(%x: tensor<i32>, %y: tensor<i32>):
       %r = stablehlo.compare LE, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
       stablehlo.return %r : tensor<i1>
     }, {
     ^bb0(%x: tensor<i32>, %y: tensor<i32>):
       %r = stablehlo.add %x, %y : tensor<i32>
       stablehlo.return %r : tensor<i32>
     }) : (tensor<5xi32>, tensor<3xi32>, tensor<i32>) -> tensor<5xi32>)",
     "tensor<5xi32>", "[101, 102, 100, 103, 100]"},
    {"ConvolutionOfOneDim",
     R"(%x = stablehlo.constant dense<[[[1], [2], [3], [4]]]> : tensor<1x4x1xi32>
     %k = stablehlo.constant dense<[[[1]], [[10]]]> : tensor<2x1x1xi32>
     %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x1xi32>, tensor<2x1x1xi32>) -> tensor<1x3x1xi32>)",
     "tensor<1x3x1xi32>", "[[[21], [32], [43]]]"},
    {"ConvolutionWithReversal",
     R"(%x = stablehlo.constant dense<[[[1], [2], [3], [4]]]> : tensor<1x4x1xi32>
     %k = stablehlo.constant dense<[[[1]], [[10]]]> : tensor<2x1x1xi32>
     %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {reverse = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x1xi32>, tensor<2x1x1xi32>) -> tensor<1x3x1xi32>)",
     "tensor<1x3x1xi32>", "[[[12], [23], [34]]]"},
    {"ConvolutionWithStridesPaddingAndDilations",
     R"(%x = stablehlo.constant dense<[[[1], [2], [3], [4]]]> : tensor<1x4x1xi32>
     %k = stablehlo.constant dense<[[[1]], [[10]]]> : tensor<2x1x1xi32>
     %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [2], pad = [[1, 2]], lhs_dilate = [2], rhs_dilate = [3]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x1xi32>, tensor<2x1x1xi32>) -> tensor<1x4x1xi32>)",
     "tensor<1x4x1xi32>", "[[[20], [30], [40], [0]]]"},
    {"ConvolutionPadsWithZeroAlsoWithNegativePadding",
     R"(%x = stablehlo.constant dense<[[[1], [2], [3], [4]]]> : tensor<1x4x1xi32>
     %k = stablehlo.constant dense<[[[1]], [[10]]]> : tensor<2x1x1xi32>
     %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[-1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x1xi32>, tensor<2x1x1xi32>) -> tensor<1x3x1xi32>)",
     "tensor<1x3x1xi32>", "[[[32], [43], [4]]]"},
    {"ConvolutionMixesFeatures",
     R"(%x = stablehlo.constant dense<[[[1, 2], [3, 4]]]> : tensor<1x2x2xi32>
     %k = stablehlo.constant dense<[[[1, 10], [2, 20]]]> : tensor<1x2x2xi32>
     %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x2x2xi32>, tensor<1x2x2xi32>) -> tensor<1x2x2xi32>)",
     "tensor<1x2x2xi32>", "[[[5, 50], [11, 110]]]"},
    {"ConvolutionOfFeatureGroups",
     R"(%x = stablehlo.constant dense<[[[1, 2], [3, 4]]]> : tensor<1x2x2xi32>
     %k = stablehlo.constant dense<[[[1, 10]]]> : tensor<1x1x2xi32>
     %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {feature_group_count = 2 : i64, batch_group_count = 1 : i64} : (tensor<1x2x2xi32>, tensor<1x1x2xi32>) -> tensor<1x2x2xi32>)",
     "tensor<1x2x2xi32>", "[[[1, 20], [3, 40]]]"},
    {"ConvolutionOfBatchGroups",
     R"(%x = stablehlo.constant dense<[[[1], [2]], [[3], [4]]]> : tensor<2x2x1xi32>
     %k = stablehlo.constant dense<[[[1, 10]]]> : tensor<1x1x2xi32>
     %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 2 : i64, feature_group_count = 1 : i64} : (tensor<2x2x1xi32>, tensor<1x1x2xi32>) -> tensor<1x2x2xi32>)",
     "tensor<1x2x2xi32>", "[[[1, 30], [2, 40]]]"},
    {"ConvolutionWithOtherLayouts",
     R"(%x = stablehlo.constant dense<[[[[1, 2], [3, 4]]]]> : tensor<1x1x2x2xi32>
     %k = stablehlo.constant dense<[[[[1, 10], [100, 1000]]]]> : tensor<1x1x2x2xi32>
     %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[0, 1, b, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x1x2x2xi32>, tensor<1x1x2x2xi32>) -> tensor<1x1x1x1xi32>)",
     "tensor<1x1x1x1xi32>", "4321"},
    {"ConvolutionOfBfloat16AddsInSinglePrecision",
     R"(%x = stablehlo.constant dense<[[[256.0], [1.0], [1.0]]]> : tensor<1x3x1xbf16>
     %k = stablehlo.constant dense<1.0> : tensor<3x1x1xbf16>
     %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x3x1xbf16>, tensor<3x1x1xbf16>) -> tensor<1x1x1xbf16>)",
     "tensor<1x1x1xbf16>", "258.0"},
    {"ConvolutionOfComplexNumbers",
     R"(%x = stablehlo.constant dense<[[[(1.0,1.0)]]]> : tensor<1x1x1xcomplex<f32>>
     %k = stablehlo.constant dense<[[[(2.0,-1.0)]]]> : tensor<1x1x1xcomplex<f32>>
     %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x1x1xcomplex<f32>>, tensor<1x1x1xcomplex<f32>>) -> tensor<1x1x1xcomplex<f32>>)",
     "tensor<1x1x1xcomplex<f32>>", "(3.0,1.0)"},
    {"ConvolutionOfDoubles",
     R"(%x = stablehlo.constant dense<[[[1.5], [2.5]]]> : tensor<1x2x1xf64>
     %k = stablehlo.constant dense<[[[2.0]]]> : tensor<1x1x1xf64>
     %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x2x1xf64>, tensor<1x1x1xf64>) -> tensor<1x2x1xf64>)",
     "tensor<1x2x1xf64>", "[[[3.0], [5.0]]]"},
};
INSTANTIATE_TEST_SUITE_P(Ops, WindowTest, testing::ValuesIn(kCases), NameOf);

}  // namespace
}  // namespace lockstep::internal
