#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "runtime/frontend/parser.h"
#include "runtime/ir/module_equality.h"
#include "runtime/ir/op_def.h"
#include "runtime/ir/printer.h"
#include "tests/programs/program_testing.h"

namespace lockstep::internal {
namespace {

// Inputs of the lines below.
constexpr absl::string_view kArguments =
    "%a: tensor<2x3xf32>, %b: tensor<2x3xf32>, %p: tensor<2x3xi1>, "
    "%s: tensor<f32>, %t: tensor<i1>, %i: tensor<i32>, %n: tensor<2x3xi32>, "
    "%c: tensor<3x2xf32>, %h: tensor<2x3x4xf32>, %k: tensor<2x4x5xf32>, "
    "%w: tensor<2x4x5xf32>, %sq: tensor<3x3xf32>, %e: tensor<2xui64>, "
    "%n2: tensor<2xi32>, "
    "%u: tuple<tensor<f32>, tensor<i32>>";

// Pretty forms, one op each. `printed` is how it prints back; as `text` when
// null.
struct Form {
  const char* text;
  const char* printed = nullptr;
};
const Form kForms[] = {
    {"stablehlo.tanh %a : tensor<2x3xf32>"},
    {"stablehlo.exponential %a {result_accuracy = "
     "#stablehlo.result_accuracy<mode = "
     "#stablehlo.result_accuracy_mode<DEFAULT>>} : tensor<2x3xf32>"},
    {"stablehlo.multiply %a, %b {mhlo.frontend_attributes = {}} : "
     "tensor<2x3xf32>"},
    {"stablehlo.add %a, %b : (tensor<2x3xf32>, tensor<2x3xf32>) -> "
     "tensor<2x3xf32>",
     "stablehlo.add %a, %b : tensor<2x3xf32>"},
    {"stablehlo.convert %a : (tensor<2x3xf32>) -> tensor<2x3xbf16>"},
    {"stablehlo.convert %a : tensor<2x3xf32>"},
    {"stablehlo.bitcast_convert %a : (tensor<2x3xf32>) -> tensor<2x3xui32>"},
    {"stablehlo.is_finite %a : (tensor<2x3xf32>) -> tensor<2x3xi1>"},
    {"stablehlo.compare GE, %a, %b, FLOAT : (tensor<2x3xf32>, "
     "tensor<2x3xf32>) -> tensor<2x3xi1>"},
    {"stablehlo.compare  LT, %i, %i,  SIGNED : (tensor<i32>, tensor<i32>) -> "
     "tensor<i1>",
     "stablehlo.compare LT, %i, %i, SIGNED : (tensor<i32>, tensor<i32>) -> "
     "tensor<i1>"},
    {"stablehlo.compare EQ, %a, %b : (tensor<2x3xf32>, tensor<2x3xf32>) -> "
     "tensor<2x3xi1>"},
    {"stablehlo.select %p, %a, %b : tensor<2x3xi1>, tensor<2x3xf32>"},
    {"stablehlo.select %t, %a, %b : (tensor<i1>, tensor<2x3xf32>, "
     "tensor<2x3xf32>) -> tensor<2x3xf32>",
     "stablehlo.select %t, %a, %b : tensor<i1>, tensor<2x3xf32>"},
    {"stablehlo.clamp %a, %a, %b : tensor<2x3xf32>"},
    {"stablehlo.clamp %s, %a, %s : (tensor<f32>, tensor<2x3xf32>, "
     "tensor<f32>) -> tensor<2x3xf32>"},
    {"stablehlo.constant dense<[1, 2]> : tensor<2xi32>"},
    {"stablehlo.constant {mhlo.frontend_attributes = {}} dense<0> : "
     "tensor<i32>"},
    {"stablehlo.iota dim = 1 : tensor<2x3xi32>"},
    {"stablehlo.broadcast_in_dim %a, dims = [0, 2] : (tensor<2x3xf32>) -> "
     "tensor<2x4x3xf32>"},
    {"stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> "
     "tensor<4xf32>"},
    {"stablehlo.reshape %a : (tensor<2x3xf32>) -> tensor<6xf32>"},
    {"stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3xf32>) -> "
     "tensor<3x2xf32>"},
    {"stablehlo.reverse %a, dims = [0] : tensor<2x3xf32>"},
    {"stablehlo.slice %a [0:2, 0:3:2] : (tensor<2x3xf32>) -> "
     "tensor<2x2xf32>"},
    {"stablehlo.concatenate %a, %b, dim = 0 : (tensor<2x3xf32>, "
     "tensor<2x3xf32>) -> tensor<4x3xf32>"},
    {"stablehlo.pad %a, %s, low = [0, 1], high = [1, -1], interior = [0, 0] : "
     "(tensor<2x3xf32>, tensor<f32>) -> tensor<3x3xf32>"},
    {"stablehlo.dynamic_slice %a, %i, %i, sizes = [1, 3] : (tensor<2x3xf32>, "
     "tensor<i32>, tensor<i32>) -> tensor<1x3xf32>"},
    {"stablehlo.dynamic_update_slice %a, %b, %i, %i : (tensor<2x3xf32>, "
     "tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>"},
    {"stablehlo.dot_general %h, %k, batching_dims = [0] x [0], "
     "contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : "
     "(tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>"},
    {"stablehlo.dot_general %a, %c, contracting_dims = [1] x [0] : "
     "(tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>"},
    {"stablehlo.dot_general %a, %c, contracting_dims = [1] x [0], algorithm = "
     "<lhs_precision_type = bf16, rhs_precision_type = bf16, "
     "accumulation_type = f32, lhs_component_count = 1, rhs_component_count = "
     "1, num_primitive_operations = 1, allow_imprecise_accumulation = false> "
     ": (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>"},
    {"stablehlo.reduce(%a init: %s) applies stablehlo.add across dimensions = "
     "[1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>"},
    {"stablehlo.optimization_barrier %a : tensor<2x3xf32>"},
    {"stablehlo.complex %a, %b : tensor<2x3xcomplex<f32>>"},
    {"stablehlo.reduce_precision %a, format = e8m7 : tensor<2x3xf32>"},
    {"stablehlo.convolution(%h, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, "
     "f], window = {stride = [2], pad = [[1, 0]], lhs_dilate = [1], rhs_dilate "
     "= [2], reverse = [true]} {batch_group_count = 1 : i64, "
     "feature_group_count = 1 : i64} : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) "
     "-> tensor<2x1x5xf32>"},
    {"stablehlo.convolution(%h, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, "
     "f], window = {} : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> "
     "tensor<2x2x5xf32>"},
    {"stablehlo.fft %a, type = RFFT, length = [3] : (tensor<2x3xf32>) -> "
     "tensor<2x2xcomplex<f32>>"},
    {"stablehlo.cholesky %sq, lower = true : tensor<3x3xf32>"},
    {"stablehlo.cholesky %sq : tensor<3x3xf32>"},
    {"stablehlo.composite \"my.op\" %a {decomposition = @main, version = 1 : "
     "i32} : (tensor<2x3xf32>) -> tensor<2x3xf32>"},
    {"stablehlo.tuple %a, %i : tuple<tensor<2x3xf32>, tensor<i32>>"},
    {"stablehlo.after_all : !stablehlo.token"},
    {"chlo.erf %a : tensor<2x3xf32> -> tensor<2x3xf32>"},
    {"chlo.is_inf %a : tensor<2x3xf32> -> tensor<2x3xi1>"},
    {"chlo.next_after %a, %b : tensor<2x3xf32>, tensor<2x3xf32> -> "
     "tensor<2x3xf32>"},
    {"chlo.broadcast_add %a, %s : tensor<2x3xf32>, tensor<f32> -> "
     "tensor<2x3xf32>"},
    {"chlo.broadcast_add %a, %s : (tensor<2x3xf32>, tensor<f32>) -> "
     "tensor<2x3xf32>",
     "chlo.broadcast_add %a, %s : tensor<2x3xf32>, tensor<f32> -> "
     "tensor<2x3xf32>"},
    {"chlo.broadcast_select %t, %a, %s : tensor<i1>, tensor<2x3xf32>, "
     "tensor<f32> -> tensor<2x3xf32>"},
    {"chlo.constant dense<[1, 2]> : tensor<2xi32>"},
    {"stablehlo.broadcast %s, sizes = [2, 3] : (tensor<f32>) -> "
     "tensor<2x3xf32>"},
    {"stablehlo.dot %a, %c : (tensor<2x3xf32>, tensor<3x2xf32>) -> "
     "tensor<2x2xf32>"},
    {"stablehlo.dot %a, %c, precision = [DEFAULT, HIGHEST] : "
     "(tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>"},
    {"stablehlo.dynamic_iota %n2, dim = 0 : (tensor<2xi32>) -> "
     "tensor<2x3xf32>"},
    {"stablehlo.dynamic_reshape %a, %n2 : (tensor<2x3xf32>, tensor<2xi32>) -> "
     "tensor<3x2xf32>"},
    {"stablehlo.dynamic_broadcast_in_dim %s, %n2, dims = [] : (tensor<f32>, "
     "tensor<2xi32>) -> tensor<2x3xf32>"},
    {"stablehlo.einsum %a, %c, config = \"ij,jk->ik\" : (tensor<2x3xf32>, "
     "tensor<3x2xf32>) -> tensor<2x2xf32>"},
    {"stablehlo.get_dimension_size %a, dim = 1 : (tensor<2x3xf32>) -> "
     "tensor<i32>"},
    {"stablehlo.unary_einsum %a, config = \"ij->i\" : (tensor<2x3xf32>) -> "
     "tensor<2xf32>"},
    {"stablehlo.partition_id : tensor<ui32>"},
    {"stablehlo.replica_id : tensor<ui32>"},
    {"stablehlo.custom_call @Sharding(%a) {backend_config = \"\", "
     "mhlo.sharding = \"{devices=[2,1]<=[2]}\"} : (tensor<2x3xf32>) -> "
     "tensor<2x3xf32>"},
    {"stablehlo.custom_call @\"my target\"(%a) : (tensor<2x3xf32>) -> "
     "tensor<2x3xf32>"},
};

std::string Program(absl::string_view op) {
  return absl::StrCat("func.func @main(", kArguments, ") {\n  %0 = ", op,
                      "\n  return\n}\n");
}

TEST(AssemblyTest, PrettyFormsPrintBack) {
  for (const Form& form : kForms) {
    const auto module = ParseModule(Program(form.text), "t.mlir");
    ASSERT_TRUE(module.ok()) << form.text << "\n" << module.status();
    const auto wanted = ParseModule(
        Program(form.printed == nullptr ? form.text : form.printed), "t.mlir");
    ASSERT_TRUE(wanted.ok()) << form.printed << "\n" << wanted.status();
    const std::string text = Print(**module);
    EXPECT_EQ(text, Print(**wanted)) << form.text;
    // The printed line is the written one, up to the names of values.
    const size_t name_end = std::string(form.text).find_first_of(" (");
    EXPECT_NE(text.find(std::string(form.text).substr(0, name_end)),
              std::string::npos)
        << text;
    const auto again = ParseModule(text, "t.mlir");
    ASSERT_TRUE(again.ok()) << text << "\n" << again.status();
    EXPECT_EQ(Print(**again), text);
  }
}

TEST(AssemblyTest, PrettyAndGenericFormsAreTheSameModule) {
  for (const Form& form : kForms) {
    const auto module = ParseModule(Program(form.text), "t.mlir");
    ASSERT_TRUE(module.ok()) << module.status();
    const std::string generic = Print(**module, {.generic = true});
    const auto again = ParseModule(generic, "t.mlir");
    ASSERT_TRUE(again.ok()) << generic << "\n" << again.status();
    EXPECT_EQ(Print(**again), Print(**module)) << generic;
  }
}

TEST(AssemblyTest, FormsWithSeveralResultsPrintBack) {
  for (const char* text :
       {"%0, %1 = stablehlo.rng_bit_generator %e, algorithm = THREE_FRY : "
        "(tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)",
        "%0, %1 = chlo.top_k(%a, k = 2) : tensor<2x3xf32> -> "
        "(tensor<2x2xf32>, tensor<2x2xi32>)",
        "%0 = stablehlo.get_tuple_element %u[1] : (tuple<tensor<f32>, "
        "tensor<i32>>) -> tensor<i32>"}) {
    const auto module =
        ParseModule(absl::StrCat("func.func @main(", kArguments, ") {\n  ",
                                 text, "\n  return\n}\n"),
                    "t.mlir");
    ASSERT_TRUE(module.ok()) << module.status();
    const std::string printed = Print(**module);
    const size_t rest = std::string(text).find(" : ");
    EXPECT_NE(printed.find(std::string(text).substr(rest)), std::string::npos)
        << printed;
    for (const std::string& again :
         {printed, Print(**module, {.generic = true})}) {
      const auto parsed = ParseModule(again, "t.mlir");
      ASSERT_TRUE(parsed.ok()) << again << "\n" << parsed.status();
      EXPECT_EQ(Print(**parsed), printed);
    }
  }
}

// The struct form of a convolution's dimensions is the short one.
TEST(AssemblyTest, ConvolutionWithRawDimensions) {
  const auto raw = ParseModule(
      Program("\"stablehlo.convolution\"(%h, %w) {dimension_numbers = "
              "#stablehlo.conv<raw input_batch_dimension = 0, "
              "input_feature_dimension = 2, input_spatial_dimensions = [1], "
              "kernel_input_feature_dimension = 1, "
              "kernel_output_feature_dimension = 2, kernel_spatial_dimensions "
              "= [0], output_batch_dimension = 0, output_feature_dimension = "
              "2, output_spatial_dimensions = [1]>} : (tensor<2x3x4xf32>, "
              "tensor<2x4x5xf32>) -> tensor<2x2x5xf32>"),
      "t.mlir");
  ASSERT_TRUE(raw.ok()) << raw.status();
  EXPECT_NE(Print(**raw).find("dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f]"),
            std::string::npos)
      << Print(**raw);
}

TEST(AssemblyTest, LongReducePrintsBack) {
  const std::string text = Program(
      "stablehlo.reduce(%a init: %s), (%n init: %i) across dimensions = [1] : "
      "(tensor<2x3xf32>, tensor<2x3xi32>, tensor<f32>, tensor<i32>) -> "
      "(tensor<2xf32>, tensor<2xi32>)\n"
      " reducer(%x: tensor<f32>, %y: tensor<f32>) (%q: tensor<i32>, %r: "
      "tensor<i32>) {\n"
      "  %2 = stablehlo.maximum %x, %y : tensor<f32>\n"
      "  %3 = stablehlo.minimum %q, %r : tensor<i32>\n"
      "  stablehlo.return %2, %3 : tensor<f32>, tensor<i32>\n}");
  std::string two_results = text;
  two_results.replace(two_results.find("%0 ="), 4, "%0:2 =");
  const auto module = ParseAndVerify(two_results, "t.mlir");
  ASSERT_TRUE(module.ok()) << module.status();
  const std::string printed = Print(**module);
  EXPECT_NE(printed.find("reducer("), std::string::npos) << printed;
  const auto again = ParseAndVerify(printed, "t.mlir");
  ASSERT_TRUE(again.ok()) << again.status() << "\n" << printed;
  EXPECT_EQ(Print(**again), printed);
}

TEST(AssemblyTest, WhilePrintsBackWithOneListOfNames) {
  const std::string text = Program(
      "stablehlo.while(%j = %i) : tensor<i32> attributes {x.y = 1 : i64}\n"
      " cond {\n"
      "  %1 = stablehlo.compare LT, %j, %i : (tensor<i32>, tensor<i32>) -> "
      "tensor<i1>\n"
      "  stablehlo.return %1 : tensor<i1>\n"
      "} do {\n"
      "  %1 = stablehlo.add %j, %i : tensor<i32>\n"
      "  stablehlo.return %1 : tensor<i32>\n}");
  const auto module = ParseAndVerify(text, "t.mlir");
  ASSERT_TRUE(module.ok()) << module.status();
  const std::string printed = Print(**module);
  const auto again = ParseAndVerify(printed, "t.mlir");
  ASSERT_TRUE(again.ok()) << again.status() << "\n" << printed;
  EXPECT_EQ(Print(**again), printed);
}

TEST(RegistryTest, EveryOpIsLinked) {
  for (const char* name :
       {"stablehlo.add", "stablehlo.dot_general", "stablehlo.all_reduce",
        "stablehlo.while", "stablehlo.return", "func.call", "func.return"}) {
    EXPECT_NE(OpRegistry::Get().Find(name), nullptr) << name;
  }
  EXPECT_GE(OpRegistry::Get().All().size(), 70u);
}

}  // namespace
}  // namespace lockstep::internal
