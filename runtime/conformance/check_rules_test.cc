#include "runtime/conformance/check_rules.h"

#include <cmath>
#include <complex>
#include <limits>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

using ::testing::HasSubstr;

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kTiny = std::numeric_limits<float>::denorm_min();

template <typename T>
uint64_t Ulp(T a, T b) {
  return UlpDistance(Literal::Scalar(a), Literal::Scalar(b), 0);
}

TEST(UlpDistanceTest, CountsStepsBetweenValuesOfOneSign) {
  EXPECT_EQ(Ulp(1.0f, 1.0f), 0);
  EXPECT_EQ(Ulp(1.0f, std::nextafter(1.0f, 2.0f)), 1);
  EXPECT_EQ(Ulp(std::nextafter(1.0f, 2.0f), 1.0f), 1);
  EXPECT_EQ(Ulp(1.0, std::nextafter(std::nextafter(1.0, 0.0), 0.0)), 2);
  // Across a power of two the steps change their size, not their number.
  EXPECT_EQ(Ulp(std::nextafter(2.0f, 0.0f), std::nextafter(2.0f, 3.0f)), 2);
}

TEST(UlpDistanceTest, ValuesOfDifferentSignsAreApartByBothMagnitudes) {
  EXPECT_EQ(Ulp(0.0f, -0.0f), 0);
  EXPECT_EQ(Ulp(kTiny, -kTiny), 2);
  EXPECT_EQ(Ulp(-0.0f, kTiny), 1);
  EXPECT_EQ(Ulp(1.0f, -1.0f), 2 * uint64_t{0x3f800000});
}

TEST(UlpDistanceTest, NanMatchesNanOnly) {
  EXPECT_EQ(Ulp(kNan, -kNan), 0);
  EXPECT_EQ(Ulp(kNan, 1.0f), kMaximalUlp);
  EXPECT_EQ(Ulp(kInf, kNan), kMaximalUlp);
}

TEST(UlpDistanceTest, InfinityMatchesItselfOnly) {
  EXPECT_EQ(Ulp(kInf, kInf), 0);
  EXPECT_EQ(Ulp(kInf, -kInf), kMaximalUlp);
  // One step in bits, but not close.
  EXPECT_EQ(Ulp(kInf, std::numeric_limits<float>::max()), kMaximalUlp);
}

TEST(UlpDistanceTest, TakesTheLargerOfTheTwoPartsOfAComplexNumber) {
  const std::complex<float> a(1.0f, 5.0f);
  const std::complex<float> b(std::nextafter(1.0f, 2.0f),
                              std::nextafter(std::nextafter(5.0f, 9.f), 9.f));
  EXPECT_EQ(Ulp(a, b), 2);
}

TEST(UlpDistanceTest, StepsAreThoseOfTheElementType) {
  EXPECT_EQ(Ulp(F16::FromBits(0x3c00), F16::FromBits(0x3c03)), 3);
  EXPECT_EQ(Ulp(BF16(1.0f), BF16(-1.0f)), 2 * uint64_t{0x3f80});
}

std::optional<std::string> Compare(CheckRule::Kind kind, float a, float b,
                                   double tolerance = 0, uint64_t max_ulp = 0) {
  return Mismatch({kind, tolerance, 0, max_ulp}, Literal::Scalar(a),
                  Literal::Scalar(b));
}

TEST(CheckRuleTest, EqualityOfFloatsIsThatOfNumbers) {
  EXPECT_EQ(Compare(CheckRule::Kind::kEqual, 0.0f, -0.0f), std::nullopt);
  EXPECT_NE(Compare(CheckRule::Kind::kEqual, kNan, kNan), std::nullopt);
  EXPECT_NE(Compare(CheckRule::Kind::kEqual, 1.0f, 1.0000001f), std::nullopt);
}

TEST(CheckRuleTest, EqualityOfLargeIntegersIsExact) {
  const int64_t large = (int64_t{1} << 62) + 1;
  EXPECT_EQ(Mismatch({}, Literal::Scalar(large), Literal::Scalar(large)),
            std::nullopt);
  EXPECT_NE(Mismatch({}, Literal::Scalar(large), Literal::Scalar(large - 1)),
            std::nullopt);
}

TEST(CheckRuleTest, AlmostEqualUsesAnAbsoluteTolerance) {
  constexpr auto kRule = CheckRule::Kind::kAlmostEqual;
  EXPECT_EQ(Compare(kRule, 1.0f, 1.0009f, 1e-3), std::nullopt);
  EXPECT_NE(Compare(kRule, 1.0f, 1.0011f, 1e-3), std::nullopt);
  EXPECT_NE(Compare(kRule, 1e6f, 1e6f + 1, 1e-3), std::nullopt);
  EXPECT_EQ(Compare(kRule, kNan, -kNan, 1e-3), std::nullopt);
  EXPECT_NE(Compare(kRule, kNan, 1.0f, 1e-3), std::nullopt);
  EXPECT_EQ(Compare(kRule, kInf, kInf, 1e-3), std::nullopt);
  EXPECT_NE(Compare(kRule, kInf, -kInf, 1e-3), std::nullopt);
  EXPECT_NE(Compare(kRule, kInf, 1.0f, kInf), std::nullopt);
}

TEST(CheckRuleTest, CloseNeedsADistanceWithinBothLimits) {
  const Literal one = Literal::Scalar(1.0f);
  const Literal next = Literal::Scalar(std::nextafter(1.0f, 2.0f));
  const CheckRule rule{CheckRule::Kind::kClose, 0, 1, 2};
  EXPECT_EQ(Mismatch(rule, one, next), std::nullopt);
  EXPECT_NE(Mismatch(rule, one, one), std::nullopt);
  EXPECT_NE(Mismatch({CheckRule::Kind::kClose, 0, 0, 0}, one, next),
            std::nullopt);
}

TEST(CheckRuleTest, CloseIsNotDefinedForIntegers) {
  const Literal one = Literal::Scalar<int32_t>(1);
  EXPECT_THAT(Mismatch({CheckRule::Kind::kClose, 0, 0, 3}, one, one).value(),
              HasSubstr("expected a float or complex type, found i32"));
}

TEST(CheckRuleTest, TypesAreComparedBeforeValues) {
  const Literal a = Literal::FromValues<float>({2}, {1, 2});
  const Literal b = Literal::FromValues<float>({2, 1}, {1, 2});
  EXPECT_EQ(Mismatch({}, a, b).value(),
            "expected tensor<2x1xf32>, found tensor<2xf32>");
}

TEST(CheckRuleTest, MessageNamesTheFirstElementThatDiffersAndBothValues) {
  const Literal found = Literal::FromValues<int32_t>({2, 2}, {1, 2, 7, 8});
  const Literal expected = Literal::FromValues<int32_t>({2, 2}, {1, 2, 3, 4});
  EXPECT_EQ(Mismatch({}, found, expected).value(),
            "element [1,0]: expected 3, found 7 (expected equality)");
}

}  // namespace
}  // namespace lockstep::internal
