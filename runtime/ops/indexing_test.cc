#include "gtest/gtest.h"
#include "runtime/ops/body_case_testing.h"

namespace lockstep::internal {
namespace {

constexpr absl::string_view kInputs = R"(
  %m = stablehlo.constant dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xi32>
  %v = stablehlo.constant dense<[100, 200, 300, 400]> : tensor<4xi32>
)";

class IndexingTest : public testing::TestWithParam<BodyCase> {};

TEST_P(IndexingTest, GivesTheseElements) {
  ExpectElements(kInputs, GetParam());
}

const BodyCase kCases[] = {
    {"GatherOfRows",
     R"(%i = stablehlo.constant dense<[2, 0]> : tensor<2xi32>
%0 = "stablehlo.gather"(%m, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<3x4xi32>, tensor<2xi32>) -> tensor<2x4xi32>)",
     "tensor<2x4xi32>", "[[8, 9, 10, 11], [0, 1, 2, 3]]"},
    {"GatherClampsTheStartSoThatTheWindowFits",
     R"(%i = stablehlo.constant dense<[[9, -5], [1, 3]]> : tensor<2x2xi64>
%0 = "stablehlo.gather"(%m, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 2, 2>}> : (tensor<3x4xi32>, tensor<2x2xi64>) -> tensor<2x2x2xi32>)",
     "tensor<2x2x2xi32>", "[[[4, 5], [8, 9]], [[6, 7], [10, 11]]]"},
    {"GatherWithIndicesAlongTheFirstDim",
     R"(%i = stablehlo.constant dense<[[0, 1, 2], [3, 2, 1]]> : tensor<2x3xui8>
%0 = "stablehlo.gather"(%m, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1]>, slice_sizes = array<i64: 1, 1>}> : (tensor<3x4xi32>, tensor<2x3xui8>) -> tensor<3xi32>)",
     "tensor<3xi32>", "[3, 6, 9]"},
    {"GatherWithALargeUnsignedIndexClampsHigh",
     R"(%i = stablehlo.constant dense<18446744073709551615> : tensor<1xui64>
%0 = "stablehlo.gather"(%m, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [0]>, slice_sizes = array<i64: 1, 4>}> : (tensor<3x4xi32>, tensor<1xui64>) -> tensor<4xi32>)",
     "tensor<4xi32>", "[8, 9, 10, 11]"},
    {"GatherWithBatchingDims",
     R"(%i = stablehlo.constant dense<[[1], [3], [0]]> : tensor<3x1xi32>
%0 = "stablehlo.gather"(%m, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<3x4xi32>, tensor<3x1xi32>) -> tensor<3xi32>)",
     "tensor<3xi32>", "[1, 7, 8]"},
    {"GatherPutsOffsetDimsWhereTheyAreNamed",
     R"(%i = stablehlo.constant dense<[2, 0]> : tensor<2xi32>
%0 = "stablehlo.gather"(%m, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<3x4xi32>, tensor<2xi32>) -> tensor<4x2xi32>)",
     "tensor<4x2xi32>", "[[8, 0], [9, 1], [10, 2], [11, 3]]"},
    {"GatherOfSmallFloatsMovesBits",
     R"(%f = stablehlo.constant dense<[1.0, 2.0, 0x7F]> : tensor<3xf8E4M3FN>
%i = stablehlo.constant dense<[[2], [1]]> : tensor<2x1xi32>
%0 = "stablehlo.gather"(%f, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}> : (tensor<3xf8E4M3FN>, tensor<2x1xi32>) -> tensor<2xf8E4M3FN>)",
     "tensor<2xf8E4M3FN>", "[0x7F, 2.0]"},
    {"ScatterAddsRepeatedIndices",
     R"(%i = stablehlo.constant dense<[[1], [1], [3]]> : tensor<3x1xi32>
%u = stablehlo.constant dense<[10, 20, 30]> : tensor<3xi32>
%0 = "stablehlo.scatter"(%v, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
     ^bb0(%x: tensor<i32>, %y: tensor<i32>):
       %z = stablehlo.add %x, %y : tensor<i32>
       stablehlo.return %z : tensor<i32>
     }) : (tensor<4xi32>, tensor<3x1xi32>, tensor<3xi32>) -> tensor<4xi32>)",
     "tensor<4xi32>", "[100, 230, 300, 430]"},
    {"ScatterKeepsTheOrderOfTheUpdates",
     R"(%i = stablehlo.constant dense<[[1], [1], [1]]> : tensor<3x1xi32>
%u = stablehlo.constant dense<[10, 20, 30]> : tensor<3xi32>
%0 = "stablehlo.scatter"(%v, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
     ^bb0(%x: tensor<i32>, %y: tensor<i32>):
       %z = stablehlo.subtract %y, %x : tensor<i32>
       stablehlo.return %z : tensor<i32>
     }) : (tensor<4xi32>, tensor<3x1xi32>, tensor<3xi32>) -> tensor<4xi32>)",
     "tensor<4xi32>", "[100, -180, 300, 400]"},
    {"ScatterSetsTheLastOne",
     R"(%i = stablehlo.constant dense<[[2], [0], [2]]> : tensor<3x1xi32>
%u = stablehlo.constant dense<[10, 20, 30]> : tensor<3xi32>
%0 = "stablehlo.scatter"(%v, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
     ^bb0(%x: tensor<i32>, %y: tensor<i32>):
       stablehlo.return %y : tensor<i32>
     }) : (tensor<4xi32>, tensor<3x1xi32>, tensor<3xi32>) -> tensor<4xi32>)",
     "tensor<4xi32>", "[20, 200, 30, 400]"},
    {"ScatterDropsWhatIsOutside",
     R"(%i = stablehlo.constant dense<[[-1], [4], [0]]> : tensor<3x1xi32>
%u = stablehlo.constant dense<[10, 20, 30]> : tensor<3xi32>
%0 = "stablehlo.scatter"(%v, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
     ^bb0(%x: tensor<i32>, %y: tensor<i32>):
       %z = stablehlo.add %x, %y : tensor<i32>
       stablehlo.return %z : tensor<i32>
     }) : (tensor<4xi32>, tensor<3x1xi32>, tensor<3xi32>) -> tensor<4xi32>)",
     "tensor<4xi32>", "[130, 200, 300, 400]"},
    {"ScatterKeepsThePartOfAWindowThatIsInside",
     R"(%i = stablehlo.constant dense<[3]> : tensor<1xi32>
%u = stablehlo.constant dense<[[10, 20]]> : tensor<1x2xi32>
%0 = "stablehlo.scatter"(%v, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
     ^bb0(%x: tensor<i32>, %y: tensor<i32>):
       %z = stablehlo.add %x, %y : tensor<i32>
       stablehlo.return %z : tensor<i32>
     }) : (tensor<4xi32>, tensor<1xi32>, tensor<1x2xi32>) -> tensor<4xi32>)",
     "tensor<4xi32>", "[100, 200, 300, 410]"},
    {"ScatterOfRows",
     R"(%i = stablehlo.constant dense<[[2], [0]]> : tensor<2x1xi32>
%u = stablehlo.constant dense<[[1, 1, 1, 1], [2, 2, 2, 2]]> : tensor<2x4xi32>
%0 = "stablehlo.scatter"(%m, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
     ^bb0(%x: tensor<i32>, %y: tensor<i32>):
       %z = stablehlo.add %x, %y : tensor<i32>
       stablehlo.return %z : tensor<i32>
     }) : (tensor<3x4xi32>, tensor<2x1xi32>, tensor<2x4xi32>) -> tensor<3x4xi32>)",
     "tensor<3x4xi32>", "[[2, 3, 4, 5], [4, 5, 6, 7], [9, 10, 11, 12]]"},
    {"ScatterWithBatchingDims",
     R"(%i = stablehlo.constant dense<[[1], [3], [0]]> : tensor<3x1xi32>
%u = stablehlo.constant dense<[10, 20, 30]> : tensor<3xi32>
%0 = "stablehlo.scatter"(%m, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>}> ({
     ^bb0(%x: tensor<i32>, %y: tensor<i32>):
       %z = stablehlo.add %x, %y : tensor<i32>
       stablehlo.return %z : tensor<i32>
     }) : (tensor<3x4xi32>, tensor<3x1xi32>, tensor<3xi32>) -> tensor<3x4xi32>)",
     "tensor<3x4xi32>", "[[0, 11, 2, 3], [4, 5, 6, 27], [38, 9, 10, 11]]"},
    {"ScatterOfNoUpdatesGivesTheInput",
     R"(%i = stablehlo.constant dense<> : tensor<0x1xi32>
%u = stablehlo.constant dense<> : tensor<0xi32>
%0 = "stablehlo.scatter"(%v, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
     ^bb0(%x: tensor<i32>, %y: tensor<i32>):
       %z = stablehlo.add %x, %y : tensor<i32>
       stablehlo.return %z : tensor<i32>
     }) : (tensor<4xi32>, tensor<0x1xi32>, tensor<0xi32>) -> tensor<4xi32>)",
     "tensor<4xi32>", "[100, 200, 300, 400]"},
    {"ScatterIntoAWiderType",
     R"(%w = stablehlo.constant dense<[100, 120]> : tensor<2xi8>
%i = stablehlo.constant dense<[[1], [1], [0]]> : tensor<3x1xi32>
%u = stablehlo.constant dense<[100, 100, 1]> : tensor<3xi8>
%0 = "stablehlo.scatter"(%w, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
     ^bb0(%x: tensor<i32>, %y: tensor<i32>):
       %z = stablehlo.add %x, %y : tensor<i32>
       stablehlo.return %z : tensor<i32>
     }) : (tensor<2xi8>, tensor<3x1xi32>, tensor<3xi8>) -> tensor<2xi32>)",
     "tensor<2xi32>", "[101, 320]"},
    {"ScatterWithABodyThatUsesOuterValues",
     R"(%i = stablehlo.constant dense<[[1], [1], [3]]> : tensor<3x1xi32>
%u = stablehlo.constant dense<[10, 20, 30]> : tensor<3xi32>
%c = stablehlo.constant dense<7> : tensor<i32>
%0 = "stablehlo.scatter"(%v, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
     ^bb0(%x: tensor<i32>, %y: tensor<i32>):
       %z = stablehlo.add %x, %c : tensor<i32>
       stablehlo.return %z : tensor<i32>
     }) : (tensor<4xi32>, tensor<3x1xi32>, tensor<3xi32>) -> tensor<4xi32>)",
     "tensor<4xi32>", "[100, 214, 300, 407]"},
    {"ScatterOfSeveralInputs",
     R"(%i = stablehlo.constant dense<[[1], [1], [3]]> : tensor<3x1xi32>
%u = stablehlo.constant dense<[10, 20, 30]> : tensor<3xi32>
%p:2 = "stablehlo.scatter"(%v, %v, %i, %u, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
     ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<i32>, %d: tensor<i32>):
       %z = stablehlo.add %a, %d : tensor<i32>
       stablehlo.return %z, %a : tensor<i32>, tensor<i32>
     }) : (tensor<4xi32>, tensor<4xi32>, tensor<3x1xi32>, tensor<3xi32>, tensor<3xi32>) -> (tensor<4xi32>, tensor<4xi32>)
     %0 = stablehlo.concatenate %p#0, %p#1, dim = 0 : (tensor<4xi32>, tensor<4xi32>) -> tensor<8xi32>)",
     "tensor<8xi32>", "[100, 230, 300, 430, 100, 210, 300, 400]"},
    {"ScatterAddsOf_f32",
     R"(%w = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
%i = stablehlo.constant dense<[[1], [1], [0]]> : tensor<3x1xi32>
%u = stablehlo.constant dense<[0.5, 0.25, 4.0]> : tensor<3xf32>
%0 = "stablehlo.scatter"(%w, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
     ^bb0(%x: tensor<f32>, %y: tensor<f32>):
       %z = stablehlo.add %x, %y : tensor<f32>
       stablehlo.return %z : tensor<f32>
     }) : (tensor<2xf32>, tensor<3x1xi32>, tensor<3xf32>) -> tensor<2xf32>)",
     "tensor<2xf32>", "[5.0, 2.75]"},
    {"ScatterAddsOf_bf16",
     R"(%w = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xbf16>
%i = stablehlo.constant dense<[[1], [1], [0]]> : tensor<3x1xi32>
%u = stablehlo.constant dense<[0.5, 0.25, 4.0]> : tensor<3xbf16>
%0 = "stablehlo.scatter"(%w, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
     ^bb0(%x: tensor<bf16>, %y: tensor<bf16>):
       %z = stablehlo.add %x, %y : tensor<bf16>
       stablehlo.return %z : tensor<bf16>
     }) : (tensor<2xbf16>, tensor<3x1xi32>, tensor<3xbf16>) -> tensor<2xbf16>)",
     "tensor<2xbf16>", "[5.0, 2.75]"},
    {"ScatterAddsOf_f16",
     R"(%w = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf16>
%i = stablehlo.constant dense<[[1], [1], [0]]> : tensor<3x1xi32>
%u = stablehlo.constant dense<[0.5, 0.25, 4.0]> : tensor<3xf16>
%0 = "stablehlo.scatter"(%w, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
     ^bb0(%x: tensor<f16>, %y: tensor<f16>):
       %z = stablehlo.add %x, %y : tensor<f16>
       stablehlo.return %z : tensor<f16>
     }) : (tensor<2xf16>, tensor<3x1xi32>, tensor<3xf16>) -> tensor<2xf16>)",
     "tensor<2xf16>", "[5.0, 2.75]"},
    {"ScatterAddsOf_f64",
     R"(%w = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf64>
%i = stablehlo.constant dense<[[1], [1], [0]]> : tensor<3x1xi32>
%u = stablehlo.constant dense<[0.5, 0.25, 4.0]> : tensor<3xf64>
%0 = "stablehlo.scatter"(%w, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
     ^bb0(%x: tensor<f64>, %y: tensor<f64>):
       %z = stablehlo.add %x, %y : tensor<f64>
       stablehlo.return %z : tensor<f64>
     }) : (tensor<2xf64>, tensor<3x1xi32>, tensor<3xf64>) -> tensor<2xf64>)",
     "tensor<2xf64>", "[5.0, 2.75]"},
    {"ScatterAddsOf_complexf32",
     R"(%w = stablehlo.constant dense<[(1.0,1.0), (2.0,0.0)]> : tensor<2xcomplex<f32>>
%i = stablehlo.constant dense<[[1], [1], [0]]> : tensor<3x1xi32>
%u = stablehlo.constant dense<[(0.0,1.0), (1.0,1.0), (3.0,0.0)]> : tensor<3xcomplex<f32>>
%0 = "stablehlo.scatter"(%w, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
     ^bb0(%x: tensor<complex<f32>>, %y: tensor<complex<f32>>):
       %z = stablehlo.add %x, %y : tensor<complex<f32>>
       stablehlo.return %z : tensor<complex<f32>>
     }) : (tensor<2xcomplex<f32>>, tensor<3x1xi32>, tensor<3xcomplex<f32>>) -> tensor<2xcomplex<f32>>)",
     "tensor<2xcomplex<f32>>", "[(4.0,1.0), (3.0,2.0)]"},
    {"ScatterAddsOf_i1",
     R"(%w = stablehlo.constant dense<[false, false]> : tensor<2xi1>
%i = stablehlo.constant dense<[[1], [1], [0]]> : tensor<3x1xi32>
%u = stablehlo.constant dense<[true, false, false]> : tensor<3xi1>
%0 = "stablehlo.scatter"(%w, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
     ^bb0(%x: tensor<i1>, %y: tensor<i1>):
       %z = stablehlo.add %x, %y : tensor<i1>
       stablehlo.return %z : tensor<i1>
     }) : (tensor<2xi1>, tensor<3x1xi32>, tensor<3xi1>) -> tensor<2xi1>)",
     "tensor<2xi1>", "[false, true]"},
    {"ScatterAddsOf_i4",
     R"(%w = stablehlo.constant dense<[7, 1]> : tensor<2xi4>
%i = stablehlo.constant dense<[[1], [1], [0]]> : tensor<3x1xi32>
%u = stablehlo.constant dense<[1, 1, 1]> : tensor<3xi4>
%0 = "stablehlo.scatter"(%w, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
     ^bb0(%x: tensor<i4>, %y: tensor<i4>):
       %z = stablehlo.add %x, %y : tensor<i4>
       stablehlo.return %z : tensor<i4>
     }) : (tensor<2xi4>, tensor<3x1xi32>, tensor<3xi4>) -> tensor<2xi4>)",
     "tensor<2xi4>", "[-8, 3]"},
    {"ScatterAddsOf_ui64",
     R"(%w = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
%i = stablehlo.constant dense<[[1], [1], [0]]> : tensor<3x1xi32>
%u = stablehlo.constant dense<[1, 1, 1]> : tensor<3xui64>
%0 = "stablehlo.scatter"(%w, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
     ^bb0(%x: tensor<ui64>, %y: tensor<ui64>):
       %z = stablehlo.add %x, %y : tensor<ui64>
       stablehlo.return %z : tensor<ui64>
     }) : (tensor<2xui64>, tensor<3x1xi32>, tensor<3xui64>) -> tensor<2xui64>)",
     "tensor<2xui64>", "[2, 4]"},
};
INSTANTIATE_TEST_SUITE_P(Ops, IndexingTest, testing::ValuesIn(kCases), NameOf);

}  // namespace
}  // namespace lockstep::internal
