// Small programs with sizes and numbers beyond all reason: each is refused with
// a place, and takes no memory to speak of.
#include <sys/resource.h>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/backends/backend_registry.h"
#include "runtime/frontend/parser.h"
#include "runtime/interpreter/interpreter.h"
#include "tests/robustness/hostile_text.h"

namespace lockstep::internal {
namespace {

using ::testing::HasSubstr;

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
const int kLimited = [] {
  const struct rlimit limit = {rlim_t{2} << 30, rlim_t{2} << 30};
  return setrlimit(RLIMIT_AS, &limit);
}();
#endif

// Whatever it is, a program that verifies runs to a status.
absl::Status RunText(absl::string_view text) {
  auto module = ParseAndVerify(text, "t");
  if (!module.ok()) return module.status();
  const auto compiled =
      (*FindBackend("interpreter"))
          ->Compile(*std::move(module), DeviceAssignment::Iota(1, 1), {});
  if (!compiled.ok()) return compiled.status();
  return Evaluate(**ParseAndVerify(text, "t"), {}).status();
}

std::string Main(absl::string_view body) {
  return absl::StrCat("func.func @main() {\n", body, "\nreturn\n}\n");
}

TEST(AbsurdPrograms, SplatsBeyondAllMemoryAreErrors) {
  for (const char* type :
       {"tensor<4611686018427387904xi8>", "tensor<1000000000000xf32>",
        "tensor<2147483648x1073741824xi1>"}) {
    EXPECT_EQ(
        RunText(Main(absl::StrCat("%0 = stablehlo.constant dense<",
                                  absl::StrContains(type, "f32") ? "1.0" : "1",
                                  "> : ", type)))
            .code(),
        absl::StatusCode::kResourceExhausted)
        << type;
  }
}

TEST(AbsurdPrograms, ShapesThatOverflowAreRefused) {
  for (const char* type :
       {"tensor<4611686018427387904x4xf32>", "tensor<9223372036854775807xf64>",
        "tensor<9223372036854775808xi8>",
        "tensor<0x4611686018427387904x4611686018427387904xf32>",
        "tensor<99999999999999999999999999xi1>"}) {
    const absl::Status status =
        RunText(Main(absl::StrCat("%0 = stablehlo.iota dim = 0 : ", type)));
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << type;
    EXPECT_THAT(status.message(), HasSubstr("t:2:"));
  }
}

// A program per place where an integer stands, marked by N, with a number that
// is right there.
struct MarkedProgram {
  const char* right;
  const char* text;
};
constexpr MarkedProgram kPrograms[] = {
    {"0", "%1 = stablehlo.iota dim = N : tensor<4xi32>"},
    {"1",
     "%1 = stablehlo.broadcast_in_dim %v, dims = [N] : (tensor<4xi32>) -> "
     "tensor<4x4xi32>"},
    {"2", "%1 = stablehlo.slice %v [N:4:1] : (tensor<4xi32>) -> tensor<2xi32>"},
    {"2", "%1 = stablehlo.slice %v [0:N:1] : (tensor<4xi32>) -> tensor<2xi32>"},
    {"2", "%1 = stablehlo.slice %v [0:4:N] : (tensor<4xi32>) -> tensor<2xi32>"},
    {"1",
     "%1 = stablehlo.pad %v, %s, low = [N], high = [0], interior = [0] : "
     "(tensor<4xi32>, tensor<i32>) -> tensor<5xi32>"},
    {"1",
     "%1 = stablehlo.pad %v, %s, low = [0], high = [N], interior = [0] : "
     "(tensor<4xi32>, tensor<i32>) -> tensor<5xi32>"},
    {"1",
     "%1 = stablehlo.pad %v, %s, low = [0], high = [0], interior = [N] : "
     "(tensor<4xi32>, tensor<i32>) -> tensor<7xi32>"},
    {"1",
     "%1 = stablehlo.pad %v, %s, low = [N], high = [-1], interior = [N] : "
     "(tensor<4xi32>, tensor<i32>) -> tensor<7xi32>"},
    {"0",
     "%1 = stablehlo.concatenate %v, %v, dim = N : (tensor<4xi32>, "
     "tensor<4xi32>) -> tensor<8xi32>"},
    {"1",
     "%1 = stablehlo.transpose %m, dims = [N, 0] : (tensor<2x3xi32>) -> "
     "tensor<3x2xi32>"},
    {"0", "%1 = stablehlo.reverse %v, dims = [N] : tensor<4xi32>"},
    {"1",
     "%1 = stablehlo.reduce(%m init: %s) applies stablehlo.add across "
     "dimensions = [N] : (tensor<2x3xi32>, tensor<i32>) -> tensor<2xi32>"},
    {"2",
     "%1 = stablehlo.dynamic_slice %v, %s, sizes = [N] : (tensor<4xi32>, "
     "tensor<i32>) -> tensor<2xi32>"},
    {"1",
     "%1 = stablehlo.dot_general %m, %m, contracting_dims = [N] x [1] : "
     "(tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x2xi32>"},
    {"0",
     "%1 = stablehlo.dot_general %m, %m, batching_dims = [0] x [N], "
     "contracting_dims = [1] x [1] : (tensor<2x3xi32>, tensor<2x3xi32>) -> "
     "tensor<2xi32>"},
    {"5", "%1 = stablehlo.reduce_precision %f, format = eNm7 : tensor<4xf32>"},
    {"7", "%1 = stablehlo.reduce_precision %f, format = e5mN : tensor<4xf32>"},
    {"0",
     "%1 = \"stablehlo.sort\"(%v) <{dimension = N : i64}> ({\n^bb0(%a: "
     "tensor<i32>, %b: tensor<i32>):\n%c = stablehlo.compare LT, %a, %b : "
     "(tensor<i32>, tensor<i32>) -> tensor<i1>\nstablehlo.return %c : "
     "tensor<i1>\n}) : (tensor<4xi32>) -> tensor<4xi32>"},
    {"1",
     "%1 = \"stablehlo.reduce_window\"(%v, %s) <{window_dimensions = "
     "array<i64: N>}> ({REDUCER}) : (tensor<4xi32>, tensor<i32>) -> "
     "tensor<4xi32>"},
    {"1",
     "%1 = \"stablehlo.reduce_window\"(%v, %s) <{window_dimensions = "
     "array<i64: 2>, window_strides = array<i64: N>}> ({REDUCER}) : "
     "(tensor<4xi32>, tensor<i32>) -> tensor<3xi32>"},
    {"1",
     "%1 = \"stablehlo.reduce_window\"(%v, %s) <{window_dimensions = "
     "array<i64: 2>, window_dilations = array<i64: N>}> ({REDUCER}) : "
     "(tensor<4xi32>, tensor<i32>) -> tensor<3xi32>"},
    {"1",
     "%1 = \"stablehlo.reduce_window\"(%v, %s) <{window_dimensions = "
     "array<i64: 2>, base_dilations = array<i64: N>}> ({REDUCER}) : "
     "(tensor<4xi32>, tensor<i32>) -> tensor<3xi32>"},
    {"1",
     "%1 = \"stablehlo.reduce_window\"(%v, %s) <{window_dimensions = "
     "array<i64: N>, base_dilations = array<i64: N>, window_dilations = "
     "array<i64: N>, window_strides = array<i64: N>}> ({REDUCER}) : "
     "(tensor<4xi32>, tensor<i32>) -> tensor<4xi32>"},
    {"0",
     "%1 = \"stablehlo.reduce_window\"(%v, %s) <{window_dimensions = "
     "array<i64: 2>, padding = dense<[[N, 0]]> : tensor<1x2xi64>}> ({REDUCER}) "
     ": (tensor<4xi32>, tensor<i32>) -> tensor<3xi32>"},
    {"0",
     "%1 = \"stablehlo.reduce_window\"(%v, %s) <{window_dimensions = "
     "array<i64: 2>, padding = dense<N> : tensor<1x2xi64>}> ({REDUCER}) : "
     "(tensor<4xi32>, tensor<i32>) -> tensor<3xi32>"},
    {"1",
     "%1 = \"stablehlo.select_and_scatter\"(%v, %v, %s) <{window_dimensions = "
     "array<i64: N>, window_strides = array<i64: 1>}> ({\n^bb0(%a: "
     "tensor<i32>, %b: tensor<i32>):\n%c = stablehlo.compare GE, %a, %b : "
     "(tensor<i32>, tensor<i32>) -> tensor<i1>\nstablehlo.return %c : "
     "tensor<i1>\n}, {REDUCER}) : (tensor<4xi32>, tensor<4xi32>, tensor<i32>) "
     "-> tensor<4xi32>"},
    {"1",
     "%1 = \"stablehlo.select_and_scatter\"(%v, %v, %s) <{window_dimensions = "
     "array<i64: 1>, window_strides = array<i64: N>}> ({\n^bb0(%a: "
     "tensor<i32>, %b: tensor<i32>):\n%c = stablehlo.compare GE, %a, %b : "
     "(tensor<i32>, tensor<i32>) -> tensor<i1>\nstablehlo.return %c : "
     "tensor<i1>\n}, {REDUCER}) : (tensor<4xi32>, tensor<4xi32>, tensor<i32>) "
     "-> tensor<4xi32>"},
    {"1",
     "%1 = \"stablehlo.gather\"(%v, %j) <{dimension_numbers = "
     "#stablehlo.gather<offset_dims = [N], start_index_map = [0], "
     "index_vector_dim = 1>, slice_sizes = array<i64: 1>}> : (tensor<4xi32>, "
     "tensor<2x1xi32>) -> tensor<2x1xi32>"},
    {"0",
     "%1 = \"stablehlo.gather\"(%v, %j) <{dimension_numbers = "
     "#stablehlo.gather<offset_dims = [1], start_index_map = [N], "
     "index_vector_dim = 1>, slice_sizes = array<i64: 1>}> : (tensor<4xi32>, "
     "tensor<2x1xi32>) -> tensor<2x1xi32>"},
    {"1",
     "%1 = \"stablehlo.gather\"(%v, %j) <{dimension_numbers = "
     "#stablehlo.gather<offset_dims = [1], start_index_map = [0], "
     "index_vector_dim = N>, slice_sizes = array<i64: 1>}> : (tensor<4xi32>, "
     "tensor<2x1xi32>) -> tensor<2x1xi32>"},
    {"1",
     "%1 = \"stablehlo.gather\"(%v, %j) <{dimension_numbers = "
     "#stablehlo.gather<offset_dims = [1], start_index_map = [0], "
     "index_vector_dim = 1>, slice_sizes = array<i64: N>}> : (tensor<4xi32>, "
     "tensor<2x1xi32>) -> tensor<2x1xi32>"},
    {"1",
     "%1 = \"stablehlo.scatter\"(%v, %j, %j) <{scatter_dimension_numbers = "
     "#stablehlo.scatter<update_window_dims = [N], inserted_window_dims = [], "
     "scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({REDUCER}) "
     ": (tensor<4xi32>, tensor<2x1xi32>, tensor<2x1xi32>) -> tensor<4xi32>"},
    {"0",
     "%1 = \"stablehlo.scatter\"(%v, %j, %u) <{scatter_dimension_numbers = "
     "#stablehlo.scatter<update_window_dims = [], inserted_window_dims = [N], "
     "scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({REDUCER}) "
     ": (tensor<4xi32>, tensor<2x1xi32>, tensor<2xi32>) -> tensor<4xi32>"},
    {"0",
     "%1 = \"stablehlo.scatter\"(%v, %j, %u) <{scatter_dimension_numbers = "
     "#stablehlo.scatter<update_window_dims = [], inserted_window_dims = [0], "
     "scatter_dims_to_operand_dims = [N], index_vector_dim = 1>}> ({REDUCER}) "
     ": (tensor<4xi32>, tensor<2x1xi32>, tensor<2xi32>) -> tensor<4xi32>"},
    {"1",
     "%1 = \"stablehlo.scatter\"(%v, %j, %u) <{scatter_dimension_numbers = "
     "#stablehlo.scatter<update_window_dims = [], inserted_window_dims = [0], "
     "scatter_dims_to_operand_dims = [0], index_vector_dim = N>}> ({REDUCER}) "
     ": (tensor<4xi32>, tensor<2x1xi32>, tensor<2xi32>) -> tensor<4xi32>"},
    {"1",
     "%1 = stablehlo.convolution(%i, %k) dim_numbers = [b, 0, f]x[0, i, "
     "o]->[b, 0, f], window = {stride = [N]} {batch_group_count = 1 : i64, "
     "feature_group_count = 1 : i64} : (tensor<1x4x1xf32>, tensor<2x1x1xf32>) "
     "-> tensor<1x3x1xf32>"},
    {"0",
     "%1 = stablehlo.convolution(%i, %k) dim_numbers = [b, 0, f]x[0, i, "
     "o]->[b, 0, f], window = {pad = [[N, N]]} {batch_group_count = 1 : i64, "
     "feature_group_count = 1 : i64} : (tensor<1x4x1xf32>, tensor<2x1x1xf32>) "
     "-> tensor<1x3x1xf32>"},
    {"0",
     "%1 = stablehlo.convolution(%i, %k) dim_numbers = [b, 0, f]x[0, i, "
     "o]->[b, 0, f], window = {pad = [[N, 0]], lhs_dilate = [1]} "
     "{batch_group_count = 1 : i64, feature_group_count = 1 : i64} : "
     "(tensor<1x4x1xf32>, tensor<2x1x1xf32>) -> tensor<1x3x1xf32>"},
    {"1",
     "%1 = stablehlo.convolution(%i, %k) dim_numbers = [b, 0, f]x[0, i, "
     "o]->[b, 0, f], window = {lhs_dilate = [N], rhs_dilate = [N]} "
     "{batch_group_count = 1 : i64, feature_group_count = 1 : i64} : "
     "(tensor<1x4x1xf32>, tensor<2x1x1xf32>) -> tensor<1x3x1xf32>"},
    {"1",
     "%1 = stablehlo.convolution(%i, %k) dim_numbers = [b, 0, f]x[0, i, "
     "o]->[b, 0, f], window = {lhs_dilate = [N]} {batch_group_count = 1 : i64, "
     "feature_group_count = 1 : i64} : (tensor<1x4x1xf32>, tensor<2x1x1xf32>) "
     "-> tensor<1x3x1xf32>"},
    {"1",
     "%1 = stablehlo.convolution(%i, %k) dim_numbers = [b, 0, f]x[0, i, "
     "o]->[b, 0, f], window = {rhs_dilate = [N]} {batch_group_count = 1 : i64, "
     "feature_group_count = 1 : i64} : (tensor<1x4x1xf32>, tensor<2x1x1xf32>) "
     "-> tensor<1x3x1xf32>"},
    {"1",
     "%1 = stablehlo.convolution(%i, %k) dim_numbers = [b, 0, f]x[0, i, "
     "o]->[b, 0, f], window = {} {batch_group_count = N : i64, "
     "feature_group_count = 1 : i64} : (tensor<1x4x1xf32>, tensor<2x1x1xf32>) "
     "-> tensor<1x3x1xf32>"},
    {"1",
     "%1 = stablehlo.convolution(%i, %k) dim_numbers = [b, 0, f]x[0, i, "
     "o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, "
     "feature_group_count = N : i64} : (tensor<1x4x1xf32>, tensor<2x1x1xf32>) "
     "-> tensor<1x3x1xf32>"},
    {"4",
     "%1 = stablehlo.fft %q, type = FFT, length = [N] : "
     "(tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>"},
    {"4",
     "%1 = stablehlo.fft %f, type = RFFT, length = [N] : (tensor<4xf32>) -> "
     "tensor<3xcomplex<f32>>"},
    {"6",
     "%1 = stablehlo.fft %q, type = IRFFT, length = [N] : "
     "(tensor<4xcomplex<f32>>) -> tensor<6xf32>"},
    {"0",
     "%1 = \"stablehlo.all_gather\"(%v) <{all_gather_dim = N : i64, "
     "replica_groups = dense<0> : tensor<1x1xi64>}> : (tensor<4xi32>) -> "
     "tensor<4xi32>"},
    {"0",
     "%1 = \"stablehlo.all_gather\"(%v) <{all_gather_dim = 0 : i64, "
     "replica_groups = dense<N> : tensor<1x1xi64>}> : (tensor<4xi32>) -> "
     "tensor<4xi32>"},
    {"1",
     "%1 = \"stablehlo.all_gather\"(%v) <{all_gather_dim = 0 : i64, "
     "replica_groups = dense<0> : tensor<NxNxi64>}> : (tensor<4xi32>) -> "
     "tensor<4xi32>"},
    {"0",
     "%1 = \"stablehlo.all_to_all\"(%v) <{split_dimension = N : i64, "
     "concat_dimension = N : i64, split_count = 1 : i64, replica_groups = "
     "dense<0> : tensor<1x1xi64>}> : (tensor<4xi32>) -> tensor<4xi32>"},
    {"1",
     "%1 = \"stablehlo.all_to_all\"(%v) <{split_dimension = 0 : i64, "
     "concat_dimension = 0 : i64, split_count = N : i64, replica_groups = "
     "dense<0> : tensor<1x1xi64>}> : (tensor<4xi32>) -> tensor<4xi32>"},
    {"0",
     "%1 = \"stablehlo.collective_permute\"(%v) <{source_target_pairs = "
     "dense<N> : tensor<1x2xi64>}> : (tensor<4xi32>) -> tensor<4xi32>"},
    {"0",
     "%1 = \"stablehlo.reduce_scatter\"(%v) <{scatter_dimension = N : i64, "
     "replica_groups = dense<0> : tensor<1x1xi64>}> ({REDUCER}) : "
     "(tensor<4xi32>) -> tensor<4xi32>"},
    {"0",
     "%1 = \"stablehlo.map\"(%v) <{dimensions = array<i64: N>}> ({\n^bb0(%a: "
     "tensor<i32>):\nstablehlo.return %a : tensor<i32>\n}) : (tensor<4xi32>) "
     "-> tensor<4xi32>"},
};

constexpr char kDefinitions[] = R"(
%v = stablehlo.constant dense<1> : tensor<4xi32>
%m = stablehlo.constant dense<1> : tensor<2x3xi32>
%s = stablehlo.constant dense<1> : tensor<i32>
%u = stablehlo.constant dense<1> : tensor<2xi32>
%j = stablehlo.constant dense<1> : tensor<2x1xi32>
%f = stablehlo.constant dense<1.0> : tensor<4xf32>
%i = stablehlo.constant dense<1.0> : tensor<1x4x1xf32>
%k = stablehlo.constant dense<1.0> : tensor<2x1x1xf32>
%q = stablehlo.constant dense<(1.0, 0.0)> : tensor<4xcomplex<f32>>
)";

constexpr char kReducer[] =
    "\n^bb0(%a: tensor<i32>, %b: tensor<i32>):\n"
    "%c = stablehlo.add %a, %b : tensor<i32>\n"
    "stablehlo.return %c : tensor<i32>\n";

std::string BodyWith(const MarkedProgram& program, const char* number) {
  const std::string body =
      absl::StrReplaceAll(program.text, {{"REDUCER", "\1"}, {"N", number}});
  return kDefinitions + absl::StrReplaceAll(body, {{"\1", kReducer}});
}

TEST(AbsurdPrograms, RightNumbersRun) {
  for (const MarkedProgram& program : kPrograms) {
    const absl::Status status = RunText(Main(BodyWith(program, program.right)));
    EXPECT_TRUE(status.ok() || absl::IsUnimplemented(status)) << status << "\n"
                                                              << program.text;
  }
}

TEST(AbsurdPrograms, NumbersBeyondReasonAreRefusedWhereverTheyStand) {
  for (const MarkedProgram& program : kPrograms) {
    for (const char* number :
         {"9223372036854775807", "-9223372036854775808", "4611686018427387904",
          "-9223372036854775807", "9223372036854775806", "2147483648",
          "4294967297", "-2147483649"}) {
      const absl::Status status = RunText(Main(BodyWith(program, number)));
      EXPECT_TRUE(absl::IsInvalidArgument(status) ||
                  absl::IsUnimplemented(status) ||
                  absl::IsResourceExhausted(status))
          << status << " with " << number << "\n"
          << program.text;
    }
  }
}

TEST(AbsurdPrograms, RecursionIsRefusedWhereverItHides) {
  const std::string kCalls[] = {
      "%0 = call @f(%x, %p) : (tensor<f32>, tensor<i1>) -> tensor<f32>",
      "%0 = call @g(%x, %p) : (tensor<f32>, tensor<i1>) -> tensor<f32>",
      "%0 = \"stablehlo.if\"(%p) ({\n%1 = func.call @f(%x, %p) : "
      "(tensor<f32>, tensor<i1>) -> tensor<f32>\nstablehlo.return %1 : "
      "tensor<f32>\n}, {\nstablehlo.return %x : tensor<f32>\n}) : "
      "(tensor<i1>) -> tensor<f32>",
      "%0 = stablehlo.composite \"a.b\" %x, %p {decomposition = @f} : "
      "(tensor<f32>, tensor<i1>) -> tensor<f32>",
      "%0 = \"stablehlo.composite\"(%x, %p) <{name = \"a.b\", decomposition = "
      "@g}> : (tensor<f32>, tensor<i1>) -> tensor<f32>",
  };
  for (const std::string& call : kCalls) {
    const absl::Status status = RunText(absl::StrCat(
        "func.func private @f(%x: tensor<f32>, %p: tensor<i1>) -> tensor<f32> "
        "{\n",
        call, "\nreturn %0 : tensor<f32>\n}\n",
        "func.func private @g(%x: tensor<f32>, %p: tensor<i1>) -> tensor<f32> "
        "{\n%0 = call @f(%x, %p) : (tensor<f32>, tensor<i1>) -> tensor<f32>\n"
        "return %0 : tensor<f32>\n}\n",
        MainOnScalar("%r = call @f(%x, %p) : (tensor<f32>, tensor<i1>) -> "
                     "tensor<f32>")));
    EXPECT_TRUE(absl::IsInvalidArgument(status) ||
                absl::IsUnimplemented(status))
        << status << "\n"
        << call;
  }
}

}  // namespace
}  // namespace lockstep::internal
