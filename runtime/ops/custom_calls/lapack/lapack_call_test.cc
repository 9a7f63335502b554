// Calls that no routine can run are refused when they are compiled: with the
// place, what was expected and what was found.
#include "runtime/ops/custom_calls/lapack/lapack_call.h"

#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/frontend/parser.h"
#include "runtime/ops/custom_call.h"

namespace lockstep::internal {
namespace {

using testing::HasSubstr;

// The check of the first custom_call of a program.
absl::Status CheckOf(const std::string& text) {
  const auto module = ParseAndVerify(text, "t.mlir");
  if (!module.ok()) return module.status();
  for (const auto& op : (*module)->functions()[0]->body().ops()) {
    if (op->name() == "stablehlo.custom_call") {
      return CheckCustomCallTarget(*op);
    }
  }
  return absl::NotFoundError("no call");
}

constexpr char kCholesky[] = R"(
func.func @main(%a: tensor<5x3x3xf32>) -> tensor<5x3x3xf32> {
  %0:2 = stablehlo.custom_call @lapack_spotrf_ffi(%a) {mhlo.backend_config = {uplo = 76 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<0> : tensor<1xindex>]} : (tensor<5x3x3xf32>) -> (tensor<5x3x3xf32>, tensor<5xi32>)
  return %0#0 : tensor<5x3x3xf32>
}
)";

absl::Status CheckOfCholeskyWith(absl::string_view from, absl::string_view to) {
  const std::string text = absl::StrReplaceAll(kCholesky, {{from, to}});
  EXPECT_NE(text, kCholesky) << from;
  return CheckOf(text);
}

TEST(LapackCallTest, AGoodCallPasses) {
  EXPECT_EQ(CheckOf(kCholesky), absl::OkStatus());
  // As later versions write the same.
  EXPECT_EQ(CheckOfCholeskyWith("{mhlo.backend_config",
                                "{api_version = 4 : i32, backend_config"),
            absl::OkStatus());
}

TEST(LapackCallTest, FieldsOfTheConfigurationAreThereAndLetters) {
  absl::Status status = CheckOfCholeskyWith("uplo = 76 : ui8", "");
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(status.message(),
            "t.mlir:3:10: stablehlo.custom_call: backend_config: expected an "
            "integer as uplo");
  status = CheckOfCholeskyWith("76 : ui8", "77 : ui8");
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("uplo: expected 'L' (76) or 'U' (85)"
                                          ", found 77"));
  status = CheckOfCholeskyWith("76 : ui8", "\"L\"");
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("backend_config: uplo: "));
}

TEST(LapackCallTest, ShapesAndTypesAreThoseOfTheRoutine) {
  struct Case {
    absl::string_view from, to, message;
  };
  const Case cases[] = {
      {"5x3x3", "5x3x4",
       "operand 0: expected square matrices, found tensor<5x3x4xf32>"},
      {"f32", "f64",
       "operand 0: expected matrices of f32, found tensor<5x3x3xf64>"},
      {"f32", "i32",
       "operand 0: expected matrices of f32, found tensor<5x3x3xi32>"},
      {"tensor<5xi32>", "tensor<4xi32>",
       "result 1: expected tensor<5xi32>, found tensor<4xi32>"},
      {"tensor<5xi32>", "tensor<5xi64>",
       "result 1: expected tensor<5xi32>, found tensor<5xi64>"},
      {"-> (tensor<5x3x3xf32>, tensor<5xi32>)",
       "-> (tensor<5x3x3xf32>, tensor<5xi32>, tensor<i32>)",
       "expected 1 operands and 2 results, found 1 and 3"},
      {"(%a)", "(%a, %a)", "custom_call"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.to);
    std::string text = absl::StrReplaceAll(kCholesky, {{c.from, c.to}});
    if (c.from == "-> (tensor<5x3x3xf32>, tensor<5xi32>)") {
      text = absl::StrReplaceAll(text, {{"%0:2", "%0:3"}});
    }
    const absl::Status status = CheckOf(text);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
    EXPECT_THAT(status.message(), HasSubstr("t.mlir:3:"));
    EXPECT_THAT(status.message(), HasSubstr(c.message));
  }
}

TEST(LapackCallTest, MatricesLieColumnByColumn) {
  absl::Status status =
      CheckOfCholeskyWith("operand_layouts = [dense<[1, 2, 0]>",
                          "operand_layouts = [dense<[2, 1, "
                          "0]>");
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(status.message(),
              HasSubstr("operand_layouts: 0: expected [1, 2, 0], minor to "
                        "major, found [2, 1, 0]"));
  status = CheckOf(absl::StrReplaceAll(
      kCholesky,
      {{", result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<0> : "
        "tensor<1xindex>]",
        ""}}));
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(status.message(), HasSubstr("result_layouts: 0: expected"));
  status = CheckOf(
      absl::StrReplaceAll(kCholesky, {{", dense<0> : tensor<1xindex>]", "]"}}));
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("result_layouts: expected a list"));
}

TEST(LapackCallTest, RoutinesThatAreNotThereAreNamed) {
  const absl::Status status =
      CheckOfCholeskyWith("lapack_spotrf_ffi", "lapack_spstrf_ffi");
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
  EXPECT_EQ(status.message(),
            "t.mlir:3:10: stablehlo.custom_call: no target "
            "@lapack_spstrf_ffi");
}

TEST(LapackCallTest, OptionsThatRoutinesDoNotHaveAreRefused) {
  const auto schur = [](absl::string_view sort) {
    return absl::StrCat(
        "func.func @main(%a: tensor<2x2xcomplex<f64>>) -> tensor<i32> {\n  "
        "%0:5 = stablehlo.custom_call @lapack_zgees_ffi(%a) "
        "{mhlo.backend_config = {mode = 86 : ui8, sort = ",
        sort,
        " : ui8}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], "
        "result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : "
        "tensor<2xindex>, dense<0> : tensor<1xindex>, dense<> : "
        "tensor<0xindex>, dense<> : tensor<0xindex>]} : "
        "(tensor<2x2xcomplex<f64>>) -> (tensor<2x2xcomplex<f64>>, "
        "tensor<2x2xcomplex<f64>>, tensor<2xcomplex<f64>>, tensor<i32>, "
        "tensor<i32>)\n  return %0#4 : tensor<i32>\n}\n");
  };
  EXPECT_EQ(CheckOf(schur("78")), absl::OkStatus());
  const absl::Status status = CheckOf(schur("83"));
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(status.message(), HasSubstr("sorted eigenvalues"));

  const auto hessenberg = [](absl::string_view range) {
    return absl::StrCat(
        "func.func @main(%a: tensor<3x3xf32>) -> tensor<i32> {\n  %0:3 = "
        "stablehlo.custom_call @lapack_sgehrd_ffi(%a) {mhlo.backend_config = "
        "{",
        range,
        "}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], "
        "result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : "
        "tensor<1xindex>, dense<> : tensor<0xindex>]} : (tensor<3x3xf32>) -> "
        "(tensor<3x3xf32>, tensor<2xf32>, tensor<i32>)\n  return %0#2 : "
        "tensor<i32>\n}\n");
  };
  EXPECT_EQ(CheckOf(hessenberg("high = 3 : i32, low = 1 : i32")),
            absl::OkStatus());
  EXPECT_THAT(CheckOf(hessenberg("high = 4 : i32, low = 1 : i32")).message(),
              HasSubstr("expected a range within 1 to 3, found 1 to 4"));
  EXPECT_THAT(CheckOf(hessenberg("high = 3 : i32, low = 0 : i32")).message(),
              HasSubstr("found 0 to 3"));
}

// Programs of JAX before 0.5 say their configuration by operands.
constexpr char kOldCholesky[] = R"(
func.func @main(%a: tensor<2x2xf64>, %n: tensor<i32>) -> tensor<2x2xf64> {
  %lower = stablehlo.constant dense<1> : tensor<i32>
  %0:2 = stablehlo.custom_call @lapack_dpotrf(%lower, %n, %n, %a) {api_version = 2 : i32, operand_layouts = [dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<> : tensor<0xindex>, dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>]} : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<2x2xf64>) -> (tensor<2x2xf64>, tensor<i32>)
  return %0#0 : tensor<2x2xf64>
}
)";

TEST(LapackCallTest, OperandsThatConfigureACallAreConstantIntegers) {
  EXPECT_EQ(CheckOf(kOldCholesky), absl::OkStatus());
  absl::Status status =
      CheckOf(absl::StrReplaceAll(kOldCholesky, {{"(%lower, %n", "(%n, %n"}}));
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(status.message(),
              HasSubstr("operand 0, which configures the call, is no "
                        "constant"));
  status = CheckOf(absl::StrReplaceAll(
      kOldCholesky, {{"dense<1> : tensor<i32>", "dense<1.0> : tensor<f32>"},
                     {": (tensor<i32>, tensor", ": (tensor<f32>, tensor"}}));
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("operand 0: expected an integer"));
}

}  // namespace
}  // namespace lockstep::internal
