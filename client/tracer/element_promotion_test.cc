#include "client/tracer/element_promotion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_split.h"

namespace lockstep::internal {
namespace {

// JAX's table (jax.numpy, "Type promotion semantics"), with i*, f* and c* for
// numbers: the type at row a, column b is that of a + b.
constexpr char kTable[] = R"(
      b1   i8  i16  i32  i64   u8  u16  u32  u64 bf16  f16  f32  f64  c64 c128   i*   f*   c*
  b1   b1   i8  i16  i32  i64   u8  u16  u32  u64 bf16  f16  f32  f64  c64 c128   i*   f*   c*
  i8   i8   i8  i16  i32  i64  i16  i32  i64   f* bf16  f16  f32  f64  c64 c128   i8   f*   c*
 i16  i16  i16  i16  i32  i64  i16  i32  i64   f* bf16  f16  f32  f64  c64 c128  i16   f*   c*
 i32  i32  i32  i32  i32  i64  i32  i32  i64   f* bf16  f16  f32  f64  c64 c128  i32   f*   c*
 i64  i64  i64  i64  i64  i64  i64  i64  i64   f* bf16  f16  f32  f64  c64 c128  i64   f*   c*
  u8   u8  i16  i16  i32  i64   u8  u16  u32  u64 bf16  f16  f32  f64  c64 c128   u8   f*   c*
 u16  u16  i32  i32  i32  i64  u16  u16  u32  u64 bf16  f16  f32  f64  c64 c128  u16   f*   c*
 u32  u32  i64  i64  i64  i64  u32  u32  u32  u64 bf16  f16  f32  f64  c64 c128  u32   f*   c*
 u64  u64   f*   f*   f*   f*  u64  u64  u64  u64 bf16  f16  f32  f64  c64 c128  u64   f*   c*
bf16 bf16 bf16 bf16 bf16 bf16 bf16 bf16 bf16 bf16 bf16  f32  f32  f64  c64 c128 bf16 bf16  c64
 f16  f16  f16  f16  f16  f16  f16  f16  f16  f16  f32  f16  f32  f64  c64 c128  f16  f16  c64
 f32  f32  f32  f32  f32  f32  f32  f32  f32  f32  f32  f32  f32  f64  c64 c128  f32  f32  c64
 f64  f64  f64  f64  f64  f64  f64  f64  f64  f64  f64  f64  f64  f64 c128 c128  f64  f64 c128
 c64  c64  c64  c64  c64  c64  c64  c64  c64  c64  c64  c64  c64 c128  c64 c128  c64  c64  c64
c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128
  i*   i*   i8  i16  i32  i64   u8  u16  u32  u64 bf16  f16  f32  f64  c64 c128   i*   f*   c*
  f*   f*   f*   f*   f*   f*   f*   f*   f*   f* bf16  f16  f32  f64  c64 c128   f*   f*   c*
  c*   c*   c*   c*   c*   c*   c*   c*   c*   c*  c64  c64  c64 c128  c64 c128   c*   c*   c*
)";

using enum ElementType;

PromotedType Named(const std::string& name) {
  static const auto& types = *new std::map<std::string, PromotedType>{
      {"b1", {kPred}},      {"i8", {kS8}},        {"i16", {kS16}},
      {"i32", {kS32}},      {"i64", {kS64}},      {"u8", {kU8}},
      {"u16", {kU16}},      {"u32", {kU32}},      {"u64", {kU64}},
      {"bf16", {kBF16}},    {"f16", {kF16}},      {"f32", {kF32}},
      {"f64", {kF64}},      {"c64", {kC64}},      {"c128", {kC128}},
      {"i*", {kS32, true}}, {"f*", {kF32, true}}, {"c*", {kC64, true}},
  };
  return types.at(name);
}

std::vector<std::string> Words(absl::string_view line) {
  return absl::StrSplit(line, ' ', absl::SkipEmpty());
}

TEST(CommonTypeTest, IsThatOfTheTable) {
  std::vector<absl::string_view> lines =
      absl::StrSplit(kTable, '\n', absl::SkipEmpty());
  const std::vector<std::string> columns = Words(lines[0]);
  ASSERT_EQ(columns.size(), 18u);
  ASSERT_EQ(lines.size(), 19u);
  for (size_t row = 1; row < lines.size(); ++row) {
    const std::vector<std::string> words = Words(lines[row]);
    ASSERT_EQ(words.size(), 19u);
    for (size_t column = 0; column < columns.size(); ++column) {
      const auto found = CommonType({Named(words[0]), Named(columns[column])});
      ASSERT_TRUE(found.ok()) << found.status();
      PromotedType expected = Named(words[column + 1]);
      // f* and c* on their own: of 64 bits when an integer of 64 is in it.
      const bool is_wide = absl::EndsWith(words[0], "64") ||
                           absl::EndsWith(columns[column], "64");
      if (is_wide && expected == Named("f*")) expected = {kF64, true};
      if (is_wide && expected == Named("c*")) expected = {kC128, true};
      EXPECT_EQ(*found, expected) << words[0] << " with " << columns[column];
    }
  }
}

TEST(CommonTypeTest, OfManyIsNotThatOfTwoAtATime) {
  // u64 with s64 alone is a float, which f16 would replace.
  EXPECT_EQ(*CommonType({Named("u8"), Named("i8"), Named("u16")}),
            PromotedType{kS32});
  EXPECT_EQ(*CommonType({Named("i*"), Named("bf16"), Named("f*")}),
            PromotedType{kBF16});
  EXPECT_EQ(*CommonType({Named("u64"), Named("i64"), Named("f16")}),
            PromotedType{kF16});
}

TEST(CommonTypeTest, NumbersAloneStayNumbers) {
  const PromotedType wide{kS64, true};
  EXPECT_EQ(*CommonType({wide, Named("i*")}), wide);
  EXPECT_EQ(*CommonType({wide, Named("f*")}), Named("f*"));
  EXPECT_EQ(*CommonType({{kPred}, wide}), wide);
  EXPECT_EQ(*CommonType({{kPred, true}, {kPred, true}}), PromotedType{kPred});
}

TEST(CommonTypeTest, SmallTypesMeetNumbersOnly) {
  EXPECT_EQ(*CommonType({{kF8E5M2}, Named("f*")}), PromotedType{kF8E5M2});
  EXPECT_EQ(*CommonType({{kS4}, Named("i*")}), PromotedType{kS4});
  EXPECT_EQ(*CommonType({{kF8E5M2}, {kS64}}), PromotedType{kF8E5M2});
  const auto none = CommonType({{kF8E5M2}, {kF32}});
  EXPECT_EQ(none.status(),
            absl::InvalidArgumentError("no type holds all of float8_e5m2, "
                                       "float32; convert with astype"));
  EXPECT_FALSE(CommonType({{kS4}, {kS8}}).ok());
}

TEST(InexactTypeTest, IntegersBecomeFloatsOfTheirSize) {
  EXPECT_EQ(InexactType(kPred), kF32);
  EXPECT_EQ(InexactType(kS8), kF32);
  EXPECT_EQ(InexactType(kU32), kF32);
  EXPECT_EQ(InexactType(kS64), kF64);
  EXPECT_EQ(InexactType(kU64), kF64);
  EXPECT_EQ(InexactType(kBF16), kBF16);
  EXPECT_EQ(InexactType(kC64), kC64);
}

}  // namespace
}  // namespace lockstep::internal
