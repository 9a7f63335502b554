#include <complex>
#include <limits>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "runtime/types/literal.h"

namespace lockstep::internal {
namespace {

template <typename T>
std::string Shown(std::initializer_list<int64_t> dims,
                  std::initializer_list<T> values) {
  return ToString(Literal::FromValues<T>(dims, values));
}

template <typename T>
std::string Counted(std::initializer_list<int64_t> dims) {
  Literal literal(Shape(ElementTypeOf<T>::value, dims));
  T next{};
  for (T& value : literal.mutable_data<T>()) value = next++;
  return ToString(literal);
}

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

// All expected texts are NumPy's, printed with floatmode='unique'.
TEST(LiteralToString, IntegersAndBooleansShareOneWidth) {
  EXPECT_EQ(Shown<int32_t>({4}, {28, 29, 30, 31}), "[28 29 30 31]");
  EXPECT_EQ(Shown<int64_t>({2, 2}, {1, -2, 30, 4}), "[[ 1 -2]\n [30  4]]");
  EXPECT_EQ(Shown<bool>({2}, {true, false}), "[ True False]");
  EXPECT_EQ(Shown<bool>({1, 1}, {true}), "[[ True]]");
  EXPECT_EQ(Counted<uint8_t>({2, 2, 2}),
            "[[[0 1]\n  [2 3]]\n\n [[4 5]\n  [6 7]]]");
}

TEST(LiteralToString, FloatsHavePointsBelowEachOther) {
  EXPECT_EQ(Shown<float>({3}, {0, 0.25, 1}), "[0.   0.25 1.  ]");
  EXPECT_EQ(Shown<float>({4}, {28, 29, 30, 31}), "[28. 29. 30. 31.]");
  EXPECT_EQ(Shown<float>({2}, {0.0f, -0.0f}), "[ 0. -0.]");
  EXPECT_EQ(Shown<float>({2}, {1 / 3.f, 2 / 3.f}), "[0.33333334 0.6666667 ]");
  EXPECT_EQ(Shown<F16>({2}, {F16(0.1), F16(1 / 3.0)}), "[0.1    0.3333]");
  EXPECT_EQ(Shown<BF16>({2}, {BF16(0.1), BF16(3.14)}), "[0.1  3.14]");
  EXPECT_EQ(Shown<double>({2}, {99999999., 100000.}), "[99999999.   100000.]");
}

TEST(LiteralToString, WideRangesAreScientific) {
  EXPECT_EQ(Shown<float>({3}, {1e-5f, 1, 2.5}), "[1.0e-05 1.0e+00 2.5e+00]");
  EXPECT_EQ(Shown<double>({2}, {1e10, -2.5e-3}), "[ 1.0e+10 -2.5e-03]");
  EXPECT_EQ(Shown<float>({2}, {1234567, 1.5}), "[1.234567e+06 1.500000e+00]");
}

TEST(LiteralToString, SpecialValuesAreRightAligned) {
  EXPECT_EQ(Shown<float>({3}, {kNan, 1.5, -kInfinity}), "[ nan  1.5 -inf]");
  EXPECT_EQ(Shown<float>({2}, {kNan, kInfinity}), "[nan inf]");
  EXPECT_EQ(Shown<float>({1}, {-kInfinity}), "[-inf]");
  EXPECT_EQ(Shown<double>({3}, {1e100, kNan, 1}), "[1.e+100     nan 1.e+000]");
}

TEST(LiteralToString, ComplexNumbersAreTwoColumns) {
  using C64 = std::complex<float>;
  EXPECT_EQ(Shown<C64>({2}, {C64(1, 2), C64(-3.5, -0.25)}),
            "[ 1. +2.j   -3.5-0.25j]");
  EXPECT_EQ(Shown<C64>({2}, {C64(kNan, 1), C64(2, 0)}), "[nan+1.j  2.+0.j]");
}

TEST(LiteralToString, ScalarsStandAlone) {
  EXPECT_EQ(ToString(Literal::Scalar(1.0f)), "1.0");
  EXPECT_EQ(ToString(Literal::Scalar(0.1f)), "0.1");
  EXPECT_EQ(ToString(Literal::Scalar(1e16)), "1e+16");
  EXPECT_EQ(ToString(Literal::Scalar(1e15)), "1000000000000000.0");
  EXPECT_EQ(ToString(Literal::Scalar(-1.5e-7f)), "-1.5e-07");
  EXPECT_EQ(ToString(Literal::Scalar(kNan)), "nan");
  EXPECT_EQ(ToString(Literal::Scalar(true)), "True");
  EXPECT_EQ(ToString(Literal::Scalar(int8_t{-3})), "-3");
  EXPECT_EQ(ToString(Literal::Scalar(std::complex<double>(-0.5, -1e-7))),
            "(-0.5-1e-07j)");
}

TEST(LiteralToString, EmptyArraysAreEmptyBrackets) {
  EXPECT_EQ(ToString(Literal(Shape(ElementType::kF32, {0, 3}))), "[]");
}

TEST(LiteralToString, LongRowsAreWrappedAndLongArraysShortened) {
  EXPECT_EQ(
      Counted<int32_t>({30}),
      "[ 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20 21 "
      "22 23\n 24 25 26 27 28 29]");
  EXPECT_EQ(Counted<int32_t>({2000}), "[   0    1    2 ... 1997 1998 1999]");
  EXPECT_EQ(Counted<int32_t>({2, 30}),
            "[[ 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20 "
            "21 22 23\n  24 25 26 27 28 29]\n"
            " [30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 "
            "51 52 53\n  54 55 56 57 58 59]]");
  EXPECT_EQ(Counted<int32_t>({7, 1000}),
            "[[   0    1    2 ...  997  998  999]\n"
            " [1000 1001 1002 ... 1997 1998 1999]\n"
            " [2000 2001 2002 ... 2997 2998 2999]\n"
            " ...\n"
            " [4000 4001 4002 ... 4997 4998 4999]\n"
            " [5000 5001 5002 ... 5997 5998 5999]\n"
            " [6000 6001 6002 ... 6997 6998 6999]]");
}

}  // namespace
}  // namespace lockstep::internal
