#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "gtest/gtest.h"
#include "runtime/backends/backend_registry.h"
#include "runtime/frontend/parser.h"

namespace lockstep::internal {
namespace {

// The dump of the executable that the cpu backend makes.
std::string Dump(const std::string& text) {
  auto module = ParseAndVerify(text, "p");
  if (!module.ok()) return module.status().ToString();
  const auto backend = FindBackend("cpu");
  if (!backend.ok()) return backend.status().ToString();
  const auto executable =
      (*backend)->Compile(*std::move(module), DeviceAssignment::Iota(1, 1), {});
  if (!executable.ok()) return executable.status().ToString();
  return (*executable)->ToString({false});
}

struct Choice {
  const char* text;
  const char* details;
};
const Choice kChoices[] = {
    {R"(
func.func @main(%x: tensor<3x12xcomplex<f32>>) -> tensor<3x12xcomplex<f32>> {
  %r = stablehlo.fft %x, type = IFFT, length = [12] : (tensor<3x12xcomplex<f32>>) -> tensor<3x12xcomplex<f32>>
  return %r : tensor<3x12xcomplex<f32>>
})",
     "in lanes"},
    {R"(
func.func @main(%x: tensor<5x5xbf16>) -> tensor<5x5xbf16> {
  %r = stablehlo.cholesky %x, lower = true : tensor<5x5xbf16>
  return %r : tensor<5x5xbf16>
})",
     "by eigen"},
    {R"(
func.func @main(%a: tensor<5x5xf64>, %b: tensor<5x2xf64>) -> tensor<5x2xf64> {
  %r = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = false}> : (tensor<5x5xf64>, tensor<5x2xf64>) -> tensor<5x2xf64>
  return %r : tensor<5x2xf64>
})",
     "by eigen"},
    {R"(
func.func @main(%s: tensor<2xui64>) -> (tensor<2xui64>, tensor<9xui16>) {
  %n, %b = stablehlo.rng_bit_generator %s, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<9xui16>)
  return %n, %b : tensor<2xui64>, tensor<9xui16>
})",
     "in blocks"},
};

TEST(ThunkChoice, NoReferenceEvaluationWhereThereIsAThunk) {
  for (const Choice& choice : kChoices) {
    const std::string dump = Dump(choice.text);
    EXPECT_TRUE(absl::StrContains(dump, choice.details)) << dump;
  }
}

TEST(ThunkChoice, NoReferenceEvaluationOfDots) {
  for (const char* types :
       {"f32,f32,f32", "f16,f16,f16", "f16,f16,f32", "bf16,bf16,f32",
        "f64,f64,f64", "f32,f64,f64", "i8,i8,i32", "ui8,i16,i32", "i32,i32,i32",
        "i1,i1,i1", "complex<f32>,complex<f32>,complex<f32>"}) {
    const std::vector<std::string> names = absl::StrSplit(types, ',');
    for (const int n : {3, 64}) {
      const auto tensor = [n](const std::string& type) {
        return absl::StrCat("tensor<", n, "x", n, "x", type, ">");
      };
      const std::string dump = Dump(absl::StrReplaceAll(
          R"(
func.func @main(%x: LHS, %y: RHS) -> RESULT {
  %r = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (LHS, RHS) -> RESULT
  return %r : RESULT
})",
          {{"LHS", tensor(names[0])},
           {"RHS", tensor(names[1])},
           {"RESULT", tensor(names[2])}}));
      EXPECT_TRUE(absl::StrContains(dump, "by blocks") ||
                  absl::StrContains(dump, "by onednn") ||
                  absl::StrContains(dump, "by pairs"))
          << dump;
    }
  }
}

TEST(ThunkChoice, ConvolutionsOfAllTypesAndGroups) {
  struct Case {
    const char* type;
    const char* details;
  };
  for (const auto& [type, details] :
       {Case{"f32", "by onednn"}, Case{"f16", "by onednn"},
        Case{"f64", "by channels"}, Case{"i32", "by channels"},
        Case{"complex<f32>", "by blocks"}}) {
    const std::string dump = Dump(absl::StrReplaceAll(
        R"(
func.func @main(%x: tensor<2x9x9x32xT>, %k: tensor<3x3x1x32xT>) -> tensor<2x7x7x32xT> {
  %r = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {} {batch_group_count = 1 : i64, feature_group_count = 32 : i64}
      : (tensor<2x9x9x32xT>, tensor<3x3x1x32xT>) -> tensor<2x7x7x32xT>
  return %r : tensor<2x7x7x32xT>
})",
        {{"xT>", absl::StrCat("x", type, ">")}}));
    EXPECT_TRUE(absl::StrContains(dump, details)) << type << dump;
  }
}

TEST(ThunkChoice, DilatedInputsAreReadAsTheyLie) {
  for (const char* type : {"f32", "f16"}) {
    const std::string dump = Dump(absl::StrReplaceAll(
        R"(
func.func @main(%x: tensor<2x9x9x32xT>, %k: tensor<3x3x32x16xT>) -> tensor<2x18x18x16xT> {
  %r = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {pad = [[2, 1], [2, 1]], lhs_dilate = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x9x9x32xT>, tensor<3x3x32x16xT>) -> tensor<2x18x18x16xT>
  return %r : tensor<2x18x18x16xT>
})",
        {{"xT>", absl::StrCat("x", type, ">")}}));
    EXPECT_TRUE(absl::StrContains(dump, "transposed by onednn")) << dump;
  }
}

}  // namespace
}  // namespace lockstep::internal
