#include "runtime/types/convert.h"

#include <bit>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::vector<ElementType> AllTypes() {
  std::vector<ElementType> types;
  for (int i = 1; i <= 15; ++i) types.push_back(static_cast<ElementType>(i));
  return types;
}

template <typename To, typename From>
To Convert(From value) {
  const Literal from = Literal::Scalar(value);
  Literal to(Shape(ElementTypeOf<To>::value, {}));
  ConvertElements(from, to.mutable_view());
  return to.data<To>()[0];
}

// Values that every type holds exactly survive between all pairs of types.
TEST(ConvertElements, SmallValuesSurviveBetweenAllPairsOfTypes) {
  for (ElementType from_type : AllTypes()) {
    for (ElementType to_type : AllTypes()) {
      for (int value : {0, 1}) {
        Literal source(Shape(ElementType::kS32, {1}));
        source.mutable_data<int32_t>()[0] = value;
        Literal from(Shape(from_type, {1}));
        Literal to(Shape(to_type, {1}));
        Literal back(Shape(ElementType::kS32, {1}));
        ConvertElements(source, from.mutable_view());
        ConvertElements(from, to.mutable_view());
        ConvertElements(to, back.mutable_view());
        EXPECT_EQ(back.data<int32_t>()[0], value)
            << from_type << " to " << to_type;
      }
    }
  }
}

// Every source type holds -3 (wrapped when unsigned); the expected result is
// written down as a double and compared in the target type.
TEST(ConvertElements, MinusThreeBetweenAllPairsOfTypes) {
  for (ElementType from_type : AllTypes()) {
    for (ElementType to_type : AllTypes()) {
      const Literal source = Literal::FromValues<int64_t>({1}, {-3});
      Literal from(Shape(from_type, {1}));
      ConvertElements(source, from.mutable_view());
      double held = -3;
      if (from_type == ElementType::kPred) held = 1;
      if (IsUnsignedInteger(from_type)) {
        held += std::ldexp(1.0, static_cast<int>(8 * ByteSize(from_type)));
      }
      Literal to(Shape(to_type, {1}));
      ConvertElements(from, to.mutable_view());
      DispatchElementType(to_type, [&]<typename To>(std::type_identity<To>) {
        To expected{};
        if constexpr (std::is_same_v<To, bool>) {
          expected = true;
        } else if constexpr (std::is_integral_v<To>) {
          if (!IsFloat(from_type) && !IsComplex(from_type)) {
            // Low bits of -3 extended by the width of the source.
            const int width = from_type == ElementType::kPred
                                  ? 1
                                  : static_cast<int>(8 * ByteSize(from_type));
            uint64_t bits =
                from_type == ElementType::kPred ? 1 : static_cast<uint64_t>(-3);
            if (IsUnsignedInteger(from_type) && width < 64) {
              bits &= (uint64_t{1} << width) - 1;
            }
            expected = static_cast<To>(bits);
          } else {
            expected = std::is_signed_v<To> ? static_cast<To>(-3) : To{0};
          }
        } else if constexpr (std::is_same_v<To, std::complex<float>>) {
          expected = To(static_cast<float>(held), 0);
        } else if constexpr (std::is_same_v<To, std::complex<double>>) {
          expected = To(held, 0);
        } else if constexpr (!kIsSmall<To>) {
          expected = To(held);
        }
        const To found = to.data<To>()[0];
        EXPECT_EQ(std::memcmp(&found, &expected, sizeof(To)), 0)
            << from_type << " to " << to_type;
      });
    }
  }
}

TEST(ConvertElements, FloatsToIntegersTruncateSaturateAndMakeNanZero) {
  EXPECT_EQ(Convert<int32_t>(-1.9f), -1);
  EXPECT_EQ(Convert<uint8_t>(-0.9f), 0);
  EXPECT_EQ(Convert<uint8_t>(-7.0f), 0);
  EXPECT_EQ(Convert<uint8_t>(255.9), 255);
  EXPECT_EQ(Convert<uint8_t>(256.0), 255);
  EXPECT_EQ(Convert<int8_t>(-128.9), -128);
  EXPECT_EQ(Convert<int8_t>(-1e10f), -128);
  EXPECT_EQ(Convert<int32_t>(2147483648.0f), 2147483647);
  EXPECT_EQ(Convert<int64_t>(9223372036854775808.0),
            std::numeric_limits<int64_t>::max());
  EXPECT_EQ(Convert<int64_t>(9223372036854774784.0), 9223372036854774784);
  EXPECT_EQ(Convert<int64_t>(-kInfinity), std::numeric_limits<int64_t>::min());
  EXPECT_EQ(Convert<uint64_t>(18446744073709549568.0), 18446744073709549568u);
  EXPECT_EQ(Convert<uint64_t>(kInfinity), std::numeric_limits<uint64_t>::max());
  EXPECT_EQ(Convert<int32_t>(kNan), 0);
  EXPECT_EQ(Convert<int16_t>(F16(-kInfinity)), -32768);
  EXPECT_EQ(Convert<int8_t>(BF16(kNan)), 0);
  EXPECT_EQ(Convert<int32_t>(std::complex<float>(2.7f, 9)), 2);
}

TEST(ConvertElements, ToI1NonzeroAndNanAreTrue) {
  EXPECT_TRUE(Convert<bool>(kNan));
  EXPECT_TRUE(Convert<bool>(0.25f));
  EXPECT_TRUE(Convert<bool>(BF16(kNan)));
  EXPECT_TRUE(Convert<bool>(F16::FromBits(1)));
  EXPECT_FALSE(Convert<bool>(F16(-0.0f)));
  EXPECT_FALSE(Convert<bool>(-0.0));
  EXPECT_TRUE(Convert<bool>(uint8_t{2}));
  EXPECT_FALSE(Convert<bool>(std::complex<float>(0, 1)));
  EXPECT_TRUE(Convert<bool>(std::complex<double>(kNan, 0)));
}

TEST(ConvertElements, IntegersToFloatsRoundOnceToNearestEven) {
  EXPECT_EQ(Convert<float>(int32_t{16777217}), 16777216.0f);
  EXPECT_EQ(Convert<float>(int32_t{16777219}), 16777220.0f);
  EXPECT_EQ(Convert<double>(int64_t{9007199254740993}), 9007199254740992.0);
  EXPECT_EQ(Convert<float>(std::numeric_limits<uint64_t>::max()), 0x1p64f);
  EXPECT_EQ(Convert<F16>(int32_t{2049}).bits, F16(2048.0f).bits);
  EXPECT_EQ(Convert<F16>(int32_t{70000}).bits, F16(kInfinity).bits);
  EXPECT_EQ(Convert<BF16>(int32_t{257}).bits, BF16(256.0f).bits);
  EXPECT_EQ(Convert<BF16>(int32_t{0x01010001}).bits, 0x4B81);
  // Just above the middle of two bf16; as a double it would be the middle.
  const int64_t above = (int64_t{1} << 60) + (int64_t{1} << 52) + 1;
  EXPECT_EQ(Convert<BF16>(above).bits, BF16(0x1p60f).bits + 1);
  EXPECT_EQ(Convert<BF16>(-above).bits, BF16(-0x1p60f).bits + 1);
  EXPECT_EQ(Convert<BF16>(above - 1).bits, BF16(0x1p60f).bits);
  EXPECT_EQ(Convert<BF16>((uint64_t{1} << 63) + (uint64_t{1} << 55) + 1).bits,
            BF16(0x1p63f).bits + 1);
  EXPECT_EQ(Convert<BF16>(std::numeric_limits<int64_t>::min()).bits,
            BF16(-0x1p63f).bits);
}

TEST(ConvertElements, NarrowingIntegersDropHighBits) {
  EXPECT_EQ(Convert<int8_t>(int32_t{300}), 44);
  EXPECT_EQ(Convert<uint8_t>(int32_t{-1}), 255);
  EXPECT_EQ(Convert<int64_t>(uint32_t{0xFFFFFFFF}), 0xFFFFFFFF);
  EXPECT_EQ(Convert<uint64_t>(int8_t{-1}), ~uint64_t{0});
}

TEST(ConvertElements, FloatsToFloatsRoundOverflowAndKeepNanQuiet) {
  EXPECT_EQ(Convert<float>(1e300), std::numeric_limits<float>::infinity());
  EXPECT_EQ(Convert<F16>(1.0 + 0x1p-11 + 0x1p-40).bits, 0x3C01);
  EXPECT_EQ(Convert<BF16>(F16(1.0f)).bits, 0x3F80);
  EXPECT_EQ(Convert<F16>(BF16(1e10f)).bits, 0x7C00);
  EXPECT_TRUE(std::isnan(Convert<float>(F16::FromBits(0x7C01))));
  EXPECT_NE(Convert<BF16>(std::bit_cast<float>(0x7F800001)).bits & 0x40, 0);
  EXPECT_TRUE(std::signbit(Convert<float>(-0.0)));
}

TEST(ConvertElements, ComplexGivesItsRealPart) {
  using C64 = std::complex<float>;
  using C128 = std::complex<double>;
  EXPECT_EQ(Convert<float>(C64(1.5f, 2)), 1.5f);
  EXPECT_EQ(Convert<C64>(C128(0.1, -0.2)), C64(0.1f, -0.2f));
  EXPECT_EQ(Convert<C128>(int32_t{7}), C128(7, 0));
  EXPECT_EQ(Convert<BF16>(C128(3, 4)).bits, BF16(3.0f).bits);
}

}  // namespace
}  // namespace lockstep::internal
