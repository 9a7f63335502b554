#include <algorithm>
#include <cmath>
#include <complex>
#include <ostream>
#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "runtime/types/convert.h"
#include "tests/programs/program_testing.h"

namespace lockstep::internal {
namespace {

// `body` computes %0 of `type`, which is near `expected`.
struct Case {
  std::string name;
  std::string body;
  std::string type;
  std::string expected;
};
std::ostream& operator<<(std::ostream& os, const Case& c) {
  return os << c.name;
}
std::string NameOf(const testing::TestParamInfo<Case>& info) {
  return info.param.name;
}

constexpr absl::string_view kInputs = R"(
  %z = stablehlo.constant dense<[(1.0,2.0), (3.0,-1.0), (0.0,4.0), (2.0,2.0)]> : tensor<4xcomplex<f64>>
  %r = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0, 6.0]> : tensor<5xf32>
  %h = stablehlo.constant dense<[[4.0, 99.0, 99.0], [2.0, 5.0, 99.0], [6.0, 7.0, 35.0]]> : tensor<3x3xf32>
  %b = stablehlo.constant dense<[[2.0, 4.0], [5.0, 12.0], [38.0, 70.0]]> : tensor<3x2xf32>
  %l = stablehlo.constant dense<[[2.0, 0x7FC00000, 0x7FC00000], [1.0, 2.0, 0x7FC00000], [3.0, 2.0, 4.0]]> : tensor<3x3xf32>
)";

Literal AsComplex(const LiteralView& literal) {
  Literal wide(Shape(ElementType::kC128, literal.shape().dims()));
  ConvertElements(literal, wide.mutable_view());
  return wide;
}

class NumericTest : public testing::TestWithParam<Case> {};

TEST_P(NumericTest, IsNear) {
  const Case& c = GetParam();
  const auto found = RunBody(c.type, absl::StrCat(kInputs, "  ", c.body));
  ASSERT_TRUE(found.ok()) << found.status();
  const Literal wanted = Dense(c.expected, c.type);
  ASSERT_EQ(found->shape(), wanted.shape());
  const double tolerance =
      ByteSize(RealType(wanted.shape().element_type())) == 8 ? 1e-12 : 1e-5;
  const Literal x = AsComplex(*found);
  const Literal y = AsComplex(wanted);
  for (int64_t i = 0; i < x.shape().element_count(); ++i) {
    const auto a = x.data<std::complex<double>>()[i];
    const auto b = y.data<std::complex<double>>()[i];
    if (a == b || (std::isnan(a.real()) && std::isnan(b.real()))) continue;
    EXPECT_LE(std::abs(a - b), tolerance * std::max(1.0, std::abs(b)))
        << i << ": " << a << ", expected " << b;
  }
}

std::string Chlo(const std::string& op, const std::string& values,
                 const std::string& type) {
  return absl::StrCat("%x = stablehlo.constant dense<", values, "> : ", type,
                      "\n  %0 = chlo.", op, " %x : ", type, " -> ", type);
}
std::string Chlo(const std::string& op, const std::string& x,
                 const std::string& y, const std::string& type) {
  return absl::StrCat("%x = stablehlo.constant dense<", x, "> : ", type,
                      "\n  %y = stablehlo.constant dense<", y, "> : ", type,
                      "\n  %0 = chlo.", op, " %x, %y : ", type, ", ", type,
                      " -> ", type);
}

const Case kTransforms[] = {
    {"Fft",
     "%0 = stablehlo.fft %z, type = FFT, length = [4] : "
     "(tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>>",
     "tensor<4xcomplex<f64>>",
     "[(6.0,7.0), (-2.0,-3.0), (-4.0,5.0), (4.0,-1.0)]"},
    {"IfftDividesByTheLength",
     R"(%f = stablehlo.fft %z, type = FFT, length = [4] : (tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>>
     %0 = stablehlo.fft %f, type = IFFT, length = [4] : (tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>>)",
     "tensor<4xcomplex<f64>>", "[(1.0,2.0), (3.0,-1.0), (0.0,4.0), (2.0,2.0)]"},
    {"RfftKeepsHalf",
     "%0 = stablehlo.fft %r, type = RFFT, length = [5] : (tensor<5xf32>) -> "
     "tensor<3xcomplex<f32>>",
     "tensor<3xcomplex<f32>>",
     "[(16.0,0.0), (-2.1909830,4.3920113), (-3.3090170,1.4000845)]"},
    {"IrfftInvertsRfftOfAnOddLength",
     R"(%f = stablehlo.fft %r, type = RFFT, length = [5] : (tensor<5xf32>) -> tensor<3xcomplex<f32>>
     %0 = stablehlo.fft %f, type = IRFFT, length = [5] : (tensor<3xcomplex<f32>>) -> tensor<5xf32>)",
     "tensor<5xf32>", "[1.0, 2.0, 3.0, 4.0, 6.0]"},
    {"FftOfTwoDims",
     R"(%m = stablehlo.reshape %z : (tensor<4xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>
     %0 = stablehlo.fft %m, type = FFT, length = [2, 2] : (tensor<2x2xcomplex<f64>>) -> tensor<2x2xcomplex<f64>>)",
     "tensor<2x2xcomplex<f64>>",
     "[[(6.0,7.0), (-4.0,5.0)], [(2.0,-5.0), (0.0,1.0)]]"},
    {"RfftAndIrfftOfTwoDims",
     R"(%m = stablehlo.constant dense<[[1.0, 2.0, 3.0, 5.0], [7.0, 11.0, 13.0, 17.0], [0.5, 2.5, 1.5, 4.5]]> : tensor<3x4xf64>
     %f = stablehlo.fft %m, type = RFFT, length = [3, 4] : (tensor<3x4xf64>) -> tensor<3x3xcomplex<f64>>
     %0 = stablehlo.fft %f, type = IRFFT, length = [3, 4] : (tensor<3x3xcomplex<f64>>) -> tensor<3x4xf64>)",
     "tensor<3x4xf64>",
     "[[1.0, 2.0, 3.0, 5.0], [7.0, 11.0, 13.0, 17.0], [0.5, 2.5, 1.5, 4.5]]"},
    {"CholeskyReadsTheLowerTriangleOnly",
     "%0 = stablehlo.cholesky %h, lower = true : tensor<3x3xf32>",
     "tensor<3x3xf32>",
     "[[2.0, 0.0, 0.0], [1.0, 2.0, 0.0], [3.0, 2.0, 4.690416]]"},
    {"CholeskyOfTheUpperTriangle",
     R"(%t = stablehlo.transpose %h, dims = [1, 0] : (tensor<3x3xf32>) -> tensor<3x3xf32>
     %0 = stablehlo.cholesky %t : tensor<3x3xf32>)",
     "tensor<3x3xf32>",
     "[[2.0, 1.0, 3.0], [0.0, 2.0, 2.0], [0.0, 0.0, 4.690416]]"},
    {"CholeskyOfHermitianMatrices",
     R"(%m = stablehlo.constant dense<[[(4.0,0.0), (0.0,0.0)], [(2.0,2.0), (6.0,0.0)]]> : tensor<2x2xcomplex<f64>>
     %0 = stablehlo.cholesky %m, lower = true : tensor<2x2xcomplex<f64>>)",
     "tensor<2x2xcomplex<f64>>",
     "[[(2.0,0.0), (0.0,0.0)], [(1.0,1.0), (2.0,0.0)]]"},
    {"CholeskyOfAMatrixThatIsNotPositiveIsNan",
     R"(%m = stablehlo.constant dense<-1.0> : tensor<1x1xf16>
     %0 = stablehlo.cholesky %m, lower = true : tensor<1x1xf16>)",
     "tensor<1x1xf16>", "0x7E00"},
    {"TriangularSolveNeverReadsTheOtherTriangle",
     R"(%0 = "stablehlo.triangular_solve"(%l, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>)",
     "tensor<3x2xf32>", "[[1.0, 2.0], [2.0, 5.0], [7.75, 13.5]]"},
    {"TriangularSolveOfTheTranspose",
     R"(%0 = "stablehlo.triangular_solve"(%l, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>)",
     "tensor<3x2xf32>", "[[-9.75, -18.5], [-7.0, -11.5], [9.5, 17.5]]"},
    {"TriangularSolveOnTheRightWithUnitDiagonal",
     R"(%u = stablehlo.constant dense<[[1.0, 2.0, 3.0]]> : tensor<1x3xf32>
     %0 = "stablehlo.triangular_solve"(%l, %u) <{left_side = false, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = true}> : (tensor<3x3xf32>, tensor<1x3xf32>) -> tensor<1x3xf32>)",
     "tensor<1x3xf32>", "[[-4.0, -4.0, 3.0]]"},
    {"TriangularSolveOfTheAdjoint",
     R"(%a = stablehlo.constant dense<[[(0.0,2.0)]]> : tensor<1x1xcomplex<f32>>
     %u = stablehlo.constant dense<[[(4.0,0.0)]]> : tensor<1x1xcomplex<f32>>
     %0 = "stablehlo.triangular_solve"(%a, %u) <{left_side = true, lower = false, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = false}> : (tensor<1x1xcomplex<f32>>, tensor<1x1xcomplex<f32>>) -> tensor<1x1xcomplex<f32>>)",
     "tensor<1x1xcomplex<f32>>", "[[(0.0,2.0)]]"},
};
INSTANTIATE_TEST_SUITE_P(Transforms, NumericTest,
                         testing::ValuesIn(kTransforms), NameOf);

const Case kChlo[] = {
    {"Erf", Chlo("erf", "[0.0, 0.5, -2.0]", "tensor<3xf64>"), "tensor<3xf64>",
     "[0.0, 0.5204998778130465, -0.9953222650189527]"},
    {"ErfcOfALargeNumber", Chlo("erfc", "[0.5, 10.0]", "tensor<2xf64>"),
     "tensor<2xf64>", "[0.4795001221869535, 2.088487583762545e-45]"},
    {"ErfInv",
     Chlo("erf_inv", "[0.0, 0.5, -0.9999, 1.0, -1.0, 1.5]", "tensor<6xf64>"),
     "tensor<6xf64>",
     "[0.0, 0.4769362762044699, -2.751063905712061, 0x7FF0000000000000, "
     "0xFFF0000000000000, 0x7FF8000000000000]"},
    {"ErfInvOfHalfPrecision", Chlo("erf_inv", "[0.5]", "tensor<1xbf16>"),
     "tensor<1xbf16>", "[0.4765625]"},
    {"Lgamma", Chlo("lgamma", "[0.5, 1.0, 10.0, -1.5, -2.0]", "tensor<5xf64>"),
     "tensor<5xf64>",
     "[0.5723649429247001, 0.0, 12.801827480081469, 0.8600470153764810, "
     "0x7FF0000000000000]"},
    {"Digamma",
     Chlo("digamma", "[1.0, 0.5, 20.0, -1.5, -1.0, 0.0]", "tensor<6xf64>"),
     "tensor<6xf64>",
     "[-0.5772156649015329, -1.9635100260214235, 2.9705239922421498, "
     "0.7031566406452432, 0x7FF8000000000000, 0x7FF8000000000000]"},
    {"Zeta",
     Chlo("zeta", "[2.0, 3.0, 1.0, 0.5]", "[1.0, 0.5, 2.0, 1.0]",
          "tensor<4xf64>"),
     "tensor<4xf64>",
     "[1.6449340668482264, 8.414398322117160, 0x7FF0000000000000, "
     "0x7FF8000000000000]"},
    {"Polygamma",
     Chlo("polygamma", "[0.0, 1.0, 2.0, 0.5]", "[1.0, 1.0, 2.0, 1.0]",
          "tensor<4xf64>"),
     "tensor<4xf64>",
     "[-0.5772156649015329, 1.6449340668482264, -0.4041138063191886, "
     "0x7FF8000000000000]"},
    {"BesselI1e", Chlo("bessel_i1e", "[0.0, 1.0, -20.0]", "tensor<3xf64>"),
     "tensor<3xf64>", "[0.0, 0.2079104153497085, -0.08750622218328867]"},
    {"Tan", Chlo("tan", "[0.0, 1.0]", "tensor<2xf64>"), "tensor<2xf64>",
     "[0.0, 1.5574077246549023]"},
    {"Asin", Chlo("asin", "[-1.0, 0.5]", "tensor<2xf64>"), "tensor<2xf64>",
     "[-1.5707963267948966, 0.5235987755982989]"},
    {"Acos", Chlo("acos", "[-1.0, 0.5]", "tensor<2xf64>"), "tensor<2xf64>",
     "[3.141592653589793, 1.0471975511965979]"},
    {"AtanOfComplexNumbers",
     Chlo("atan", "[(1.0,1.0)]", "tensor<1xcomplex<f64>>"),
     "tensor<1xcomplex<f64>>", "[(1.0172219678978514,0.4023594781085251)]"},
    {"Sinh", Chlo("sinh", "[1.0, -1e-5]", "tensor<2xf64>"), "tensor<2xf64>",
     "[1.1752011936438014, -1.0000000000166667e-5]"},
    {"Cosh", Chlo("cosh", "[1.0]", "tensor<1xf32>"), "tensor<1xf32>",
     "[1.5430806]"},
    {"Asinh", Chlo("asinh", "[1.0, -1e200]", "tensor<2xf64>"), "tensor<2xf64>",
     "[0.881373587019543, -461.2101657793691]"},
    {"Acosh", Chlo("acosh", "[2.0, 0.5]", "tensor<2xf64>"), "tensor<2xf64>",
     "[1.3169578969248166, 0x7FF8000000000000]"},
    {"Atanh", Chlo("atanh", "[0.5, 1.0, 2.0]", "tensor<3xf64>"),
     "tensor<3xf64>",
     "[0.5493061443340549, 0x7FF0000000000000, 0x7FF8000000000000]"},
    {"Square", Chlo("square", "[(1.0,2.0)]", "tensor<1xcomplex<f32>>"),
     "tensor<1xcomplex<f32>>", "[(-3.0,4.0)]"},
    {"SquareOfIntegersWraps", Chlo("square", "[16, -3]", "tensor<2xi8>"),
     "tensor<2xi8>", "[0, 9]"},
    {"Conj", Chlo("conj", "[(1.0,2.0)]", "tensor<1xcomplex<f32>>"),
     "tensor<1xcomplex<f32>>", "[(1.0,-2.0)]"},
    {"NextAfter",
     Chlo("next_after", "[1.0, 1.0, 0.0, -0.0, 2.0]",
          "[2.0, 0.0, -1.0, 0.0, 2.0]", "tensor<5xf32>"),
     "tensor<5xf32>", "[0x3F800001, 0x3F7FFFFF, 0x80000001, 0.0, 2.0]"},
    {"NextAfterOfHalfPrecision",
     Chlo("next_after", "[1.0, 0x7F80]", "[2.0, 0x7FC0]", "tensor<2xbf16>"),
     "tensor<2xbf16>", "[0x3F81, 0x7FC0]"},
    {"Mulhi",
     Chlo("mulhi", "[268435456, -268435456, -1]", "[16, 16, 1]",
          "tensor<3xi32>"),
     "tensor<3xi32>", "[1, -1, -1]"},
    {"MulhiOfUnsigned",
     Chlo("mulhi", "[18446744073709551615]", "[18446744073709551615]",
          "tensor<1xui64>"),
     "tensor<1xui64>", "[18446744073709551614]"},
    {"MulhiOfFourBits", Chlo("mulhi", "[7, -8]", "[7, 2]", "tensor<2xi4>"),
     "tensor<2xi4>", "[3, -1]"},
};
INSTANTIATE_TEST_SUITE_P(Chlo, NumericTest, testing::ValuesIn(kChlo), NameOf);

TEST(IsInf, TellsTheSigns) {
  const auto found = RunText(R"(
func.func @main() -> (tensor<3xi1>, tensor<3xi1>, tensor<3xi1>) {
  %x = stablehlo.constant dense<[0x7F80, 0xFF80, 0x7FC0]> : tensor<3xbf16>
  %0 = chlo.is_inf %x : tensor<3xbf16> -> tensor<3xi1>
  %1 = chlo.is_pos_inf %x : tensor<3xbf16> -> tensor<3xi1>
  %2 = chlo.is_neg_inf %x : tensor<3xbf16> -> tensor<3xi1>
  return %0, %1, %2 : tensor<3xi1>, tensor<3xi1>, tensor<3xi1>
})");
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_TRUE((*found)[0] == Dense("[true, true, false]", "tensor<3xi1>"));
  EXPECT_TRUE((*found)[1] == Dense("[true, false, false]", "tensor<3xi1>"));
  EXPECT_TRUE((*found)[2] == Dense("[false, true, false]", "tensor<3xi1>"));
}

}  // namespace
}  // namespace lockstep::internal
