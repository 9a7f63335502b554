#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "runtime/ops/body_case_testing.h"
#include "tests/programs/program_testing.h"

namespace lockstep::internal {
namespace {

constexpr absl::string_view kInputs = R"(
  %m = stablehlo.constant dense<[[0, 1, 2], [3, 4, 5]]> : tensor<2x3xi32>
  %v = stablehlo.constant dense<[10, 20, 30, 40, 50]> : tensor<5xi32>
  %s = stablehlo.constant dense<9> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %minus = stablehlo.constant dense<-1> : tensor<i32>
)";

class DataMovementTest : public testing::TestWithParam<BodyCase> {};

TEST_P(DataMovementTest, GivesTheseElements) {
  ExpectElements(kInputs, GetParam());
}

const BodyCase kCases[] = {
    {"IotaAlongTheLastDim", "%0 = stablehlo.iota dim = 1 : tensor<2x3xi8>",
     "tensor<2x3xi8>", "[[0, 1, 2], [0, 1, 2]]"},
    {"IotaAlongTheFirstDim", "%0 = stablehlo.iota dim = 0 : tensor<2x3xbf16>",
     "tensor<2x3xbf16>", "[[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]]"},
    {"IotaOfNoElements", "%0 = stablehlo.iota dim = 1 : tensor<2x0xi32>",
     "tensor<2x0xi32>", ""},
    {"BroadcastOfAScalar",
     "%0 = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<i32>) -> "
     "tensor<2x2xi32>",
     "tensor<2x2xi32>", "9"},
    {"BroadcastToANewMajorDim",
     "%0 = stablehlo.broadcast_in_dim %m, dims = [1, 2] : (tensor<2x3xi32>) "
     "-> tensor<2x2x3xi32>",
     "tensor<2x2x3xi32>", "[[[0, 1, 2], [3, 4, 5]], [[0, 1, 2], [3, 4, 5]]]"},
    {"BroadcastThatTransposes",
     "%0 = stablehlo.broadcast_in_dim %m, dims = [1, 0] : (tensor<2x3xi32>) "
     "-> tensor<3x2xi32>",
     "tensor<3x2xi32>", "[[0, 3], [1, 4], [2, 5]]"},
    {"BroadcastOfADimOfOne",
     "%r = stablehlo.reshape %v : (tensor<5xi32>) -> tensor<5x1xi32>\n"
     "%0 = stablehlo.broadcast_in_dim %r, dims = [0, 1] : (tensor<5x1xi32>) "
     "-> tensor<5x2xi32>",
     "tensor<5x2xi32>", "[[10, 10], [20, 20], [30, 30], [40, 40], [50, 50]]"},
    {"ReshapeKeepsTheOrder",
     "%0 = stablehlo.reshape %m : (tensor<2x3xi32>) -> tensor<3x2xi32>",
     "tensor<3x2xi32>", "[[0, 1], [2, 3], [4, 5]]"},
    {"Transpose",
     "%0 = stablehlo.transpose %m, dims = [1, 0] : (tensor<2x3xi32>) -> "
     "tensor<3x2xi32>",
     "tensor<3x2xi32>", "[[0, 3], [1, 4], [2, 5]]"},
    {"Reverse", "%0 = stablehlo.reverse %m, dims = [0, 1] : tensor<2x3xi32>",
     "tensor<2x3xi32>", "[[5, 4, 3], [2, 1, 0]]"},
    {"SliceWithStride",
     "%0 = stablehlo.slice %m [0:2, 0:3:2] : (tensor<2x3xi32>) -> "
     "tensor<2x2xi32>",
     "tensor<2x2xi32>", "[[0, 2], [3, 5]]"},
    {"SliceRoundsItsSizeUp",
     "%0 = stablehlo.slice %v [1:5:3] : (tensor<5xi32>) -> tensor<2xi32>",
     "tensor<2xi32>", "[20, 50]"},
    {"SliceOfNothing",
     "%0 = stablehlo.slice %v [2:2] : (tensor<5xi32>) -> tensor<0xi32>",
     "tensor<0xi32>", ""},
    {"ConcatenateAlongTheLastDim",
     "%0 = stablehlo.concatenate %m, %m, dim = 1 : (tensor<2x3xi32>, "
     "tensor<2x3xi32>) -> tensor<2x6xi32>",
     "tensor<2x6xi32>", "[[0, 1, 2, 0, 1, 2], [3, 4, 5, 3, 4, 5]]"},
    {"PadAtBothEdgesAndBetween",
     "%0 = stablehlo.pad %v, %s, low = [1], high = [2], interior = [1] : "
     "(tensor<5xi32>, tensor<i32>) -> tensor<12xi32>",
     "tensor<12xi32>", "[9, 10, 9, 20, 9, 30, 9, 40, 9, 50, 9, 9]"},
    {"PadWithNegativeLowDropsTheFirst",
     "%0 = stablehlo.pad %v, %s, low = [-1], high = [0], interior = [0] : "
     "(tensor<5xi32>, tensor<i32>) -> tensor<4xi32>",
     "tensor<4xi32>", "[20, 30, 40, 50]"},
    // Interior first: 10 9 20 9 30 9 40 9 50, then one off each end.
    {"PadCutsAfterTheInteriorPadding",
     "%0 = stablehlo.pad %v, %s, low = [-1], high = [-2], interior = [1] : "
     "(tensor<5xi32>, tensor<i32>) -> tensor<6xi32>",
     "tensor<6xi32>", "[9, 20, 9, 30, 9, 40]"},
    {"PadThatCutsEverything",
     "%0 = stablehlo.pad %v, %s, low = [-7], high = [4], interior = [0] : "
     "(tensor<5xi32>, tensor<i32>) -> tensor<2xi32>",
     "tensor<2xi32>", "9"},
    {"PadOfTwoDims",
     "%0 = stablehlo.pad %m, %s, low = [0, 1], high = [1, -1], interior = "
     "[0, 0] : (tensor<2x3xi32>, tensor<i32>) -> tensor<3x3xi32>",
     "tensor<3x3xi32>", "[[9, 0, 1], [9, 3, 4], [9, 9, 9]]"},
    {"DynamicSliceClampsALargeStart",
     "%0 = stablehlo.dynamic_slice %v, %four, sizes = [3] : (tensor<5xi32>, "
     "tensor<i32>) -> tensor<3xi32>",
     "tensor<3xi32>", "[30, 40, 50]"},
    {"DynamicSliceClampsANegativeStart",
     "%0 = stablehlo.dynamic_slice %m, %zero, %minus, sizes = [1, 2] : "
     "(tensor<2x3xi32>, tensor<i32>, tensor<i32>) -> tensor<1x2xi32>",
     "tensor<1x2xi32>", "[[0, 1]]"},
    {"DynamicSliceTakesUnsignedIndices",
     "%u = stablehlo.constant dense<18446744073709551615> : tensor<ui64>\n"
     "%0 = stablehlo.dynamic_slice %v, %u, sizes = [2] : (tensor<5xi32>, "
     "tensor<ui64>) -> tensor<2xi32>",
     "tensor<2xi32>", "[40, 50]"},
    {"DynamicUpdateSliceClamps",
     "%u = stablehlo.constant dense<[7, 8]> : tensor<2xi32>\n"
     "%0 = stablehlo.dynamic_update_slice %v, %u, %four : (tensor<5xi32>, "
     "tensor<2xi32>, tensor<i32>) -> tensor<5xi32>",
     "tensor<5xi32>", "[10, 20, 30, 7, 8]"},
    {"OptimizationBarrier",
     "%1, %0 = stablehlo.optimization_barrier %s, %m : tensor<i32>, "
     "tensor<2x3xi32>",
     "tensor<2x3xi32>", "[[0, 1, 2], [3, 4, 5]]"},
    {"ShardingAnnotationsAreTheIdentity",
     "%0 = stablehlo.custom_call @Sharding(%m) : (tensor<2x3xi32>) -> "
     "tensor<2x3xi32>",
     "tensor<2x3xi32>", "[[0, 1, 2], [3, 4, 5]]"},
};
INSTANTIATE_TEST_SUITE_P(Ops, DataMovementTest, testing::ValuesIn(kCases),
                         NameOf);

TEST(CustomCallTest, AnUnknownTargetVerifiesAndIsNamedWhenItRuns) {
  const auto found =
      RunBody("tensor<i32>",
              "%0 = stablehlo.custom_call @my_target() : () -> tensor<i32>");
  EXPECT_EQ(found.status().code(), absl::StatusCode::kUnimplemented);
  EXPECT_NE(found.status().message().find("my_target"), std::string::npos)
      << found.status();
}

}  // namespace
}  // namespace lockstep::internal
