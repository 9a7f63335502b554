// What programs are refused for; of collectives: K-9.
#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tests/programs/program_testing.h"

namespace lockstep::internal {
namespace {

// One op in the generic form, which states all types, and what its error says.
struct Invalid {
  const char* op;
  const char* error;
  int result_count = 1;
};

const Invalid kInvalid[] = {
    {"\"stablehlo.tanh\"(%i) : (tensor<i32>) -> tensor<i32>",
     "stablehlo.tanh: operand 0: expected float or complex, found tensor<i32>"},
    {"\"stablehlo.tanh\"(%a, %a) : (tensor<2x3xf32>, tensor<2x3xf32>) -> "
     "tensor<2x3xf32>",
     "expected 1 operand, found 2"},
    {"\"stablehlo.add\"(%a, %s) : (tensor<2x3xf32>, tensor<f32>) -> "
     "tensor<2x3xf32>",
     "operands 0 and 1: expected the same type, found tensor<2x3xf32> and "
     "tensor<f32>"},
    {"\"stablehlo.add\"(%a, %a) : (tensor<2x3xf32>, tensor<2x3xf32>) -> "
     "tensor<3x2xf32>",
     "result types: expected (tensor<2x3xf32>), found (tensor<3x2xf32>)"},
    {"\"stablehlo.subtract\"(%t, %t) : (tensor<i1>, tensor<i1>) -> tensor<i1>",
     "expected integer or float or complex, found tensor<i1>"},
    {"\"stablehlo.compare\"(%i, %i) {comparison_direction = "
     "#stablehlo<comparison_direction EQ>, compare_type = "
     "#stablehlo<comparison_type FLOAT>} : (tensor<i32>, tensor<i32>) -> "
     "tensor<i1>",
     "compare_type: expected SIGNED for i32, found FLOAT"},
    {"\"stablehlo.select\"(%t2, %a, %a) : (tensor<2xi1>, tensor<2x3xf32>, "
     "tensor<2x3xf32>) -> tensor<2x3xf32>",
     "pred: expected a scalar or the shape of tensor<2x3xf32>"},
    {"\"stablehlo.convert\"(%a) : (tensor<2x3xf32>) -> tensor<6xi32>",
     "result: expected the shape of tensor<2x3xf32>, found tensor<6xi32>"},
    {"\"stablehlo.reshape\"(%a) : (tensor<2x3xf32>) -> tensor<5xf32>",
     "expected 6 elements as tensor<2x3xf32>, found 5"},
    {"\"stablehlo.iota\"() {iota_dimension = 1 : i64} : () -> tensor<4xi32>",
     "iota_dimension: expected a dimension of a tensor of rank 1, found 1"},
    {"\"stablehlo.broadcast_in_dim\"(%a) {broadcast_dimensions = array<i64: 0, "
     "1>} : (tensor<2x3xf32>) -> tensor<2x4xf32>",
     "operand dim 1: expected 1 or 4 (result dim 1), found 3"},
    {"\"stablehlo.transpose\"(%a) {permutation = array<i64: 0, 0>} : "
     "(tensor<2x3xf32>) -> tensor<2x2xf32>",
     "permutation: expected distinct dimensions, found 0 twice"},
    {"\"stablehlo.slice\"(%a) {start_indices = array<i64: 0, 2>, limit_indices "
     "= array<i64: 2, 4>, strides = array<i64: 1, 1>} : (tensor<2x3xf32>) -> "
     "tensor<2x2xf32>",
     "dim 1: expected 0 <= start <= limit <= 3, found start 2, limit 4"},
    {"\"stablehlo.slice\"(%a) {start_indices = array<i64: 0, 0>, limit_indices "
     "= array<i64: 2, 3>, strides = array<i64: 1, 0>} : (tensor<2x3xf32>) -> "
     "tensor<2x3xf32>",
     "expected a stride above 0, found 0"},
    {"\"stablehlo.concatenate\"(%a, %s) {dimension = 0 : i64} : "
     "(tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>",
     "operand 1: expected the shape of tensor<2x3xf32> except for dim 0"},
    {"\"stablehlo.pad\"(%a, %i) {edge_padding_low = array<i64: 0, 0>, "
     "edge_padding_high = array<i64: 0, 0>, interior_padding = array<i64: 0, "
     "0>} : (tensor<2x3xf32>, tensor<i32>) -> tensor<2x3xf32>",
     "expected the same element type"},
    {"\"stablehlo.pad\"(%a, %s) {edge_padding_low = array<i64: 0, -4>, "
     "edge_padding_high = array<i64: 0, 0>, interior_padding = array<i64: 0, "
     "0>} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x0xf32>",
     "expected a result size of 0 or more"},
    {"\"stablehlo.dynamic_slice\"(%a, %i) {slice_sizes = array<i64: 1, 1>} : "
     "(tensor<2x3xf32>, tensor<i32>) -> tensor<1x1xf32>",
     "start_indices: expected 2 (one per dimension), found 1"},
    {"\"stablehlo.dynamic_slice\"(%a, %i, %i) {slice_sizes = array<i64: 1, 4>} "
     ": (tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>",
     "slice_sizes: expected 0 to 3 for dim 1, found 4"},
    {"\"stablehlo.dot_general\"(%a, %a) {dot_dimension_numbers = "
     "#stablehlo.dot<lhs_contracting_dimensions = [1], "
     "rhs_contracting_dimensions = [0]>} : (tensor<2x3xf32>, tensor<2x3xf32>) "
     "-> tensor<2x3xf32>",
     "contracting dims differ: lhs dim 1 is 3, rhs dim 0 is 2"},
    {"\"stablehlo.dot_general\"(%a, %a) {dot_dimension_numbers = "
     "#stablehlo.dot<lhs_contracting_dimensions = [1], "
     "rhs_contracting_dimensions = [1]>} : (tensor<2x3xf32>, tensor<2x3xf32>) "
     "-> tensor<2x3xf32>",
     "result: expected the shape tensor<2x2xf32>, found tensor<2x3xf32>"},
    {"\"stablehlo.reduce\"(%a, %s) ({\n^bb0(%x: tensor<f32>, %y: "
     "tensor<f32>):\n  stablehlo.return %x : tensor<f32>\n}) {dimensions = "
     "array<i64: 2>} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>",
     "dimensions: expected a dimension of a tensor of rank 2, found 2"},
    {"\"stablehlo.reduce\"(%a, %s) ({\n^bb0(%x: tensor<f32>, %y: "
     "tensor<f32>):\n  stablehlo.return %i : tensor<i32>\n}) {dimensions = "
     "array<i64: 1>} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>",
     "body result 0: expected a scalar that f32 can be promoted to, found "
     "tensor<i32>"},
    {"\"stablehlo.if\"(%t) ({\n  stablehlo.return %i : tensor<i32>\n}, {\n  "
     "stablehlo.return %s : tensor<f32>\n}) : (tensor<i1>) -> tensor<i32>",
     "branch 1 results: expected (tensor<i32>), found (tensor<f32>)"},
    {"\"stablehlo.while\"(%i) ({\n^bb0(%x: tensor<i32>):\n  stablehlo.return "
     "%x : tensor<i32>\n}, {\n^bb0(%x: tensor<i32>):\n  stablehlo.return %x : "
     "tensor<i32>\n}) : (tensor<i32>) -> tensor<i32>",
     "cond results: expected (tensor<i1>), found (tensor<i32>)"},
    {"\"stablehlo.all_gather\"(%a) {all_gather_dim = 0 : i64, replica_groups = "
     "dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>} : (tensor<2x3xf32>) -> "
     "tensor<4x3xf32>",
     "replica_groups: "},
    {"\"stablehlo.all_gather\"(%a) {all_gather_dim = 0 : i64, replica_groups = "
     "dense<[[0, 1, 2], [3, -1, -1]]> : tensor<2x3xi64>} : (tensor<2x3xf32>) "
     "-> tensor<4x3xf32>",
     "replica_groups: "},
    {"\"stablehlo.all_gather\"(%a) {all_gather_dim = 0 : i64, replica_groups = "
     "dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids} : "
     "(tensor<2x3xf32>) -> tensor<8x3xf32>",
     "use_global_device_ids"},
    {"\"stablehlo.all_gather\"(%a) {all_gather_dim = 0 : i64, replica_groups = "
     "dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>} : (tensor<2x3xf32>) -> "
     "tensor<8x3xf32>",
     "result types: expected (tensor<4x3xf32>), found (tensor<8x3xf32>)"},
    {"\"stablehlo.all_to_all\"(%a) {split_dimension = 0 : i64, "
     "concat_dimension = 1 : i64, split_count = 4 : i64, replica_groups = "
     "dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>} : (tensor<2x3xf32>) -> "
     "tensor<1x6xf32>",
     "split_count: expected 2 (the group's size), found 4"},
    {"\"stablehlo.collective_permute\"(%a) {source_target_pairs = dense<[[0, "
     "1], [0, 2]]> : tensor<2x2xi64>} : (tensor<2x3xf32>) -> tensor<2x3xf32>",
     "source_target_pairs: source 0 occurs twice"},
    {"\"stablehlo.collective_permute\"(%a) {source_target_pairs = dense<[[0, "
     "4]]> : tensor<1x2xi64>} : (tensor<2x3xf32>) -> tensor<2x3xf32>",
     "source_target_pairs: expected ids of 0 to 3, found 4"},
    {"\"stablehlo.gather\"(%a, %i) {dimension_numbers = "
     "#stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [0], "
     "start_index_map = [0]>, slice_sizes = array<i64: 2, 3>} : "
     "(tensor<2x3xf32>, tensor<i32>) -> tensor<3xf32>",
     "slice_sizes: expected 0 to 1 for dim 0, found 2"},
    {"\"stablehlo.gather\"(%a, %i) {dimension_numbers = "
     "#stablehlo.gather<offset_dims = [0], start_index_map = [0]>, slice_sizes "
     "= array<i64: 1, 3>} : (tensor<2x3xf32>, tensor<i32>) -> tensor<3xf32>",
     "expected 2 dimensions together (the operand's rank), found 1"},
    {"\"stablehlo.gather\"(%a, %s) {dimension_numbers = "
     "#stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [0], "
     "start_index_map = [0]>, slice_sizes = array<i64: 1, 3>} : "
     "(tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>",
     "indices: expected integers, found tensor<f32>"},
    {"\"stablehlo.gather\"(%a, %i) {dimension_numbers = "
     "#stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [0], "
     "start_index_map = [0, 1]>, slice_sizes = array<i64: 1, 3>} : "
     "(tensor<2x3xf32>, tensor<i32>) -> tensor<3xf32>",
     "start_index_map: expected 1 entries (the components of an index), found "
     "2"},
    {"\"stablehlo.scatter\"(%a, %i, %s) ({\n^bb0(%x: tensor<f32>, %y: "
     "tensor<f32>):\n  stablehlo.return %x : tensor<f32>\n}) "
     "{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = "
     "[0, 1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : "
     "(tensor<2x3xf32>, tensor<i32>, tensor<f32>) -> tensor<2x3xf32>",
     "index_vector_dim: expected 0 to 0, found 1"},
    {"\"stablehlo.scatter\"(%a, %i) ({\n^bb0(%x: tensor<f32>, %y: "
     "tensor<f32>):\n  stablehlo.return %x : tensor<f32>\n}) "
     "{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = "
     "[0, 1]>} : (tensor<2x3xf32>, tensor<i32>) -> tensor<2x3xf32>",
     "expected at least 3 operands"},
    {"\"stablehlo.reduce_window\"(%a, %s) ({\n^bb0(%x: tensor<f32>, %y: "
     "tensor<f32>):\n  stablehlo.return %x : tensor<f32>\n}) "
     "{window_dimensions = array<i64: 1>} : (tensor<2x3xf32>, tensor<f32>) -> "
     "tensor<2x3xf32>",
     "window_dimensions: expected 2 entries (one per dimension), found 1"},
    {"\"stablehlo.reduce_window\"(%a, %s) ({\n^bb0(%x: tensor<f32>, %y: "
     "tensor<f32>):\n  stablehlo.return %x : tensor<f32>\n}) "
     "{window_dimensions = array<i64: 1, 0>} : (tensor<2x3xf32>, tensor<f32>) "
     "-> tensor<2x3xf32>",
     "window_dimensions: expected 1 or more, found 0"},
    {"\"stablehlo.reduce_window\"(%a, %s) ({\n^bb0(%x: tensor<f32>, %y: "
     "tensor<f32>):\n  stablehlo.return %x : tensor<f32>\n}) "
     "{window_dimensions = array<i64: 1, 1>, base_dilations = array<i64: 1, "
     "9223372036854775807>} : (tensor<2x3xf32>, tensor<f32>) -> "
     "tensor<2x3xf32>",
     "its padded size overflows"},
    {"\"stablehlo.convolution\"(%a, %a) {dimension_numbers = "
     "#stablehlo.conv<[b, f]x[o, i]->[b, f]>} : (tensor<2x3xf32>, "
     "tensor<2x3xf32>) -> tensor<2x3xf32>",
     "result: expected the shape tensor<2x2xf32>, found tensor<2x3xf32>"},
    {"\"stablehlo.convolution\"(%a, %a) {dimension_numbers = "
     "#stablehlo.conv<[b, f]x[i, o]->[b, f]>, feature_group_count = 2 : i64} : "
     "(tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>",
     "input features: expected a multiple of feature_group_count (2), found 3"},
    {"\"stablehlo.convolution\"(%a, %a) {dimension_numbers = "
     "#stablehlo.conv<[b, b]x[i, o]->[b, f]>} : (tensor<2x3xf32>, "
     "tensor<2x3xf32>) -> tensor<2x3xf32>",
     "dimension_numbers: expected dimensions like"},
    {"\"stablehlo.sort\"(%a) ({\n^bb0(%x: tensor<f32>, %y: tensor<f32>):\n  "
     "stablehlo.return %x : tensor<f32>\n}) {dimension = 1 : i64} : "
     "(tensor<2x3xf32>) -> tensor<2x3xf32>",
     "comparator results: expected (tensor<i1>), found (tensor<f32>)"},
    {"\"stablehlo.sort\"(%a) ({\n^bb0(%x: tensor<f32>, %y: tensor<f32>):\n  "
     "stablehlo.return %t : tensor<i1>\n}) {dimension = 2 : i64} : "
     "(tensor<2x3xf32>) -> tensor<2x3xf32>",
     "dimension: expected -2 to 1, found 2"},
    {"\"stablehlo.fft\"(%a) {fft_type = #stablehlo<fft_type RFFT>, fft_length "
     "= array<i64: 4>} : (tensor<2x3xf32>) -> tensor<2x3xcomplex<f32>>",
     "to have size 4 in dim 1"},
    {"\"stablehlo.fft\"(%a) {fft_type = #stablehlo<fft_type FFT>, fft_length = "
     "array<i64: 3>} : (tensor<2x3xf32>) -> tensor<2x3xf32>",
     "operand 0: expected complex, found tensor<2x3xf32>"},
    {"\"stablehlo.cholesky\"(%a) : (tensor<2x3xf32>) -> tensor<2x3xf32>",
     "operand: expected square matrices, found tensor<2x3xf32>"},
    {"\"stablehlo.triangular_solve\"(%a, %a) {left_side = true, lower = true, "
     "unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} "
     ": (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>",
     "expected square matrices a and matrices b that fit them on the right"},
    {"\"stablehlo.rng_bit_generator\"(%a) {rng_algorithm = "
     "#stablehlo<rng_algorithm PHILOX>} : (tensor<2x3xf32>) -> tensor<2x3xf32>",
     "expected 2 results, found 1"},
    {"\"stablehlo.map\"(%a) ({\n^bb0(%x: tensor<f32>):\n  stablehlo.return %x "
     ": tensor<f32>\n}) {dimensions = array<i64: 1>} : (tensor<2x3xf32>) -> "
     "tensor<2x3xf32>",
     "dimensions: expected all 2 dimensions in order"},
    {"\"stablehlo.composite\"(%a) {name = \"x\"} : (tensor<2x3xf32>) -> "
     "tensor<2x3xf32>",
     "decomposition"},
    {"\"stablehlo.composite\"(%a) {name = \"x\", decomposition = @main} : "
     "(tensor<2x3xf32>) -> tensor<2x3xf32>",
     "expected 7 arguments and 0 results of @main, found 1 and 1"},
    {"\"stablehlo.get_tuple_element\"(%a) {index = 0 : i32} : "
     "(tensor<2x3xf32>) -> tensor<2x3xf32>",
     "expected a tuple"},
    {"\"chlo.lgamma\"(%i) : (tensor<i32>) -> tensor<i32>",
     "operand 0: expected float, found tensor<i32>"},
    {"\"stablehlo.collective_broadcast\"(%a, %i) {replica_groups = dense<[[0, "
     "1]]> : tensor<1x2xi64>, has_dynamic_root} : (tensor<2x3xf32>, "
     "tensor<i32>) -> tensor<2x3xf32>",
     "root: expected a 1-D integer tensor of 1 elements, found tensor<i32>"},
    {"\"chlo.broadcast_add\"(%a, %v) : (tensor<2x3xf32>, tensor<2xf32>) -> "
     "tensor<2x3xf32>",
     "operand 1 dim 0: expected 1 or 3, found 2"},
    {"\"chlo.broadcast_add\"(%a, %v) {broadcast_dimensions = array<i64: 2>} : "
     "(tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xf32>",
     "broadcast_dimensions: expected a dimension of a tensor of rank 2"},
    {"\"chlo.broadcast_add\"(%a, %s) : (tensor<2x3xf32>, tensor<f32>) -> "
     "tensor<3x2xf32>",
     "result: expected the dimensions 2x3, found tensor<3x2xf32>"},
    {"\"chlo.constant_like\"(%a) {value = \"x\"} : (tensor<2x3xf32>) -> "
     "tensor<2x3xf32>",
     "value: expected a number"},
    {"\"stablehlo.dot\"(%a, %s) : (tensor<2x3xf32>, tensor<f32>) -> "
     "tensor<2x3xf32>",
     "operand 1: expected a vector or a matrix, found tensor<f32>"},
    {"\"stablehlo.broadcast\"(%v) {broadcast_sizes = array<i64: 3>} : "
     "(tensor<2xf32>) -> tensor<2x3xf32>",
     "result types: expected (tensor<3x2xf32>), found (tensor<2x3xf32>)"},
    {"\"stablehlo.einsum\"(%a, %v) {einsum_config = \"ij,j->i\"} : "
     "(tensor<2x3xf32>, tensor<2xf32>) -> tensor<2xf32>",
     "operand 1 dim 0: expected 3, found 2"},
    {"\"stablehlo.einsum\"(%a, %v) {einsum_config = \"ij->i\"} : "
     "(tensor<2x3xf32>, tensor<2xf32>) -> tensor<2xf32>",
     "einsum_config: expected 2 operands and \"->\", found ij->i"},
    {"\"stablehlo.unary_einsum\"(%a) {einsum_config = \"ij->k\"} : "
     "(tensor<2x3xf32>) -> tensor<2xf32>",
     "einsum_config: no operand has k"},
    {"\"stablehlo.batch_norm_inference\"(%a, %v, %v, %v, %v) {epsilon = 0.1 : "
     "f32, feature_index = 1 : i64} : (tensor<2x3xf32>, tensor<2xf32>, "
     "tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x3xf32>",
     "operand 1: expected tensor<3xf32>, found tensor<2xf32>"},
    {"\"stablehlo.batch_norm_training\"(%a, %v, %v) {epsilon = 0.1 : f32, "
     "feature_index = 2 : i64} : (tensor<2x3xf32>, tensor<2xf32>, "
     "tensor<2xf32>) -> (tensor<2x3xf32>, tensor<2xf32>, tensor<2xf32>)",
     "feature_index: expected a dimension of a tensor of rank 2, found 2", 3},
    {"\"stablehlo.batch_norm_grad\"(%a, %v, %v, %v, %v) {epsilon = 0.1 : f32, "
     "feature_index = 0 : i64} : (tensor<2x3xf32>, tensor<2xf32>, "
     "tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2x3xf32>, "
     "tensor<2xf32>, tensor<2xf32>)",
     "operand 4: expected tensor<2x3xf32>, found tensor<2xf32>", 3},
    {"\"stablehlo.dynamic_reshape\"(%v, %a) : (tensor<2xf32>, "
     "tensor<2x3xf32>) -> tensor<2xf32>",
     "expected a vector of 1 integers, found tensor<2x3xf32>"},
    {"\"stablehlo.get_dimension_size\"(%a) {dimension = 2 : i64} : "
     "(tensor<2x3xf32>) -> tensor<i32>",
     "dimension: expected a dimension of a tensor of rank 2, found 2"},
    {"\"stablehlo.send\"(%a) {channel_handle = "
     "#stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = "
     "true} : (tensor<2x3xf32>) -> !stablehlo.token",
     "expected a token as the last operand"},
    {"\"stablehlo.recv\"(%k) {channel_handle = "
     "#stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = "
     "true} : (!stablehlo.token) -> (tensor<f32>, !stablehlo.token)",
     "channel_handle: expected type 3, found 2", 2},
    {"\"stablehlo.recv\"(%k) {channel_handle = "
     "#stablehlo.channel_handle<handle = 1, type = 3>} : (!stablehlo.token) -> "
     "(tensor<f32>, !stablehlo.token)",
     "channel_handle: expected type 1, found 3", 2},
    {"\"stablehlo.recv\"(%k) {channel_handle = "
     "#stablehlo.channel_handle<handle = 1, type = 1>} : (!stablehlo.token) -> "
     "(tensor<f32>, !stablehlo.token)",
     "source_target_pairs: expected a tensor of integers", 2},
    {"\"stablehlo.recv\"(%k) {channel_handle = "
     "#stablehlo.channel_handle<handle = 1, type = 3>, is_host_transfer = "
     "true} : (!stablehlo.token) -> tensor<f32>",
     "expected a token as the last result"},
};

TEST(VerificationTest, EveryErrorSaysWhatWasExpectedAndFound) {
  for (const Invalid& invalid : kInvalid) {
    const absl::Status status = VerifyText(absl::StrCat(
        "module attributes {mhlo.num_replicas = 4 : i32} {\n"
        "func.func @main(%a: tensor<2x3xf32>, %s: tensor<f32>, %i: "
        "tensor<i32>, %t: tensor<i1>, %t2: tensor<2xi1>, %v: tensor<2xf32>, "
        "%k: !stablehlo.token) {\n  ",
        invalid.result_count == 1
            ? "%0 = "
            : absl::StrCat("%0:", invalid.result_count, " = "),
        invalid.op, "\n  return\n}\n}\n"));
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument)
        << invalid.op << "\n"
        << status;
    EXPECT_NE(status.message().find(invalid.error), std::string::npos)
        << invalid.op << "\n"
        << status << "\nshould contain: " << invalid.error;
    EXPECT_EQ(status.message().find("t.mlir:3:"), 0u) << status;
  }
}

TEST(VerificationTest, SmallFloatsAreFloats) {
  EXPECT_TRUE(VerifyText("func.func @main(%a: tensor<2xf8E4M3FN>) {\n"
                         "  %0 = stablehlo.add %a, %a : tensor<2xf8E4M3FN>\n"
                         "  %1 = stablehlo.compare LT, %a, %0, TOTALORDER : "
                         "(tensor<2xf8E4M3FN>, tensor<2xf8E4M3FN>) -> "
                         "tensor<2xi1>\n  return\n}\n")
                  .ok());
  const absl::Status status = VerifyText(
      "func.func @main(%a: tensor<2xf8E4M3FN>) {\n  %0 = stablehlo.and %a, %a "
      ": tensor<2xf8E4M3FN>\n  return\n}\n");
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_NE(status.message().find("found tensor<2xf8E4M3FN>"),
            absl::string_view::npos)
      << status;
}

TEST(VerificationTest, CallbacksOfPythonAreRefusedWithWhatToDoInstead) {
  for (const char* target :
       {"xla_python_cpu_callback", "xla_ffi_python_cpu_callback",
        "xla_ffi_partitioned_python_cpu_callback",
        "xla_ffi_python_gpu_callback"}) {
    const absl::Status status = VerifyText(absl::StrCat(
        "func.func @main(%a: tensor<2xf32>) {\n  %0 = stablehlo.custom_call @",
        target, "(%a) : (tensor<2xf32>) -> tensor<2xf32>\n  return\n}\n"));
    EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
    EXPECT_EQ(status.message().find(absl::StrCat(
                  "t.mlir:2:8: stablehlo.custom_call: no target @", target,
                  ": it calls a function of the Python process")),
              0u)
        << status;
    EXPECT_NE(status.message().find("io_callback"), absl::string_view::npos);
  }
}

TEST(VerificationTest, ACompositeMustNotCallItself) {
  const absl::Status status = VerifyText(
      "func.func @main(%a: tensor<f32>) -> tensor<f32> {\n  %0 = "
      "stablehlo.composite \"x\" %a {decomposition = @main} : (tensor<f32>) "
      "-> tensor<f32>\n  return %0 : tensor<f32>\n}\n");
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
}

}  // namespace
}  // namespace lockstep::internal
