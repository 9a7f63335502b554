#include "runtime/ir/attribute.h"

#include <gtest/gtest.h>

#include <limits>

#include "runtime/ir/printer.h"

namespace lockstep::internal {
namespace {

Attribute Splat(Shape shape, Literal value) {
  return Attribute::Elements{std::move(shape),
                             std::make_shared<const Literal>(std::move(value)),
                             true};
}

TEST(AttributeMap, SetReplacesInPlaceAndEqualityIgnoresTheOrder) {
  AttributeMap a;
  a.Set("x", Attribute::I64(1));
  a.Set("y", Attribute::I64(2));
  a.Set("x", Attribute::I64(3));
  EXPECT_EQ(a.entries()[0].first, "x");
  EXPECT_EQ(IntegerOf(*a.Find("x")).value(), 3);
  AttributeMap b;
  b.Set("y", Attribute::I64(2));
  b.Set("x", Attribute::I64(3));
  EXPECT_TRUE(a == b);
  b.Remove("y");
  EXPECT_FALSE(a == b);
  EXPECT_EQ(b.Find("y"), nullptr);
}

TEST(Attribute, SplatEqualsItsFullForm) {
  const Attribute splat =
      Splat(Shape(ElementType::kS32, {2, 2}), Literal::Scalar<int32_t>(7));
  const Attribute full = Attribute::FromLiteral(
      Literal::FromValues<int32_t>({2, 2}, {7, 7, 7, 7}));
  const Attribute other = Attribute::FromLiteral(
      Literal::FromValues<int32_t>({2, 2}, {7, 7, 7, 8}));
  EXPECT_TRUE(splat == full);
  EXPECT_TRUE(full == splat);
  EXPECT_FALSE(splat == other);
  EXPECT_TRUE(splat.As<Attribute::Elements>()->ToLiteral() ==
              *full.As<Attribute::Elements>()->values);
}

TEST(Attribute, FloatsAreEqualByBits) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(Attribute(Attribute::Float{nan, "f64"}) ==
              Attribute(Attribute::Float{nan, "f64"}));
  EXPECT_FALSE(Attribute(Attribute::Float{0.0, "f64"}) ==
               Attribute(Attribute::Float{-0.0, "f64"}));
}

TEST(IntegersOf, ReadsEveryFormInWhichProgramsWriteThem) {
  const std::vector<int64_t> expected = {3, 3};
  EXPECT_EQ(IntegersOf(Attribute::I64Array({3, 3})).value(), expected);
  EXPECT_EQ(IntegersOf(Attribute::FromLiteral(
                           Literal::FromValues<int64_t>({2}, {3, 3})))
                .value(),
            expected);
  EXPECT_EQ(IntegersOf(Attribute::FromLiteral(
                           Literal::FromValues<S4>({2}, {S4(3), S4(3)})))
                .value(),
            expected);
  EXPECT_EQ(IntegersOf(Splat(Shape(ElementType::kS64, {2}),
                             Literal::Scalar<int64_t>(3)))
                .value(),
            expected);
  EXPECT_EQ(IntegersOf(Attribute(Attribute::Array{
                           {Attribute::I64(3), Attribute::I64(3)}}))
                .value(),
            expected);
  EXPECT_EQ(IntegersOf(Attribute::FromLiteral(
                           Literal::FromValues<int64_t>({2, 1}, {3, 3})))
                .value(),
            expected);
  EXPECT_EQ(IntegersOf(Attribute(Attribute::Bool{true})).status().message(),
            "expected a list of integers, found true");
}

TEST(IntegerOf, ReadsAnIntegerOrOneElement) {
  EXPECT_EQ(IntegerOf(Attribute::I32(-4)).value(), -4);
  EXPECT_EQ(
      IntegerOf(Attribute::FromLiteral(Literal::Scalar<uint8_t>(200))).value(),
      200);
  EXPECT_EQ(IntegerOf(Attribute(Attribute::String{"x"})).status().message(),
            "expected an integer, found \"x\"");
}

TEST(BoolOf, AUnitIsTrue) {
  EXPECT_TRUE(BoolOf(Attribute()).value());
  EXPECT_FALSE(BoolOf(Attribute(Attribute::Bool{false})).value());
  EXPECT_FALSE(BoolOf(Attribute::I64(1)).ok());
}

TEST(Print, NansKeepTheirPayloadInEveryType) {
  const auto nan = [](uint64_t bits) { return std::bit_cast<double>(bits); };
  const auto text = [&](uint64_t bits, const char* type) {
    return Print(Attribute(Attribute::Float{nan(bits), type}));
  };
  EXPECT_EQ(text(0xFFF8000000000000, "f64"), "0xFFF8000000000000 : f64");
  EXPECT_EQ(text(0x7FF8000000000000, "f32"), "0x7FC00000 : f32");
  EXPECT_EQ(text(0x7FF0000020000000, "f32"), "0x7F800001 : f32");
  EXPECT_EQ(text(0xFFF8000000000000, "bf16"), "0xFFC0 : bf16");
  EXPECT_EQ(text(0x7FF8000000000000, "f16"), "0x7E00 : f16");
}

}  // namespace
}  // namespace lockstep::internal
