#include "runtime/types/small_types.h"

#include <cmath>
#include <limits>

#include "gtest/gtest.h"
#include "runtime/types/convert.h"
#include "runtime/types/element_text.h"

namespace lockstep::internal {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

template <typename T>
class SmallFloatTest : public testing::Test {};
using SmallFloats =
    testing::Types<F8E5M2, F8E4M3, F8E3M4, F8E4M3FN, F8E4M3FNUZ, F8E5M2FNUZ,
                   F8E4M3B11FNUZ, F8E8M0FNU, F6E2M3FN, F6E3M2FN, F4E2M1FN>;
TYPED_TEST_SUITE(SmallFloatTest, SmallFloats);

TYPED_TEST(SmallFloatTest, EveryNumberSurvivesAsDouble) {
  for (int bits = 0; bits < 1 << TypeParam::kWidth; ++bits) {
    const auto number = TypeParam::FromBits(static_cast<uint8_t>(bits));
    const double value = static_cast<double>(number);
    if (std::isnan(value)) continue;
    EXPECT_EQ(TypeParam(value).bits(), bits) << value;
  }
}

TYPED_TEST(SmallFloatTest, TheMiddleOfTwoNumbersGoesToTheEvenOne) {
  for (int bits = 0; bits + 1 < 1 << (TypeParam::kWidth - 1); ++bits) {
    const double low =
        static_cast<double>(TypeParam::FromBits(static_cast<uint8_t>(bits)));
    const double high = static_cast<double>(
        TypeParam::FromBits(static_cast<uint8_t>(bits + 1)));
    if (!std::isfinite(low) || !std::isfinite(high)) continue;
    const double middle = low + (high - low) / 2;
    const double below = std::nextafter(middle, low);
    const double above = std::nextafter(middle, high);
    EXPECT_EQ(TypeParam(below).bits(), bits);
    EXPECT_EQ(TypeParam(above).bits(), bits + 1);
    // Powers of two alone have no last bit that is even.
    if (TypeParam::kFormat.mantissa_bits == 0) continue;
    EXPECT_EQ(TypeParam(middle).bits(), bits + bits % 2);
  }
}

TEST(SmallFloat, LargestAndSmallestNumbers) {
  const auto value = []<typename T>(std::type_identity<T>, uint8_t bits) {
    return static_cast<float>(T::FromBits(bits));
  };
  EXPECT_EQ(value(std::type_identity<F8E5M2>{}, 0x7B), 57344);
  EXPECT_EQ(value(std::type_identity<F8E4M3>{}, 0x77), 240);
  EXPECT_EQ(value(std::type_identity<F8E3M4>{}, 0x6F), 15.5);
  EXPECT_EQ(value(std::type_identity<F8E4M3FN>{}, 0x7E), 448);
  EXPECT_EQ(value(std::type_identity<F8E4M3FNUZ>{}, 0x7F), 240);
  EXPECT_EQ(value(std::type_identity<F8E5M2FNUZ>{}, 0x7F), 57344);
  EXPECT_EQ(value(std::type_identity<F8E4M3B11FNUZ>{}, 0x7F), 30);
  EXPECT_EQ(value(std::type_identity<F8E8M0FNU>{}, 0x80), 2);
  EXPECT_EQ(value(std::type_identity<F6E2M3FN>{}, 0x3F), -7.5);
  EXPECT_EQ(value(std::type_identity<F6E3M2FN>{}, 0x1F), 28);
  EXPECT_EQ(value(std::type_identity<F4E2M1FN>{}, 0x09), -0.5);
  EXPECT_EQ(value(std::type_identity<F8E5M2>{}, 1), 0x1p-16f);
}

TEST(SmallFloat, BeyondTheLargestNumber) {
  EXPECT_EQ(F8E5M2(61439.0).bits(), 0x7B);
  EXPECT_EQ(F8E5M2(61440.0).bits(), 0x7C);  // infinity
  EXPECT_EQ(F8E5M2(-kInfinity).bits(), 0xFC);
  EXPECT_EQ(F8E4M3FN(464.0).bits(), 0x7E);
  EXPECT_EQ(F8E4M3FN(465.0).bits(), 0x7F);  // NaN
  EXPECT_EQ(F8E4M3FNUZ(1e9).bits(), 0x80);
  EXPECT_EQ(F6E2M3FN(1e9).bits(), 0x1F);
  EXPECT_EQ(F4E2M1FN(-kInfinity).bits(), 0x0F);
  EXPECT_EQ(F8E8M0FNU(-1.0).bits(), 0xFF);
}

TEST(SmallFloat, NanAndZeros) {
  EXPECT_TRUE(std::isnan(static_cast<float>(F8E5M2(kNan))));
  EXPECT_TRUE(std::isnan(static_cast<float>(F8E4M3FN(kNan))));
  EXPECT_EQ(F8E4M3FNUZ(kNan).bits(), 0x80);
  EXPECT_EQ(F8E4M3FNUZ(-0.0).bits(), 0);
  EXPECT_EQ(F8E4M3FNUZ(-1e-30).bits(), 0);
  EXPECT_EQ(F8E4M3FN(-0.0).bits(), 0x80);
  EXPECT_EQ(F4E2M1FN(kNan).bits(), 0x08);
  EXPECT_EQ(F8E8M0FNU(0.0).bits(), 0xFF);
  EXPECT_EQ(F8E8M0FNU(1e-40).bits(), 0);
}

TEST(SmallInt, KeepsTheLowBitsAndItsSign) {
  EXPECT_EQ(S4(int8_t{7}).value, 7);
  EXPECT_EQ(S4(int8_t{8}).value, -8);
  EXPECT_EQ(U4(uint8_t{17}).value, 1);
  EXPECT_EQ(S2(int8_t{3}).value, -1);
  EXPECT_EQ(U2(uint8_t{7}).value, 3);
  EXPECT_EQ(S4(int8_t{-1}).bits(), 15);
  EXPECT_EQ(S4::kMin, -8);
  EXPECT_EQ(U2::kMax, 3);
}

template <typename To, typename From>
To Convert(From value) {
  const Literal from = Literal::Scalar(value);
  Literal to(Shape(ElementTypeOf<To>::value, {}));
  ConvertElements(from, to.mutable_view());
  return to.data<To>()[0];
}

TEST(SmallTypes, Convert) {
  EXPECT_EQ(Convert<S4>(300).value, -4);
  EXPECT_EQ(Convert<S4>(300.0f).value, 7);
  EXPECT_EQ(Convert<S4>(-300.0f).value, -8);
  EXPECT_EQ(Convert<S4>(static_cast<float>(kNan)).value, 0);
  EXPECT_EQ(Convert<U4>(-1).value, 15);
  EXPECT_EQ(Convert<U4>(-1.0).value, 0);
  EXPECT_EQ(Convert<U2>(true).value, 1);
  EXPECT_EQ(Convert<int64_t>(S4(int8_t{-3})), -3);
  EXPECT_EQ(Convert<bool>(U4(uint8_t{8})), true);
  EXPECT_EQ(Convert<F8E5M2>(std::complex<float>(3, 9)).bits(), 0x42);
  EXPECT_EQ(Convert<F8E4M3FN>(BF16(0.1f)).bits(), 0x1D);
  EXPECT_EQ(Convert<F8E4M3FN>(F8E5M2(3.0)).bits(), F8E4M3FN(3.0).bits());
  EXPECT_EQ(Convert<S4>(F8E5M2(-3.5)).value, -3);
  EXPECT_EQ(Convert<std::complex<float>>(S4(int8_t{-3})),
            std::complex<float>(-3, 0));
}

TEST(SmallTypes, ReadAndWriteText) {
  const auto text = [](absl::string_view from, ElementType type) {
    std::byte element;
    const absl::Status status = ParseDecimal(from, type, &element);
    return status.ok() ? FormatElement(type, &element)
                       : std::string(status.message());
  };
  EXPECT_EQ(text("-8", ElementType::kS4), "-8");
  EXPECT_EQ(text("0xF", ElementType::kS4), "-1");
  EXPECT_EQ(text("8", ElementType::kS4), "8 does not fit i4: expected -8 to 7");
  EXPECT_EQ(text("0x1F", ElementType::kU4),
            "0x1F does not fit ui4: it has more than 4 bits");
  EXPECT_EQ(text("3.1415", ElementType::kF8E5M2), "3.0");
  EXPECT_EQ(text("0x7F", ElementType::kF8E4M3FN), "0x7F");
  EXPECT_EQ(text("0.1", ElementType::kF8E4M3), "0.1015625");
  EXPECT_EQ(text("1e9", ElementType::kF8E4M3),
            "1e9 does not fit f8E4M3: it is larger than the largest finite "
            "value");
}

TEST(SmallTypes, WidthsInBits) {
  EXPECT_EQ(BitWidth(ElementType::kPred), 1);
  EXPECT_EQ(BitWidth(ElementType::kS2), 2);
  EXPECT_EQ(BitWidth(ElementType::kF6E3M2FN), 6);
  EXPECT_EQ(BitWidth(ElementType::kF8E8M0FNU), 8);
  EXPECT_EQ(BitWidth(ElementType::kC128), 128);
}

}  // namespace
}  // namespace lockstep::internal
