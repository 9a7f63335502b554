#include <ostream>
#include <string>
#include <tuple>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tests/programs/program_testing.h"

namespace lockstep::internal {
namespace {

// op(operands..) on constants of one type.
struct Case {
  std::string op;
  std::string type;
  std::vector<std::string> operands;
  std::string expected;
  std::string result_type = {};  // as `type` when empty
};

std::ostream& operator<<(std::ostream& os, const Case& c) {
  os << c.op << " of " << c.type << " on";
  for (const std::string& operand : c.operands) os << " " << operand;
  return os;
}

std::string ProgramOf(const Case& c) {
  const std::string& result = c.result_type.empty() ? c.type : c.result_type;
  std::string body, names, types;
  for (size_t i = 0; i < c.operands.size(); ++i) {
    absl::StrAppend(&body, "  %a", i, " = stablehlo.constant dense<",
                    c.operands[i], "> : ", c.type, "\n");
    absl::StrAppend(&names, i == 0 ? "" : ", ", "%a", i);
    absl::StrAppend(&types, i == 0 ? "" : ", ", c.type);
  }
  absl::StrAppend(&body, "  %0 = \"stablehlo.", c.op, "\"(", names, ") : (",
                  types, ") -> ", result);
  return MainReturning(result, body);
}

class ElementwiseTest : public testing::TestWithParam<Case> {};

TEST_P(ElementwiseTest, GivesTheseBits) {
  const Case& c = GetParam();
  const auto results = RunText(ProgramOf(c));
  ASSERT_TRUE(results.ok()) << results.status() << "\n" << ProgramOf(c);
  const Literal expected =
      Dense(c.expected, c.result_type.empty() ? c.type : c.result_type);
  EXPECT_TRUE((*results)[0] == expected) << "found " << ToString((*results)[0])
                                         << ", expected " << ToString(expected);
}

const Case kSmallIntegers[] = {
    {"add", "tensor<2xi4>", {"[7, -8]", "[1, -1]"}, "[-8, 7]"},
    {"add", "tensor<2xui4>", {"[15, 7]", "[1, 1]"}, "[0, 8]"},
    {"add", "tensor<2xi2>", {"[1, -2]", "[1, -1]"}, "[-2, 1]"},
    {"multiply", "tensor<1xui2>", {"3", "3"}, "1"},
    {"divide", "tensor<3xi4>", {"[-7, 5, -8]", "[2, 0, -1]"}, "[-3, -1, -8]"},
    {"divide", "tensor<1xui4>", {"5", "0"}, "15"},
    {"remainder", "tensor<2xi4>", {"[-7, 5]", "[2, 0]"}, "[-1, 5]"},
    {"power", "tensor<2xi4>", {"[3, -2]", "[2, 3]"}, "[-7, -8]"},
    {"negate", "tensor<2xi4>", {"[-8, 3]"}, "[-8, -3]"},
    {"not", "tensor<1xui4>", {"5"}, "10"},
    {"shift_left", "tensor<2xi4>", {"[3, 1]", "[2, 4]"}, "[-4, 0]"},
    {"shift_right_logical", "tensor<2xi4>", {"[-1, -8]", "[1, 4]"}, "[7, 0]"},
    {"shift_right_arithmetic",
     "tensor<2xi4>",
     {"[-8, -8]", "[1, -1]"},
     "[-4, -1]"},
    {"shift_right_arithmetic", "tensor<1xui4>", {"8", "1"}, "12"},
    {"popcnt", "tensor<2xi4>", {"[-1, 5]"}, "[4, 2]"},
    {"count_leading_zeros", "tensor<3xui4>", {"[0, 1, 8]"}, "[4, 3, 0]"},
    {"maximum", "tensor<2xi4>", {"[-8, 7]", "[1, 2]"}, "[1, 7]"},
    {"convert",
     "tensor<4xf32>",
     {"[7.9, -100.0, 0x7FC00000, 3.0]"},
     "[7, -8, 0, 3]",
     "tensor<4xi4>"},
    {"convert",
     "tensor<3xf32>",
     {"[0.3, -1e9, 0x7FC00000]"},
     "[0x2A, 0xFF, 0x7F]",
     "tensor<3xf8E4M3FN>"},
    {"convert",
     "tensor<3xf8E5M2>",
     {"[0.25, 0x7C, -3.0]"},
     "[0.25, 0x7C00, -3.0]",
     "tensor<3xf16>"},
    {"bitcast_convert",
     "tensor<2x2xi4>",
     {"[[1, -1], [2, 0]]"},
     "[0xF1, 0x02]",
     "tensor<2xui8>"},
    {"bitcast_convert",
     "tensor<1xi8>",
     {"0xE1"},
     "[[1, 0, -2, -1]]",
     "tensor<1x4xi2>"},
    {"bitcast_convert", "tensor<1xf8E4M3FN>", {"1.0"}, "0x38", "tensor<1xui8>"},
};
INSTANTIATE_TEST_SUITE_P(SmallTypes, ElementwiseTest,
                         testing::ValuesIn(kSmallIntegers));

const Case kIntegers[] = {
    {"add", "tensor<2xi8>", {"[100, -128]", "[100, -1]"}, "[-56, 127]"},
    {"add", "tensor<2xui8>", {"[200, 1]", "[100, 2]"}, "[44, 3]"},
    {"add", "tensor<1xi16>", {"32767", "1"}, "-32768"},
    {"add",
     "tensor<1xi64>",
     {"9223372036854775807", "1"},
     "-9223372036854775808"},
    {"subtract", "tensor<1xui32>", {"0", "1"}, "4294967295"},
    {"multiply", "tensor<1xi16>", {"300", "300"}, "24464"},
    {"multiply", "tensor<1xui16>", {"65535", "65535"}, "1"},
    {"multiply", "tensor<1xi32>", {"65536", "65536"}, "0"},
    {"divide",
     "tensor<4xi32>",
     {"[-7, 7, 5, -2147483648]", "[2, -2, 0, -1]"},
     "[-3, -3, -1, -2147483648]"},
    {"divide", "tensor<2xui8>", {"[5, 255]", "[0, 2]"}, "[255, 127]"},
    {"divide", "tensor<1xi8>", {"-128", "-1"}, "-128"},
    {"remainder",
     "tensor<4xi32>",
     {"[-7, 7, 5, -2147483648]", "[2, -2, 0, -1]"},
     "[-1, 1, 5, 0]"},
    {"power",
     "tensor<6xi32>",
     {"[2, -1, -1, 1, 0, 3]", "[-1, -3, -2, -5, 0, 4]"},
     "[0, -1, 1, 1, 1, 81]"},
    {"power", "tensor<2xui8>", {"[2, 3]", "[8, 2]"}, "[0, 9]"},
    {"negate", "tensor<2xi8>", {"[-128, 5]"}, "[-128, -5]"},
    {"negate", "tensor<1xui8>", {"1"}, "255"},
    {"abs", "tensor<2xi32>", {"[-2147483648, -3]"}, "[-2147483648, 3]"},
    {"sign", "tensor<3xi64>", {"[-9, 0, 4]"}, "[-1, 0, 1]"},
    {"maximum", "tensor<2xui8>", {"[200, 1]", "[100, 2]"}, "[200, 2]"},
    {"minimum", "tensor<2xi8>", {"[-1, 1]", "[0, -2]"}, "[-1, -2]"},
    {"and", "tensor<1xi8>", {"12", "10"}, "8"},
    {"or", "tensor<1xui64>", {"12", "3"}, "15"},
    {"xor", "tensor<1xi32>", {"12", "10"}, "6"},
    {"not", "tensor<2xi8>", {"[0, 5]"}, "[-1, -6]"},
    {"not", "tensor<1xui16>", {"0"}, "65535"},
    {"shift_left",
     "tensor<4xi8>",
     {"[1, 1, 3, 1]", "[7, 8, 1, -1]"},
     "[-128, 0, 6, 0]"},
    {"shift_right_logical",
     "tensor<3xi8>",
     {"[-128, -1, -1]", "[7, 8, 1]"},
     "[1, 0, 127]"},
    {"shift_right_arithmetic",
     "tensor<4xi8>",
     {"[-128, -128, 64, 64]", "[1, 9, 1, 9]"},
     "[-64, -1, 32, 0]"},
    {"popcnt", "tensor<2xi8>", {"[-1, 6]"}, "[8, 2]"},
    {"count_leading_zeros", "tensor<3xi16>", {"[0, 1, -1]"}, "[16, 15, 0]"},
    {"clamp",
     "tensor<4xi32>",
     {"2", "[1, 3, 9, 5]", "[4, 4, 4, 1]"},
     "[2, 3, 4, 1]"},
};
INSTANTIATE_TEST_SUITE_P(Integers, ElementwiseTest,
                         testing::ValuesIn(kIntegers));

const Case kBooleans[] = {
    {"add",
     "tensor<4xi1>",
     {"[false, false, true, true]", "[false, true, false, true]"},
     "[false, true, true, true]"},
    {"multiply",
     "tensor<4xi1>",
     {"[false, false, true, true]", "[false, true, false, true]"},
     "[false, false, false, true]"},
    {"maximum", "tensor<2xi1>", {"[false, true]", "true"}, "[true, true]"},
    {"minimum", "tensor<2xi1>", {"[false, true]", "true"}, "[false, true]"},
    {"xor", "tensor<2xi1>", {"[false, true]", "true"}, "[true, false]"},
    {"not", "tensor<2xi1>", {"[false, true]"}, "[true, false]"},
};
INSTANTIATE_TEST_SUITE_P(Booleans, ElementwiseTest,
                         testing::ValuesIn(kBooleans));

const Case kFloats[] = {
    {"add", "tensor<1xf32>", {"1.5", "2.25"}, "3.75"},
    // 1 + 2^-8 is a tie between neighbours of bf16 and goes to the even one.
    {"add", "tensor<1xbf16>", {"1.0", "0.00390625"}, "1.0"},
    {"add", "tensor<1xf16>", {"2048.0", "1.0"}, "2048.0"},
    {"multiply", "tensor<1xf16>", {"300.0", "300.0"}, "0x7C00"},
    {"divide",
     "tensor<2xf32>",
     {"[1.0, -1.0]", "0.0"},
     "[0x7F800000, 0xFF800000]"},
    {"remainder", "tensor<2xf64>", {"[-7.5, 7.5]", "2.0"}, "[-1.5, 1.5]"},
    {"power",
     "tensor<3xf32>",
     {"[2.0, 0x7FC00000, 9.0]", "[-1.0, 0.0, 0.5]"},
     "[0.5, 1.0, 3.0]"},
    {"maximum",
     "tensor<3xf32>",
     {"[0x7FC00000, -0.0, 1.0]", "[1.0, 0.0, 0x7FC00000]"},
     "[0x7FC00000, 0.0, 0x7FC00000]"},
    {"maximum",
     "tensor<2xf64>",
     {"[0.0, -0.0]", "[-0.0, -0.0]"},
     "[0.0, -0.0]"},
    {"minimum",
     "tensor<3xf32>",
     {"[0x7FC00000, -0.0, 0.0]", "[1.0, 0.0, -0.0]"},
     "[0x7FC00000, -0.0, -0.0]"},
    {"maximum", "tensor<1xbf16>", {"0x7FC0", "1.0"}, "0x7FC0"},
    {"sign",
     "tensor<5xf32>",
     {"[-0.0, 0.0, 0x7FC00000, -3.0, 0x7F800000]"},
     "[-0.0, 0.0, 0x7FC00000, -1.0, 1.0]"},
    {"abs",
     "tensor<3xf32>",
     {"[-0.0, 0xFFC00000, -2.0]"},
     "[0.0, 0x7FC00000, 2.0]"},
    {"negate", "tensor<2xf16>", {"[0.0, -1.0]"}, "[-0.0, 1.0]"},
    {"sqrt", "tensor<2xf32>", {"[4.0, 2.25]"}, "[2.0, 1.5]"},
    {"rsqrt", "tensor<2xf32>", {"[4.0, 0.0]"}, "[0.5, 0x7F800000]"},
    {"exponential", "tensor<2xf32>", {"[0.0, 0xFF800000]"}, "[1.0, 0.0]"},
    {"log", "tensor<2xf32>", {"[1.0, 0.0]"}, "[0.0, 0xFF800000]"},
    {"log_plus_one", "tensor<1xf64>", {"1.0e-300"}, "1.0e-300"},
    {"exponential_minus_one", "tensor<1xf64>", {"1.0e-300"}, "1.0e-300"},
    {"tanh", "tensor<2xf32>", {"[0.0, 100.0]"}, "[0.0, 1.0]"},
    {"logistic", "tensor<3xf32>", {"[0.0, 200.0, -200.0]"}, "[0.5, 1.0, 0.0]"},
    {"sine", "tensor<1xf32>", {"0.0"}, "0.0"},
    {"cosine", "tensor<1xbf16>", {"0.0"}, "1.0"},
    {"floor", "tensor<2xf32>", {"[1.5, -1.5]"}, "[1.0, -2.0]"},
    {"ceil", "tensor<2xf32>", {"[1.5, -0.5]"}, "[2.0, -0.0]"},
    {"round_nearest_even",
     "tensor<3xf32>",
     {"[2.5, -0.5, 3.5]"},
     "[2.0, -0.0, 4.0]"},
    {"round_nearest_afz", "tensor<2xf32>", {"[2.5, -0.5]"}, "[3.0, -1.0]"},
    {"atan2", "tensor<2xf32>", {"[0.0, -0.0]", "1.0"}, "[0.0, -0.0]"},
    {"is_finite",
     "tensor<4xf32>",
     {"[1.0, 0x7F800000, 0xFF800000, 0x7FC00000]"},
     "[true, false, false, false]",
     "tensor<4xi1>"},
};
INSTANTIATE_TEST_SUITE_P(Floats, ElementwiseTest, testing::ValuesIn(kFloats));

const Case kComplex[] = {
    {"multiply",
     "tensor<1xcomplex<f32>>",
     {"(1.0, 2.0)", "(3.0, -1.0)"},
     "(5.0, 5.0)"},
    {"abs", "tensor<1xcomplex<f32>>", {"(3.0, -4.0)"}, "5.0", "tensor<1xf32>"},
    {"maximum",
     "tensor<2xcomplex<f64>>",
     {"[(1.0, 2.0), (0.0, 9.0)]", "[(1.0, 3.0), (1.0, 0.0)]"},
     "[(1.0, 3.0), (1.0, 0.0)]"},
    {"sign",
     "tensor<2xcomplex<f32>>",
     {"[(3.0, 4.0), (0.0, 0.0)]"},
     "[(0.6, 0.8), (0.0, 0.0)]"},
    {"real", "tensor<1xcomplex<f32>>", {"(1.0, -2.0)"}, "1.0", "tensor<1xf32>"},
    {"imag",
     "tensor<1xcomplex<f64>>",
     {"(1.0, -2.0)"},
     "-2.0",
     "tensor<1xf64>"},
    {"imag", "tensor<1xf32>", {"3.0"}, "0.0"},
    {"complex",
     "tensor<1xf32>",
     {"1.0", "-2.0"},
     "(1.0, -2.0)",
     "tensor<1xcomplex<f32>>"},
    {"exponential",
     "tensor<4xcomplex<f32>>",
     {"[(0xFF800000, 0x7F800000), (0x7F800000, 0xFF800000), (0xFF800000, "
      "0x7FC00000), (0.0, 0.0)]"},
     "[(0x7FC00000, 0x7FC00000), (0x7FC00000, 0x7FC00000), (0x7FC00000, "
     "0x7FC00000), (1.0, 0.0)]"},
    {"negate", "tensor<1xcomplex<f32>>", {"(1.0, -2.0)"}, "(-1.0, 2.0)"},
};
INSTANTIATE_TEST_SUITE_P(Complex, ElementwiseTest, testing::ValuesIn(kComplex));

const Case kConversions[] = {
    {"convert",
     "tensor<5xf32>",
     {"[-1.9, 3.0e9, -3.0e9, 0x7FC00000, 0xFF800000]"},
     "[-1, 2147483647, -2147483648, 0, -2147483648]",
     "tensor<5xi32>"},
    {"convert",
     "tensor<2xf32>",
     {"[-1.0, 300.0]"},
     "[0, 255]",
     "tensor<2xui8>"},
    {"convert",
     "tensor<3xf32>",
     {"[0.0, -0.5, 0x7FC00000]"},
     "[false, true, true]",
     "tensor<3xi1>"},
    {"convert",
     "tensor<2xi1>",
     {"[false, true]"},
     "[0.0, 1.0]",
     "tensor<2xf32>"},
    {"convert", "tensor<2xi32>", {"[257, -1]"}, "[1, -1]", "tensor<2xi8>"},
    {"convert", "tensor<1xi32>", {"16777217"}, "16777216.0", "tensor<1xf32>"},
    {"convert", "tensor<1xf32>", {"1.0e6"}, "0x7C00", "tensor<1xf16>"},
    {"convert",
     "tensor<1xcomplex<f32>>",
     {"(2.5, 7.0)"},
     "2.5",
     "tensor<1xf32>"},
    {"bitcast_convert",
     "tensor<1xf32>",
     {"1.0"},
     "1065353216",
     "tensor<1xi32>"},
    {"bitcast_convert",
     "tensor<1xi32>",
     {"67305985"},
     "[[1, 2, 3, 4]]",
     "tensor<1x4xui8>"},
    {"bitcast_convert",
     "tensor<1x2xui16>",
     {"[[1, 2]]"},
     "131073",
     "tensor<1xui32>"},
};
INSTANTIATE_TEST_SUITE_P(Conversions, ElementwiseTest,
                         testing::ValuesIn(kConversions));

// compare: both types and all directions on the special values.
struct Comparison {
  std::string type;
  std::string lhs, rhs;
  std::string order;  // "FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED"
  std::string eq, ne, ge, gt, le, lt;
};

std::string CompareProgram(const Comparison& c, absl::string_view direction,
                           absl::string_view result_type) {
  return absl::StrCat("  %a = stablehlo.constant dense<", c.lhs, "> : ", c.type,
                      "\n  %b = stablehlo.constant dense<", c.rhs,
                      "> : ", c.type, "\n  %0 = stablehlo.compare ", direction,
                      ", %a, %b, ", c.order, " : (", c.type, ", ", c.type,
                      ") -> ", result_type);
}

TEST(CompareTest, EveryDirectionAndOrder) {
  const Comparison kCases[] = {
      {"tensor<4xf32>", "[0x7FC00000, 0x7FC00000, -0.0, 1.0]",
       "[1.0, 0x7FC00000, 0.0, 2.0]", "FLOAT", "[false, false, true, false]",
       "[true, true, false, true]", "[false, false, true, false]",
       "[false, false, false, false]", "[false, false, true, true]",
       "[false, false, false, true]"},
      {"tensor<4xf32>", "[-0.0, 0x7F800000, 0xFFC00000, -2.0]",
       "[0.0, 0x7FC00000, 0xFF800000, -1.0]", "TOTALORDER",
       "[false, false, false, false]", "[true, true, true, true]",
       "[false, false, false, false]", "[false, false, false, false]",
       "[true, true, true, true]", "[true, true, true, true]"},
      {"tensor<2xi8>", "[-1, 5]", "[1, 5]", "SIGNED", "[false, true]",
       "[true, false]", "[false, true]", "[false, false]", "[true, true]",
       "[true, false]"},
      {"tensor<2xui8>", "[255, 5]", "[1, 5]", "UNSIGNED", "[false, true]",
       "[true, false]", "[true, true]", "[true, false]", "[false, true]",
       "[false, false]"},
  };
  for (const Comparison& c : kCases) {
    const std::string result =
        c.type.find('4') != std::string::npos ? "tensor<4xi1>" : "tensor<2xi1>";
    const std::pair<const char*, const std::string*> kExpected[] = {
        {"EQ", &c.eq}, {"NE", &c.ne}, {"GE", &c.ge},
        {"GT", &c.gt}, {"LE", &c.le}, {"LT", &c.lt}};
    for (const auto& [direction, expected] : kExpected) {
      const auto found = RunBody(result, CompareProgram(c, direction, result));
      ASSERT_TRUE(found.ok()) << found.status();
      EXPECT_TRUE(*found == Dense(*expected, result))
          << direction << " " << c.order << " of " << c.lhs << " and " << c.rhs
          << ": " << ToString(*found);
    }
  }
}

TEST(ReducePrecisionTest, RoundsTheMantissaThenTheExponent) {
  const std::tuple<const char*, const char*, const char*> kCases[] = {
      {"e8m2", "1.01", "1.0"},
      {"e8m1", "1.25", "1.0"},  // a tie goes to the even neighbour
      {"e8m1", "1.75", "2.0"},
      {"e5m10", "1.0e6", "0x7F800000"},
      {"e5m10", "-1.0e-6", "-0.0"},
      {"e8m0", "0x7FC00000", "0x7F800000"},
      {"e8m7", "0x7FC00000", "0x7FC00000"},
      {"e8m23", "1.1", "1.1"},
  };
  for (const auto& [format, operand, expected] : kCases) {
    const auto found = RunBody(
        "tensor<f32>",
        absl::StrCat("  %a = stablehlo.constant dense<", operand,
                     "> : tensor<f32>\n  %0 = stablehlo.reduce_precision %a, "
                     "format = ",
                     format, " : tensor<f32>"));
    ASSERT_TRUE(found.ok()) << found.status();
    EXPECT_TRUE(*found == Dense(expected, "tensor<f32>"))
        << format << " of " << operand << ": " << ToString(*found);
  }
}

TEST(SelectTest, AScalarPredicateAppliesToAllElements) {
  const auto found = RunBody("tensor<2xi32>", R"(
    %p = stablehlo.constant dense<false> : tensor<i1>
    %a = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
    %b = stablehlo.constant dense<[3, 4]> : tensor<2xi32>
    %0 = stablehlo.select %p, %a, %b : tensor<i1>, tensor<2xi32>)");
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_TRUE(*found == Dense("[3, 4]", "tensor<2xi32>"));
}

TEST(SelectTest, APredicatePerElementChooses) {
  const auto found = RunBody("tensor<2xf32>", R"(
    %p = stablehlo.constant dense<[true, false]> : tensor<2xi1>
    %a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
    %b = stablehlo.constant dense<[3.0, 4.0]> : tensor<2xf32>
    %0 = stablehlo.select %p, %a, %b : tensor<2xi1>, tensor<2xf32>)");
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_TRUE(*found == Dense("[1.0, 4.0]", "tensor<2xf32>"));
}

}  // namespace
}  // namespace lockstep::internal
