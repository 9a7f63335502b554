#include "runtime/types/decimal.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

TEST(ScanDecimal, NormalisesDigitsAndExponent) {
  const auto shown = [](absl::string_view text) {
    const std::optional<Decimal> d = ScanDecimal(text);
    if (!d.has_value()) return std::string("none");
    return absl::StrCat(d->negative ? "-" : "", "0.", d->digits, "e",
                        d->exponent);
  };
  EXPECT_EQ(shown("12.50"), "0.125e2");
  EXPECT_EQ(shown("-0.0012"), "-0.12e-2");
  EXPECT_EQ(shown("1."), "0.1e1");
  EXPECT_EQ(shown(".5"), "0.5e0");
  EXPECT_EQ(shown("+1e5"), "0.1e6");
  EXPECT_EQ(shown("1E-3"), "0.1e-2");
  EXPECT_EQ(shown("-0.000"), "-0.e0");
  EXPECT_EQ(shown("1e99999999999999999999"), "0.1e1000000000");
  for (absl::string_view text :
       {"", "-", ".", "e5", "1e", "1e+", "1.2.3", "0x1", "inf", "nan", "1 ",
        " 1", "--1", "1f", "1,5"}) {
    EXPECT_EQ(shown(text), "none") << text;
  }
}

template <typename T>
T Round(absl::string_view text) {
  return RoundDecimal<T>(*ScanDecimal(text));
}

TEST(RoundDecimal, HalvesAreRoundedOnceFromDecimal) {
  // 1 + 2^-11 is the middle of 1 and the next f16; the last digit decides, far
  // behind what a double holds.
  const std::string middle = "1.00048828125";
  EXPECT_EQ(Round<F16>(middle).bits, 0x3C00);
  EXPECT_EQ(Round<F16>(middle + std::string(40, '0') + "1").bits, 0x3C01);
  EXPECT_EQ(Round<F16>("1.000488281249999999999999999999999").bits, 0x3C00);
  EXPECT_EQ(Round<F16>("1.00146484375").bits, 0x3C02);
  EXPECT_EQ(Round<F16>("1.0014648437499999999999999999999").bits, 0x3C01);
  EXPECT_EQ(Round<BF16>("-1.00390625").bits, 0xBF80);
  EXPECT_EQ(Round<BF16>("-1.003906250000000000000000000000001").bits, 0xBF81);
  EXPECT_EQ(Round<F16>("65519.99999999999999999999999").bits, 0x7BFF);
  EXPECT_EQ(Round<F16>("65520").bits, 0x7C00);
  EXPECT_EQ(Round<F16>("2.98023223876953125e-8").bits, 0);
  EXPECT_EQ(Round<F16>("2.980232238769531250000000000001e-8").bits, 1);
}

TEST(RoundDecimal, FloatsAreNotRoundedThroughDouble) {
  EXPECT_EQ(Round<float>("1.00000005960464477539062500000000000001"),
            1.0f + 0x1p-23f);
  EXPECT_EQ(Round<float>("1.000000059604644775390625"), 1.0f);
}

TEST(RoundDecimal, ExtremesBecomeInfinityZeroAndSubnormals) {
  EXPECT_TRUE(std::isinf(Round<double>("1e400")));
  EXPECT_TRUE(std::isinf(Round<float>("-1e400")));
  EXPECT_TRUE(std::isinf(Round<float>("1e999999999999")));
  EXPECT_EQ(Round<double>("1e-999999999999"), 0.0);
  EXPECT_TRUE(std::signbit(Round<double>("-1e-400")));
  EXPECT_TRUE(std::signbit(Round<float>("-0.0")));
  EXPECT_EQ(Round<F16>("-0").bits, 0x8000);
  EXPECT_EQ(Round<double>("4.9e-324"), 0x1p-1074);
  EXPECT_EQ(Round<double>("2.5e-320"), 5060 * 0x1p-1074);
  EXPECT_EQ(Round<float>("1e-45"), 0x1p-149f);
  EXPECT_EQ(Round<double>("1.7976931348623157e308"),
            std::numeric_limits<double>::max());
  EXPECT_EQ(Round<double>(std::string(5000, '1') + "e-5000"),
            0.11111111111111111);
  EXPECT_EQ(Round<double>("0." + std::string(5000, '0') + "1e5001"), 1.0);
}

TEST(ShortestDecimal, EveryHalfReadsBack) {
  for (uint32_t bits = 0; bits <= 0xFFFF; ++bits) {
    const F16 f16 = F16::FromBits(static_cast<uint16_t>(bits));
    if (std::isfinite(static_cast<float>(f16))) {
      const Decimal decimal = ShortestDecimal(f16);
      ASSERT_EQ(RoundDecimal<F16>(decimal).bits, bits);
      ASSERT_LE(decimal.digits.size(), 5u);
    }
    const BF16 bf16 = BF16::FromBits(static_cast<uint16_t>(bits));
    if (std::isfinite(static_cast<float>(bf16))) {
      ASSERT_EQ(RoundDecimal<BF16>(ShortestDecimal(bf16)).bits, bits);
    }
  }
}

TEST(ShortestDecimal, RandomFloatsAndDoublesReadBack) {
  std::mt19937_64 random(11);
  for (int i = 0; i < 20000; ++i) {
    const float f = std::bit_cast<float>(static_cast<uint32_t>(random()));
    if (std::isfinite(f)) {
      ASSERT_EQ(RoundDecimal<float>(ShortestDecimal(f)), f);
    }
    const double d = std::bit_cast<double>(random());
    if (std::isfinite(d)) {
      ASSERT_EQ(RoundDecimal<double>(ShortestDecimal(d)), d);
    }
  }
}

}  // namespace
}  // namespace lockstep::internal
