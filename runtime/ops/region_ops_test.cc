#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "runtime/ops/body_case_testing.h"
#include "tests/programs/program_testing.h"

namespace lockstep::internal {
namespace {

constexpr absl::string_view kInputs = R"(
  %v = stablehlo.constant dense<[3, 1, 4, 1, 5]> : tensor<5xi32>
  %z = stablehlo.constant dense<0> : tensor<5xi32>
  %m = stablehlo.constant dense<[[5, 2, 9], [1, 4, 6]]> : tensor<2x3xi32>
)";

class RegionOpsTest : public testing::TestWithParam<BodyCase> {};

TEST_P(RegionOpsTest, GivesTheseElements) {
  ExpectElements(kInputs, GetParam());
}

const BodyCase kCases[] = {
    {"SortAscending",
     R"(%0 = "stablehlo.sort"(%v) <{dimension = 0 : i64}> ({
     ^bb0(%x: tensor<i32>, %y: tensor<i32>):
       %r = stablehlo.compare LT, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
       stablehlo.return %r : tensor<i1>
     }) : (tensor<5xi32>) -> tensor<5xi32>)",
     "tensor<5xi32>", "[1, 1, 3, 4, 5]"},
    {"SortDescending",
     R"(%0 = "stablehlo.sort"(%v) <{dimension = 0 : i64}> ({
     ^bb0(%x: tensor<i32>, %y: tensor<i32>):
       %r = stablehlo.compare GT, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
       stablehlo.return %r : tensor<i1>
     }) : (tensor<5xi32>) -> tensor<5xi32>)",
     "tensor<5xi32>", "[5, 4, 3, 1, 1]"},
    {"SortAlongTheFirstDim",
     R"(%0 = "stablehlo.sort"(%m) <{dimension = 0 : i64}> ({
     ^bb0(%x: tensor<i32>, %y: tensor<i32>):
       %r = stablehlo.compare LT, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
       stablehlo.return %r : tensor<i1>
     }) : (tensor<2x3xi32>) -> tensor<2x3xi32>)",
     "tensor<2x3xi32>", "[[1, 2, 6], [5, 4, 9]]"},
    {"SortAlongTheLastDimWhenNothingIsSaid",
     R"(%0 = "stablehlo.sort"(%m) <{is_stable = false}> ({
     ^bb0(%x: tensor<i32>, %y: tensor<i32>):
       %r = stablehlo.compare LT, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
       stablehlo.return %r : tensor<i1>
     }) : (tensor<2x3xi32>) -> tensor<2x3xi32>)",
     "tensor<2x3xi32>", "[[2, 5, 9], [1, 4, 6]]"},
    {"SortAlongANegativeDim",
     R"(%0 = "stablehlo.sort"(%m) <{dimension = -2 : i64}> ({
     ^bb0(%x: tensor<i32>, %y: tensor<i32>):
       %r = stablehlo.compare LT, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
       stablehlo.return %r : tensor<i1>
     }) : (tensor<2x3xi32>) -> tensor<2x3xi32>)",
     "tensor<2x3xi32>", "[[1, 2, 6], [5, 4, 9]]"},
    {"SortInTotalOrder",
     R"(%f = stablehlo.constant dense<[0x7FC00000, 0.0, -0.0, -1.0, 0xFFC00000]> : tensor<5xf32>
     %0 = "stablehlo.sort"(%f) <{dimension = 0 : i64}> ({
     ^bb0(%x: tensor<f32>, %y: tensor<f32>):
       %r = stablehlo.compare LT, %x, %y, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
       stablehlo.return %r : tensor<i1>
     }) : (tensor<5xf32>) -> tensor<5xf32>)",
     "tensor<5xf32>", "[0xFFC00000, -1.0, -0.0, 0.0, 0x7FC00000]"},
    {"SortOfKeysAndValuesIsStable",
     R"(%i = stablehlo.iota dim = 0 : tensor<5xi32>
     %p:2 = "stablehlo.sort"(%v, %i) <{dimension = 0 : i64, is_stable = true}> ({
     ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<i32>, %d: tensor<i32>):
       %r = stablehlo.compare LT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
       stablehlo.return %r : tensor<i1>
     }) : (tensor<5xi32>, tensor<5xi32>) -> (tensor<5xi32>, tensor<5xi32>)
     %0 = stablehlo.add %p#1, %z : tensor<5xi32>)",
     "tensor<5xi32>", "[1, 3, 0, 2, 4]"},
    {"SortOfBools",
     R"(%b = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
     %0 = "stablehlo.sort"(%b) <{dimension = 0 : i64}> ({
     ^bb0(%x: tensor<i1>, %y: tensor<i1>):
       %r = stablehlo.compare LT, %x, %y : (tensor<i1>, tensor<i1>) -> tensor<i1>
       stablehlo.return %r : tensor<i1>
     }) : (tensor<3xi1>) -> tensor<3xi1>)",
     "tensor<3xi1>", "[false, true, true]"},
    {"SortOfNothing",
     R"(%n = stablehlo.constant dense<> : tensor<0xi32>
     %0 = "stablehlo.sort"(%n) <{dimension = 0 : i64}> ({
     ^bb0(%x: tensor<i32>, %y: tensor<i32>):
       %r = stablehlo.compare LT, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
       stablehlo.return %r : tensor<i1>
     }) : (tensor<0xi32>) -> tensor<0xi32>)",
     "tensor<0xi32>", ""},
    {"SortWithAComparatorOfConstants",
     R"(%c = stablehlo.constant dense<3> : tensor<i32>
     %0 = "stablehlo.sort"(%v) <{dimension = 0 : i64}> ({
     ^bb0(%x: tensor<i32>, %y: tensor<i32>):
       %a = stablehlo.xor %x, %c : tensor<i32>
       %b = stablehlo.xor %y, %c : tensor<i32>
       %r = stablehlo.compare LT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
       stablehlo.return %r : tensor<i1>
     }) : (tensor<5xi32>) -> tensor<5xi32>)",
     "tensor<5xi32>", "[3, 1, 1, 5, 4]"},
    {"TopKValues",
     R"(%p:2 = chlo.top_k(%m, k = 2) : tensor<2x3xi32> -> (tensor<2x2xi32>, tensor<2x2xi32>)
     %0 = stablehlo.concatenate %p#0, %p#1, dim = 1 : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x4xi32>)",
     "tensor<2x4xi32>", "[[9, 5, 2, 0], [6, 4, 2, 1]]"},
    {"TopKOfEqualOnesTakesTheFirst",
     R"(%p:2 = chlo.top_k(%v, k = 5) : tensor<5xi32> -> (tensor<5xi32>, tensor<5xi32>)
     %0 = stablehlo.add %p#1, %z : tensor<5xi32>)",
     "tensor<5xi32>", "[4, 2, 0, 1, 3]"},
    {"TopKOfFloatsPutsNanFirst",
     R"(%f = stablehlo.constant dense<[1.0, 0x7FC0, -0.0, 0.0]> : tensor<4xbf16>
     %0, %i = chlo.top_k(%f, k = 4) : tensor<4xbf16> -> (tensor<4xbf16>, tensor<4xi32>))",
     "tensor<4xbf16>", "[0x7FC0, 1.0, 0.0, -0.0]"},
    {"ScanGivesAllSumsAndTheLast",
     R"(%o = stablehlo.constant dense<100> : tensor<i32>
     %p:2 = chlo.scan(%v) inits(%o) dimension=0 {
     ^bb0(%x: tensor<i32>, %c: tensor<i32>):
       %s = stablehlo.add %x, %c : tensor<i32>
       stablehlo.return %s, %s : tensor<i32>, tensor<i32>
     } : (tensor<5xi32>, tensor<i32>) -> (tensor<5xi32>, tensor<i32>)
     %l = stablehlo.reshape %p#1 : (tensor<i32>) -> tensor<1xi32>
     %0 = stablehlo.concatenate %p#0, %l, dim = 0 : (tensor<5xi32>, tensor<1xi32>) -> tensor<6xi32>)",
     "tensor<6xi32>", "[103, 104, 108, 109, 114, 114]"},
    {"ScanFromTheEndAlongTheSecondDim",
     R"(%o = stablehlo.constant dense<0> : tensor<2xi32>
     %0, %l = chlo.scan(%m) inits(%o) dimension=1 attributes {is_reverse = true} {
     ^bb0(%x: tensor<2xi32>, %c: tensor<2xi32>):
       %s = stablehlo.add %x, %c : tensor<2xi32>
       stablehlo.return %s, %s : tensor<2xi32>, tensor<2xi32>
     } : (tensor<2x3xi32>, tensor<2xi32>) -> (tensor<2x3xi32>, tensor<2xi32>))",
     "tensor<2x3xi32>", "[[16, 11, 9], [11, 10, 6]]"},
    {"RaggedDotOfAFreeDim",
     R"(%x = stablehlo.constant dense<[[1], [2], [3], [4]]> : tensor<4x1xi32>
     %y = stablehlo.constant dense<[[[10]], [[100]]]> : tensor<2x1x1xi32>
     %g = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
     %0 = "chlo.ragged_dot"(%x, %y, %g) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>} : (tensor<4x1xi32>, tensor<2x1x1xi32>, tensor<2xi64>) -> tensor<4x1xi32>)",
     "tensor<4x1xi32>", "[[10], [200], [300], [0]]"},
    {"RaggedDotOfAContractingDim",
     R"(%x = stablehlo.constant dense<[[1, 2, 3]]> : tensor<1x3xi32>
     %y = stablehlo.constant dense<[[10], [100], [1000]]> : tensor<3x1xi32>
     %g = stablehlo.constant dense<[2, 1]> : tensor<2xi64>
     %0 = "chlo.ragged_dot"(%x, %y, %g) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [1]>} : (tensor<1x3xi32>, tensor<3x1xi32>, tensor<2xi64>) -> tensor<2x1x1xi32>)",
     "tensor<2x1x1xi32>", "[[[210]], [[3000]]]"},
    {"MapRunsTheBodyOnEveryElement",
     R"(%0 = "stablehlo.map"(%v, %v) <{dimensions = array<i64: 0>}> ({
     ^bb0(%x: tensor<i32>, %y: tensor<i32>):
       %r = stablehlo.multiply %x, %y : tensor<i32>
       stablehlo.return %r : tensor<i32>
     }) : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi32>)",
     "tensor<5xi32>", "[9, 1, 16, 1, 25]"},
    {"MapMayChangeTheType",
     R"(%0 = "stablehlo.map"(%v) <{dimensions = array<i64: 0>}> ({
     ^bb0(%x: tensor<i32>):
       %r = stablehlo.convert %x : (tensor<i32>) -> tensor<f16>
       stablehlo.return %r : tensor<f16>
     }) : (tensor<5xi32>) -> tensor<5xf16>)",
     "tensor<5xf16>", "[3.0, 1.0, 4.0, 1.0, 5.0]"},
    {"ElementsOfNestedTuples",
     R"(%t = stablehlo.tuple %v, %z : tuple<tensor<5xi32>, tensor<5xi32>>
     %u = stablehlo.tuple %t, %m : tuple<tuple<tensor<5xi32>, tensor<5xi32>>, tensor<2x3xi32>>
     %w = stablehlo.get_tuple_element %u[0] : (tuple<tuple<tensor<5xi32>, tensor<5xi32>>, tensor<2x3xi32>>) -> tuple<tensor<5xi32>, tensor<5xi32>>
     %0 = stablehlo.get_tuple_element %w[0] : (tuple<tensor<5xi32>, tensor<5xi32>>) -> tensor<5xi32>)",
     "tensor<5xi32>", "[3, 1, 4, 1, 5]"},
};
TEST(Composite, CallsItsDecomposition) {
  const auto found = RunText(R"(
func.func @main() -> tensor<2xi32> {
  %0 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %1 = stablehlo.composite "my.twice" %0 {composite_attributes = {n = 2 : i64}, decomposition = @twice} : (tensor<2xi32>) -> tensor<2xi32>
  return %1 : tensor<2xi32>
}
func.func private @twice(%a: tensor<2xi32>) -> tensor<2xi32> {
  %0 = stablehlo.add %a, %a : tensor<2xi32>
  return %0 : tensor<2xi32>
})");
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_TRUE((*found)[0] == Dense("[2, 4]", "tensor<2xi32>"));
}

TEST(Sort, AComparatorThatIsNoOrderGivesAPermutation) {
  for (const char* direction : {"NE", "EQ", "GE", "LE"}) {
    const auto found = RunBody(
        "tensor<5xi32>",
        absl::StrCat(kInputs, R"(
  %0 = "stablehlo.sort"(%v) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %r = stablehlo.compare )",
                     direction,
                     R"(, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }) : (tensor<5xi32>) -> tensor<5xi32>)"));
    ASSERT_TRUE(found.ok()) << found.status();
    std::vector<int32_t> values(found->data<int32_t>().begin(),
                                found->data<int32_t>().end());
    std::sort(values.begin(), values.end());
    EXPECT_EQ(values, std::vector<int32_t>({1, 1, 3, 4, 5}));
  }
}

INSTANTIATE_TEST_SUITE_P(Ops, RegionOpsTest, testing::ValuesIn(kCases), NameOf);

}  // namespace
}  // namespace lockstep::internal
