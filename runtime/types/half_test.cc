#include "runtime/types/half.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

// The definition: the nearest of all finite values, ties to the even one;
// from half a step above the largest on, infinity.
template <typename Half>
uint16_t NearestBySearch(double value) {
  const uint16_t infinity = Half(std::numeric_limits<double>::infinity()).bits;
  uint16_t low = 0;
  uint16_t high = infinity;
  const double magnitude = std::fabs(value);
  while (high - low > 1) {
    const uint16_t mid = low + (high - low) / 2;
    (static_cast<double>(Half::FromBits(mid)) <= magnitude ? low : high) = mid;
  }
  const double below = static_cast<double>(Half::FromBits(low));
  const double step = high == infinity
                          ? below - static_cast<double>(Half::FromBits(low - 1))
                          : static_cast<double>(Half::FromBits(high)) - below;
  const double excess = magnitude - below;
  const bool up = excess > step / 2 || (excess == step / 2 && (low & 1) != 0);
  return (up ? high : low) | (std::signbit(value) ? 0x8000 : 0);
}

template <typename Half>
class HalfTest : public testing::Test {};
using HalfTypes = testing::Types<F16, BF16>;
TYPED_TEST_SUITE(HalfTest, HalfTypes);

TYPED_TEST(HalfTest, EveryValueSurvivesTheWayThroughFloatAndDouble) {
  for (uint32_t bits = 0; bits <= 0xFFFF; ++bits) {
    const TypeParam half = TypeParam::FromBits(static_cast<uint16_t>(bits));
    const float value = static_cast<float>(half);
    uint16_t expected = half.bits;
    if (std::isnan(value)) {
      expected |= static_cast<uint16_t>(
          sizeof(TypeParam) == 2 && std::is_same_v<TypeParam, F16> ? 0x200
                                                                   : 0x40);
    }
    ASSERT_EQ(TypeParam(value).bits, expected);
    ASSERT_EQ(TypeParam(static_cast<double>(half)).bits, expected);
  }
}

TYPED_TEST(HalfTest, MidpointsRoundToEvenAndTheirNeighboursToTheNearest) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (uint32_t bits = 0; bits < 0x7F7F; ++bits) {
    const double low = static_cast<double>(TypeParam::FromBits(bits));
    const double high = static_cast<double>(TypeParam::FromBits(bits + 1));
    if (!std::isfinite(high)) break;
    const double middle = (low + high) / 2;
    for (double value :
         {middle, std::nextafter(middle, infinity), std::nextafter(middle, 0.0),
          std::nextafter(low, infinity), std::nextafter(high, 0.0)}) {
      ASSERT_EQ(TypeParam(value).bits, NearestBySearch<TypeParam>(value))
          << value;
      ASSERT_EQ(TypeParam(-value).bits, NearestBySearch<TypeParam>(-value));
      const float single = static_cast<float>(value);
      ASSERT_EQ(TypeParam(single).bits, NearestBySearch<TypeParam>(single));
    }
  }
}

TYPED_TEST(HalfTest, RandomValuesRoundToTheNearest) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 20000; ++i) {
    const float single = std::bit_cast<float>(static_cast<uint32_t>(random()));
    if (!std::isnan(single)) {
      ASSERT_EQ(TypeParam(single).bits, NearestBySearch<TypeParam>(single));
    }
    const double value =
        std::ldexp(static_cast<double>(static_cast<int64_t>(random())),
                   static_cast<int>(random() % 340) - 240);
    ASSERT_EQ(TypeParam(value).bits, NearestBySearch<TypeParam>(value));
  }
}

TEST(F16, DoublesAreRoundedOnce) {
  // Through float this would first become the midpoint, then 1.
  EXPECT_EQ(F16(1.0 + 0x1p-11 + 0x1p-40).bits, 0x3C01);
  EXPECT_EQ(F16(static_cast<float>(1.0 + 0x1p-11 + 0x1p-40)).bits, 0x3C00);
}

TEST(F16, LargeValuesBecomeInfinity) {
  EXPECT_EQ(F16(65519.0).bits, 0x7BFF);
  EXPECT_EQ(F16(65520.0).bits, 0x7C00);
  EXPECT_EQ(F16(-1e300).bits, 0xFC00);
  EXPECT_EQ(F16(5e-324).bits, 0);
  EXPECT_EQ(F16(-5e-324).bits, 0x8000);
}

TEST(BF16, LargeValuesBecomeInfinity) {
  EXPECT_EQ(BF16(std::numeric_limits<float>::max()).bits, 0x7F80);
  EXPECT_EQ(BF16(1e300).bits, 0x7F80);
}

TEST(Half, NanKeepsItsSignAndTheHighBitsOfItsPayload) {
  const float nan = std::bit_cast<float>(0xFF8A0001);
  EXPECT_EQ(BF16(nan).bits, 0xFFCA);
  EXPECT_EQ(F16(nan).bits, 0xFE50);
}

}  // namespace
}  // namespace lockstep::internal
