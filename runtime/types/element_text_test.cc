#include "runtime/types/element_text.h"

#include <bit>
#include <complex>
#include <cstring>
#include <limits>
#include <random>
#include <string>

#include "gtest/gtest.h"
#include "runtime/types/literal.h"

namespace lockstep::internal {
namespace {

template <typename T>
T Parse(absl::string_view text) {
  Literal literal(Shape(ElementTypeOf<T>::value, {}));
  const absl::Status status =
      ParseDecimal(text, ElementTypeOf<T>::value, literal.mutable_bytes());
  EXPECT_TRUE(status.ok()) << status;
  return literal.data<T>()[0];
}

template <typename T>
std::string Format(T value) {
  return FormatElement(ElementTypeOf<T>::value, Literal::Scalar(value).bytes());
}

std::string Error(absl::string_view text, ElementType type) {
  std::byte buffer[16];
  const absl::Status status = ParseDecimal(text, type, buffer);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << text;
  return std::string(status.message());
}

TEST(ParseDecimal, IntegersAtTheEndsOfTheirRanges) {
  EXPECT_EQ(Parse<int8_t>("-128"), -128);
  EXPECT_EQ(Parse<uint8_t>("255"), 255);
  EXPECT_EQ(Parse<int64_t>("-9223372036854775808"),
            std::numeric_limits<int64_t>::min());
  EXPECT_EQ(Parse<uint64_t>("18446744073709551615"),
            std::numeric_limits<uint64_t>::max());
  EXPECT_EQ(Parse<int32_t>("-0"), 0);
  EXPECT_EQ(Parse<int32_t>("007"), 7);
  EXPECT_EQ(Error("128", ElementType::kS8),
            "128 does not fit i8: expected -128 to 127");
  EXPECT_EQ(Error("-1", ElementType::kU16),
            "-1 does not fit ui16: expected 0 to 65535");
  EXPECT_EQ(Error("18446744073709551616", ElementType::kU64),
            "18446744073709551616 does not fit ui64: expected 0 to "
            "18446744073709551615");
  EXPECT_EQ(Error("1.5", ElementType::kS32),
            "expected an integer of type i32, found \"1.5\"");
  for (absl::string_view text : {"", "-", "+1", "1 ", "a", "--1", "1e3"}) {
    Error(text, ElementType::kS32);
  }
}

TEST(ParseDecimal, HexDigitsAreTheBitsOfTheElement) {
  EXPECT_EQ(Parse<int8_t>("0xFF"), -1);
  EXPECT_EQ(Parse<uint32_t>("0x0000000000ff"), 255u);
  EXPECT_EQ(Parse<BF16>("0x7FC0").bits, 0x7FC0);
  EXPECT_EQ(std::bit_cast<uint32_t>(Parse<float>("0xFFC00001")), 0xFFC00001);
  EXPECT_EQ(Parse<double>("0x3FF0000000000000"), 1.0);
  EXPECT_EQ(Error("0x1FF", ElementType::kS8),
            "0x1FF does not fit i8: it has more than 2 hex digits");
  Error("0x", ElementType::kF32);
  Error("0xG", ElementType::kF32);
  Error("-0x1", ElementType::kS32);
}

TEST(ParseDecimal, FloatsAreRoundedOnceAndMustBeFinite) {
  EXPECT_EQ(Parse<float>("0.1"), 0.1f);
  EXPECT_EQ(Parse<float>("3"), 3.0f);
  EXPECT_EQ(Parse<F16>("1.000488281250000000000000000001").bits, 0x3C01);
  EXPECT_TRUE(std::signbit(Parse<double>("-0.0")));
  EXPECT_EQ(Parse<float>("1.0e-60"), 0.0f);
  EXPECT_EQ(Error("1e40", ElementType::kF32),
            "1e40 does not fit f32: it is larger than the largest finite "
            "value");
  EXPECT_EQ(Error("abc", ElementType::kBF16),
            "expected a number of type bf16, found \"abc\"");
  Error("inf", ElementType::kF64);
  Error("true", ElementType::kF64);
}

TEST(ParseDecimal, PredicatesAndComplexNumbers) {
  EXPECT_TRUE(Parse<bool>("true"));
  EXPECT_FALSE(Parse<bool>("0"));
  EXPECT_EQ(Error("2", ElementType::kPred),
            "expected true or false of type i1, found \"2\"");
  using C64 = std::complex<float>;
  EXPECT_EQ(Parse<C64>("(1.0,-2.0)"), C64(1, -2));
  EXPECT_EQ(Parse<C64>("( 1.0 , 0x3F800000 )"), C64(1, 1));
  EXPECT_EQ(Parse<std::complex<double>>("2.5"), std::complex<double>(2.5, 0));
  Error("(1.0)", ElementType::kC64);
  Error("(1.0,2.0", ElementType::kC64);
  Error("(1.0,2.0,3.0)", ElementType::kC64);
}

TEST(FormatElement, UsesTheFewestDigitsAndBitsForInfinitiesAndNans) {
  EXPECT_EQ(Format(true), "true");
  EXPECT_EQ(Format(int8_t{-7}), "-7");
  EXPECT_EQ(Format(uint8_t{200}), "200");
  EXPECT_EQ(Format(0.1f), "0.1");
  EXPECT_EQ(Format(-0.0), "-0.0");
  EXPECT_EQ(Format(100.0), "100.0");
  EXPECT_EQ(Format(123456.75), "123456.75");
  EXPECT_EQ(Format(1e16), "1.0e+16");
  EXPECT_EQ(Format(1e15), "1000000000000000.0");
  EXPECT_EQ(Format(0.0001f), "0.0001");
  EXPECT_EQ(Format(1.5e-7), "1.5e-07");
  EXPECT_EQ(Format(-1.25e300), "-1.25e+300");
  EXPECT_EQ(Format(BF16(3.14f)), "3.14");
  EXPECT_EQ(Format(F16(65504.0f)), "65500.0");
  EXPECT_EQ(Format(std::numeric_limits<float>::infinity()), "0x7F800000");
  EXPECT_EQ(Format(BF16::FromBits(0xFFC1)), "0xFFC1");
  EXPECT_EQ(Format(std::complex<float>(1, -2)), "(1.0,-2.0)");
}

TEST(FormatElement, RandomBitsOfEveryTypeReadBackUnchanged) {
  std::mt19937_64 random(3);
  for (int t = 1; t <= 15; ++t) {
    const ElementType type = static_cast<ElementType>(t);
    for (int i = 0; i < 3000; ++i) {
      uint64_t bits[2] = {random(), random()};
      if (type == ElementType::kPred) bits[0] &= 1;
      std::byte element[16];
      std::memcpy(element, bits, 16);
      std::byte found[16];
      const std::string text = FormatElement(type, element);
      ASSERT_TRUE(ParseDecimal(text, type, found).ok()) << text;
      ASSERT_EQ(std::memcmp(found, element, ByteSize(type)), 0) << text;
    }
  }
}

}  // namespace
}  // namespace lockstep::internal
