#include <string>

#include "gtest/gtest.h"
#include "tests/programs/program_testing.h"

namespace lockstep::internal {
namespace {

void ExpectBody(absl::string_view type, absl::string_view body,
                absl::string_view expected) {
  const auto found = RunBody(type, body);
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_TRUE(*found == Dense(expected, type)) << ToString(*found);
}

TEST(DotGeneralTest, MatrixProduct) {
  ExpectBody("tensor<2x2xf32>", R"(
    %a = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
    %b = stablehlo.constant dense<[[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]> : tensor<3x2xf32>
    %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>)",
             "[[4.0, 5.0], [10.0, 11.0]]");
}

TEST(DotGeneralTest, ResultDimsAreBatchThenLhsThenRhs) {
  // Batch is dim 1 of lhs and dim 2 of rhs.
  ExpectBody("tensor<2x1x2xi32>", R"(
    %a = stablehlo.constant dense<[[[1, 2], [3, 4]]]> : tensor<1x2x2xi32>
    %b = stablehlo.constant dense<[[[1, 5], [2, 6]], [[3, 7], [4, 8]]]> : tensor<2x2x2xi32>
    %0 = stablehlo.dot_general %a, %b, batching_dims = [1] x [2], contracting_dims = [2] x [1] : (tensor<1x2x2xi32>, tensor<2x2x2xi32>) -> tensor<2x1x2xi32>)",
             "[[[5, 11]], [[39, 53]]]");
}

TEST(DotGeneralTest, WithoutContractingDimsIsTheOuterProduct) {
  ExpectBody("tensor<2x2xi32>", R"(
    %a = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
    %b = stablehlo.constant dense<[3, 4]> : tensor<2xi32>
    %0 = stablehlo.dot_general %a, %b, precision = [] : (tensor<2xi32>, tensor<2xi32>) -> tensor<2x2xi32>)",
             "[[3, 4], [6, 8]]");
}

TEST(DotGeneralTest, ContractingNothingGivesZeros) {
  ExpectBody("tensor<2x2xf32>", R"(
    %a = stablehlo.constant dense<> : tensor<2x0xf32>
    %b = stablehlo.constant dense<> : tensor<0x2xf32>
    %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x0xf32>, tensor<0x2xf32>) -> tensor<2x2xf32>)",
             "0.0");
}

TEST(DotGeneralTest, IntegersWrapInTheResultType) {
  ExpectBody("tensor<i8>", R"(
    %a = stablehlo.constant dense<[100, 100]> : tensor<2xi8>
    %0 = stablehlo.dot_general %a, %a, contracting_dims = [0] x [0] : (tensor<2xi8>, tensor<2xi8>) -> tensor<i8>)",
             "32");
  ExpectBody("tensor<i32>", R"(
    %a = stablehlo.constant dense<[100, 100]> : tensor<2xi8>
    %0 = stablehlo.dot_general %a, %a, contracting_dims = [0] x [0] : (tensor<2xi8>, tensor<2xi8>) -> tensor<i32>)",
             "20000");
}

TEST(DotGeneralTest, HalvesAccumulateInSinglePrecision) {
  // In bf16, 256 + 1 would stay 256 each time.
  ExpectBody("tensor<bf16>", R"(
    %a = stablehlo.constant dense<[256.0, 1.0, 1.0, 1.0, 1.0]> : tensor<5xbf16>
    %b = stablehlo.constant dense<1.0> : tensor<5xbf16>
    %0 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0] : (tensor<5xbf16>, tensor<5xbf16>) -> tensor<bf16>)",
             "260.0");
}

TEST(ReduceTest, SumsOverAnyDims) {
  const std::string inputs = R"(
    %a = stablehlo.constant dense<[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]> : tensor<2x2x2xi32>
    %z = stablehlo.constant dense<100> : tensor<i32>
)";
  ExpectBody("tensor<2x2xi32>",
             inputs +
                 "%0 = stablehlo.reduce(%a init: %z) applies "
                 "stablehlo.add across dimensions = [1] : "
                 "(tensor<2x2x2xi32>, tensor<i32>) -> tensor<2x2xi32>",
             "[[104, 106], [112, 114]]");
  ExpectBody("tensor<2xi32>",
             inputs +
                 "%0 = stablehlo.reduce(%a init: %z) applies "
                 "stablehlo.add across dimensions = [2, 0] : "
                 "(tensor<2x2x2xi32>, tensor<i32>) -> tensor<2xi32>",
             "[114, 122]");
  ExpectBody("tensor<i32>",
             inputs +
                 "%0 = stablehlo.reduce(%a init: %z) applies "
                 "stablehlo.add across dimensions = [0, 1, 2] : "
                 "(tensor<2x2x2xi32>, tensor<i32>) -> tensor<i32>",
             "136");
}

TEST(ReduceTest, AnEmptyDimGivesInit) {
  ExpectBody("tensor<2xf32>", R"(
    %a = stablehlo.constant dense<> : tensor<2x0xf32>
    %z = stablehlo.constant dense<7.0> : tensor<f32>
    %0 = stablehlo.reduce(%a init: %z) applies stablehlo.maximum across dimensions = [1] : (tensor<2x0xf32>, tensor<f32>) -> tensor<2xf32>)",
             "7.0");
}

TEST(ReduceTest, MaximumOverANanIsNan) {
  ExpectBody("tensor<f32>", R"(
    %a = stablehlo.constant dense<[1.0, 0x7FC00000, 2.0]> : tensor<3xf32>
    %z = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%a init: %z) applies stablehlo.maximum across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>)",
             "0x7FC00000");
}

TEST(ReduceTest, HalvesAccumulateInSinglePrecision) {
  ExpectBody("tensor<bf16>", R"(
    %a = stablehlo.constant dense<[256.0, 1.0, 1.0, 1.0, 1.0]> : tensor<5xbf16>
    %z = stablehlo.constant dense<0.0> : tensor<bf16>
    %0 = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [0] : (tensor<5xbf16>, tensor<bf16>) -> tensor<bf16>)",
             "260.0");
}

TEST(ReduceTest, LogicalReductionsOfI1) {
  ExpectBody("tensor<2xi1>", R"(
    %a = stablehlo.constant dense<[[true, false], [false, false]]> : tensor<2x2xi1>
    %z = stablehlo.constant dense<false> : tensor<i1>
    %0 = stablehlo.reduce(%a init: %z) applies stablehlo.or across dimensions = [1] : (tensor<2x2xi1>, tensor<i1>) -> tensor<2xi1>)",
             "[true, false]");
}

TEST(ReduceTest, ABodyIsAppliedToAccumulatorAndElementFromLeftToRight) {
  // 100 - 1 - 2 - 3
  ExpectBody("tensor<i32>", R"(
    %a = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
    %z = stablehlo.constant dense<100> : tensor<i32>
    %0 = stablehlo.reduce(%a init: %z) across dimensions = [0] : (tensor<3xi32>, tensor<i32>) -> tensor<i32>
     reducer(%x: tensor<i32>, %y: tensor<i32>) {
      %1 = stablehlo.subtract %x, %y : tensor<i32>
      stablehlo.return %1 : tensor<i32>
    })",
             "94");
}

// The row-wise argmax that JAX emits: a body of several ops on two inputs.
constexpr absl::string_view kArgMax = R"(
    %a = stablehlo.constant dense<[[3.0, 9.0, 9.0], [7.0, 0x7FC00000, 8.0]]> : tensor<2x3xf32>
    %i = stablehlo.iota dim = 1 : tensor<2x3xi32>
    %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %z = stablehlo.constant dense<0> : tensor<i32>
    %m, %0 = stablehlo.reduce(%a init: %lowest), (%i init: %z) across dimensions = [1] : (tensor<2x3xf32>, tensor<2x3xi32>, tensor<f32>, tensor<i32>) -> (tensor<2xf32>, tensor<2xi32>)
     reducer(%x: tensor<f32>, %y: tensor<f32>) (%p: tensor<i32>, %q: tensor<i32>) {
      %1 = stablehlo.compare GT, %x, %y, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %2 = stablehlo.compare NE, %x, %x, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %3 = stablehlo.or %1, %2 : tensor<i1>
      %4 = stablehlo.compare EQ, %x, %y, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %5 = stablehlo.compare LT, %p, %q, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %6 = stablehlo.and %4, %5 : tensor<i1>
      %7 = stablehlo.or %3, %6 : tensor<i1>
      %8 = stablehlo.select %3, %x, %y : tensor<i1>, tensor<f32>
      %9 = stablehlo.select %7, %p, %q : tensor<i1>, tensor<i32>
      stablehlo.return %8, %9 : tensor<f32>, tensor<i32>
    })";

TEST(ReduceTest, SeveralInputsReduceTogether) {
  ExpectBody("tensor<2xi32>", kArgMax, "[1, 1]");
}

TEST(ReduceTest, ABodyMayUseValuesFromOutside) {
  ExpectBody("tensor<2xi32>", R"(
    %a = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
    %z = stablehlo.constant dense<0> : tensor<i32>
    %ten = stablehlo.constant dense<10> : tensor<i32>
    %0 = stablehlo.reduce(%a init: %z) across dimensions = [1] : (tensor<2x2xi32>, tensor<i32>) -> tensor<2xi32>
     reducer(%x: tensor<i32>, %y: tensor<i32>) {
      %1 = stablehlo.multiply %x, %ten : tensor<i32>
      %2 = stablehlo.add %1, %y : tensor<i32>
      stablehlo.return %2 : tensor<i32>
    })",
             "[12, 34]");
}

TEST(ReduceTest, TheBodyMayWidenTheType) {
  ExpectBody("tensor<i32>", R"(
    %a = stablehlo.constant dense<[100, 100]> : tensor<2xi8>
    %z = stablehlo.constant dense<0> : tensor<i8>
    %0 = "stablehlo.reduce"(%a, %z) ({
    ^bb0(%x: tensor<i32>, %y: tensor<i32>):
      %1 = stablehlo.add %x, %y : tensor<i32>
      stablehlo.return %1 : tensor<i32>
    }) {dimensions = array<i64: 0>} : (tensor<2xi8>, tensor<i8>) -> tensor<i32>)",
             "200");
}

}  // namespace
}  // namespace lockstep::internal
