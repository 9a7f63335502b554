#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"
#include "tests/conformance/backend/differential.h"

namespace lockstep::internal {
namespace {

const char* const kTypes[] = {
    "i1",   "i8",  "i16",  "i32", "i64", "ui8",          "ui16",        "ui32",
    "ui64", "f16", "bf16", "f32", "f64", "complex<f32>", "complex<f64>"};

// An op and how far the cpu backend may be from the interpreter, in units in
// the last place: both are within their own bounds of the exact value.
struct ElementwiseCase {
  const char* op;
  int operands;
  int64_t f32_ulps = 0;
  int64_t other_ulps = 0;
  int64_t complex_ulps = 0;
};
const ElementwiseCase kCases[] = {
    // Of complex numbers: hypot of CUDA has up to 2 ulps, in f32 3.
    {"stablehlo.abs", 1, 0, 0, 3},
    {"stablehlo.add", 2},
    {"stablehlo.and", 2},
    {"stablehlo.atan2", 2, 2, 2},
    // The interpreter's complex roots go through log, and lose digits there.
    {"stablehlo.cbrt", 1, 2, 4, 250},
    {"stablehlo.ceil", 1},
    {"stablehlo.cosine", 1, 2, 2, 4},
    {"stablehlo.count_leading_zeros", 1},
    {"stablehlo.divide", 2, 0, 0, 4},
    {"stablehlo.exponential", 1, 2, 2, 4},
    {"stablehlo.exponential_minus_one", 1, 3, 2, 8},
    {"stablehlo.floor", 1},
    {"stablehlo.imag", 1},
    {"stablehlo.log", 1, 2, 2, 4},
    {"stablehlo.log_plus_one", 1, 3, 3, 4},
    {"stablehlo.logistic", 1, 4, 4, 8},
    {"stablehlo.maximum", 2},
    {"stablehlo.minimum", 2},
    {"stablehlo.multiply", 2},
    {"stablehlo.negate", 1},
    {"stablehlo.not", 1},
    {"stablehlo.or", 2},
    {"stablehlo.popcnt", 1},
    {"stablehlo.power", 2, 2, 2},
    {"stablehlo.real", 1},
    {"stablehlo.remainder", 2},
    {"stablehlo.round_nearest_afz", 1},
    {"stablehlo.round_nearest_even", 1},
    {"stablehlo.rsqrt", 1, 0, 0, 8},
    {"stablehlo.shift_left", 2},
    {"stablehlo.shift_right_arithmetic", 2},
    {"stablehlo.shift_right_logical", 2},
    {"stablehlo.sign", 1, 0, 0, 2},
    {"stablehlo.sine", 1, 2, 2, 4},
    {"stablehlo.sqrt", 1, 0, 0, 4},
    {"stablehlo.subtract", 2},
    {"stablehlo.tan", 1, 3, 2, 8},
    {"stablehlo.tanh", 1, 5, 4, 8},
    {"stablehlo.xor", 2},
    {"stablehlo.is_finite", 1},
    {"stablehlo.complex", 2},
};

// The result type of `op` on `type`.
std::string ResultType(absl::string_view op, absl::string_view type) {
  if (op == "stablehlo.is_finite") return "i1";
  if (op == "stablehlo.complex") return absl::StrCat("complex<", type, ">");
  const bool is_real =
      op == "stablehlo.abs" || op == "stablehlo.real" || op == "stablehlo.imag";
  if (is_real && type == "complex<f32>") return "f32";
  if (is_real && type == "complex<f64>") return "f64";
  return std::string(type);
}

// One op on `dims` ("3x5x").
std::string Program(const ElementwiseCase& row, const std::string& type,
                    const std::string& dims) {
  const std::string tensor = absl::StrCat("tensor<", dims, type, ">");
  const std::string result =
      absl::StrCat("tensor<", dims, ResultType(row.op, type), ">");
  const bool is_binary = row.operands == 2;
  return absl::StrCat("func.func @main(%a: ", tensor, is_binary ? ", %b: " : "",
                      is_binary ? tensor : "", ") -> ", result, " {\n  %0 = \"",
                      row.op, "\"(%a", is_binary ? ", %b" : "", ") : (", tensor,
                      is_binary ? ", " : "", is_binary ? tensor : "", ") -> ",
                      result, "\n  return %0 : ", result, "\n}\n");
}

class ElementwiseDifferentialTest
    : public ::testing::TestWithParam<ElementwiseCase> {};
INSTANTIATE_TEST_SUITE_P(Ops, ElementwiseDifferentialTest,
                         ::testing::ValuesIn(kCases), [](const auto& info) {
                           return absl::StrReplaceAll(info.param.op,
                                                      {{".", "_"}});
                         });

TEST_P(ElementwiseDifferentialTest, EveryTypeAgreesOnTrickyValues) {
  for (const char* type : kTypes) {
    const bool is_complex = absl::StartsWith(type, "complex");
    const int64_t ulps = is_complex                   ? GetParam().complex_ulps
                         : std::string(type) == "f32" ? GetParam().f32_ulps
                                                      : GetParam().other_ulps;
    EXPECT_EQ(DisagreementOn(Program(GetParam(), type, "211x"), true, ulps), "")
        << type;
  }
}

// Of vectors too: each pair of special values stands in several places.
TEST(HalfExtrema, EveryPairOfSpecialValuesAgrees) {
  const Literal values = TrickyValues(Shape(ElementType::kF16, {64}), 3);
  Literal a(Shape(ElementType::kF16, {64, 64}));
  Literal b(Shape(ElementType::kF16, {64, 64}));
  const int64_t row_bytes = values.shape().byte_size();
  for (int64_t i = 0; i < 64; ++i) {
    std::copy_n(values.bytes(), row_bytes, a.mutable_bytes() + i * row_bytes);
    for (int64_t j = 0; j < 64; ++j) {
      std::copy_n(values.bytes() + 2 * i, 2,
                  b.mutable_bytes() + i * row_bytes + 2 * j);
    }
  }
  for (const char* op : {"maximum", "minimum"}) {
    EXPECT_EQ(Disagreement(Program({absl::StrCat("stablehlo.", op).c_str(), 2},
                                   "f16", "64x64x"),
                           {a, b}, 0, false),
              "")
        << op;
  }
}

TEST(ElementwiseShapes, EmptyScalarAndOddShapesAgree) {
  for (const char* dims : {"", "0x", "1x", "3x0x", "1x1x", "3x5x7x", "65x"}) {
    EXPECT_EQ(
        DisagreementOn(Program({"stablehlo.add", 2}, "f32", dims), true, 0), "")
        << dims;
  }
}

// Such divisions are done without a division per element.
TEST(Divide, ByWhatALoopDoesNotChangeIsRoundedAsADivision) {
  const std::string text = R"(
func.func @main(%a: tensor<97x211xf32>, %s: tensor<f32>, %r: tensor<97xf32>)
    -> (tensor<97x211xf32>, tensor<97x211xf32>, tensor<97x211xf32>) {
  %c = stablehlo.constant dense<3.7> : tensor<97x211xf32>
  %0 = stablehlo.divide %a, %c : tensor<97x211xf32>
  %b = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<97x211xf32>
  %1 = stablehlo.divide %a, %b : tensor<97x211xf32>
  %d = stablehlo.broadcast_in_dim %r, dims = [0] : (tensor<97xf32>) -> tensor<97x211xf32>
  %2 = stablehlo.divide %a, %d : tensor<97x211xf32>
  return %0, %1, %2 : tensor<97x211xf32>, tensor<97x211xf32>, tensor<97x211xf32>
})";
  const Literal rows = TrickyValues(Shape(ElementType::kF32, {97}), 7);
  for (uint64_t seed = 0; seed < 40; ++seed) {
    const Literal a = TrickyValues(Shape(ElementType::kF32, {97, 211}), seed);
    const Literal s = TrickyValues(Shape(ElementType::kF32, {}), 2 * seed + 1);
    for (const bool is_optimized : {false, true}) {
      EXPECT_EQ(Disagreement(text, {a, s, rows}, 0, is_optimized), "");
    }
  }
}

TEST(Convert, EveryPairOfTypesAgreesOnTrickyValues) {
  for (const char* from : kTypes) {
    std::string arguments, body, returned, types;
    int position = 0;
    for (const char* to : kTypes) {
      absl::StrAppend(&body, "  %", position,
                      " = stablehlo.convert %a : (tensor<173x", from,
                      ">) -> tensor<173x", to, ">\n");
      absl::StrAppend(&returned, position == 0 ? "" : ", ", "%", position);
      absl::StrAppend(&types, position++ == 0 ? "" : ", ", "tensor<173x", to,
                      ">");
    }
    const std::string text = absl::StrCat(
        "func.func @main(%a: tensor<173x", from, ">) -> (", types, ") {\n",
        body, "  return ", returned, " : ", types, "\n}\n");
    ASSERT_TRUE(Verifies(text)) << text;
    EXPECT_EQ(DisagreementOn(text, true, 0), "") << from;
  }
}

TEST(Compare, EveryDirectionAndOrderAgrees) {
  for (const char* type : kTypes) {
    for (const char* kind : {"SIGNED", "UNSIGNED", "FLOAT", "TOTALORDER"}) {
      for (const char* direction : {"EQ", "NE", "GE", "GT", "LE", "LT"}) {
        const std::string text = absl::StrReplaceAll(
            R"(func.func @main(%a: tensor<97xT>, %b: tensor<97xT>) -> tensor<97xi1> {
  %0 = stablehlo.compare DIRECTION, %a, %b, KIND : (tensor<97xT>, tensor<97xT>) -> tensor<97xi1>
  return %0 : tensor<97xi1>
})",
            {{"xT", absl::StrCat("x", type)},
             {"DIRECTION", direction},
             {"KIND", kind}});
        EXPECT_EQ(DisagreementOn(text, true, 0), "") << text;
      }
    }
  }
}

}  // namespace
}  // namespace lockstep::internal
