#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"
#include "tests/conformance/backend/differential.h"

namespace lockstep::internal {
namespace {

// Comparators of %a, %b (of type T) and %c, %d (i32) that give %p.
struct ComparatorCase {
  const char* name;
  bool is_for_complex;
  bool is_for_floats_only;
  const char* body;
};
const ComparatorCase kComparators[] = {
    {"LessThan", false, false,
     "%p = stablehlo.compare LT, %a, %b : (tensor<T>, tensor<T>) -> "
     "tensor<i1>\n"},
    {"GreaterThanSwapped", false, false,
     "%p = stablehlo.compare GT, %b, %a : (tensor<T>, tensor<T>) -> "
     "tensor<i1>\n"},
    {"Descending", false, false,
     "%p = stablehlo.compare GT, %a, %b : (tensor<T>, tensor<T>) -> "
     "tensor<i1>\n"},
    // No strict order: equal elements change places at every merge.
    {"LessOrEqual", false, false,
     "%p = stablehlo.compare LE, %a, %b : (tensor<T>, tensor<T>) -> "
     "tensor<i1>\n"},
    {"AlwaysTrue", true, false,
     "%p = stablehlo.constant dense<true> : tensor<i1>\n"},
    {"OfTheSecondOperand", true, false,
     "%p = stablehlo.compare GT, %c, %d, SIGNED : (tensor<i32>, tensor<i32>) "
     "-> tensor<i1>\n"},
    {"TotalOrder", false, true,
     "%p = stablehlo.compare GT, %a, %b, TOTALORDER : (tensor<T>, tensor<T>) "
     "-> tensor<i1>\n"},
    {"SecondKeyDecides", false, false,
     "%e = stablehlo.compare EQ, %c, %d, SIGNED : (tensor<i32>, tensor<i32>) "
     "-> tensor<i1>\n"
     "%l = stablehlo.compare LT, %c, %d, SIGNED : (tensor<i32>, tensor<i32>) "
     "-> tensor<i1>\n"
     "%m = stablehlo.compare GT, %a, %b : (tensor<T>, tensor<T>) -> "
     "tensor<i1>\n"
     "%n = stablehlo.and %e, %m : tensor<i1>\n"
     "%p = stablehlo.or %l, %n : tensor<i1>\n"},
    {"FirstKeyDecides", false, false,
     "%e = stablehlo.compare EQ, %a, %b : (tensor<T>, tensor<T>) -> "
     "tensor<i1>\n"
     "%l = stablehlo.compare LT, %a, %b : (tensor<T>, tensor<T>) -> "
     "tensor<i1>\n"
     "%m = stablehlo.compare LT, %c, %d, SIGNED : (tensor<i32>, tensor<i32>) "
     "-> tensor<i1>\n"
     "%n = stablehlo.and %m, %e : tensor<i1>\n"
     "%p = stablehlo.or %n, %l : tensor<i1>\n"},
    // As jnp.sort and jnp.argsort export it.
    {"CanonicalFloats", false, true,
     "%z = stablehlo.constant dense<0.0> : tensor<T>\n"
     "%nan = stablehlo.constant dense<NAN> : tensor<T>\n"
     "%1 = stablehlo.compare EQ, %a, %z, FLOAT : (tensor<T>, tensor<T>) -> "
     "tensor<i1>\n"
     "%2 = stablehlo.select %1, %z, %a : tensor<i1>, tensor<T>\n"
     "%3 = stablehlo.compare NE, %a, %a, FLOAT : (tensor<T>, tensor<T>) -> "
     "tensor<i1>\n"
     "%4 = stablehlo.select %3, %nan, %2 : tensor<i1>, tensor<T>\n"
     "%5 = stablehlo.compare EQ, %b, %z, FLOAT : (tensor<T>, tensor<T>) -> "
     "tensor<i1>\n"
     "%6 = stablehlo.select %5, %z, %b : tensor<i1>, tensor<T>\n"
     "%7 = stablehlo.compare NE, %b, %b, FLOAT : (tensor<T>, tensor<T>) -> "
     "tensor<i1>\n"
     "%8 = stablehlo.select %7, %nan, %6 : tensor<i1>, tensor<T>\n"
     "%p = stablehlo.compare LT, %4, %8, TOTALORDER : (tensor<T>, tensor<T>) "
     "-> tensor<i1>\n"},
    {"OfMagnitudes", false, true,
     "%k = stablehlo.abs %a : tensor<T>\n"
     "%l = stablehlo.abs %b : tensor<T>\n"
     "%p = stablehlo.compare LT, %k, %l, FLOAT : (tensor<T>, tensor<T>) -> "
     "tensor<i1>\n"},
};

const char* NanOf(absl::string_view type) {
  if (type == "f16") return "0x7E00";
  if (type == "bf16") return "0x7FC0";
  return type == "f32" ? "0x7FC00000" : "0x7FF8000000000000";
}

std::string WithType(absl::string_view text, absl::string_view type) {
  return absl::StrReplaceAll(text, {{"xT>", absl::StrCat("x", type, ">")},
                                    {"<T>", absl::StrCat("<", type, ">")},
                                    {"NAN", NanOf(type)}});
}

// Sorts %x (T) and %y (i32) along `dim`.
std::string SortOfTwo(absl::string_view body, absl::string_view dims,
                      int64_t dim, absl::string_view type) {
  const std::string x = absl::StrCat("tensor<", dims, "xT>");
  const std::string y = absl::StrCat("tensor<", dims, "xi32>");
  const std::string both = absl::StrCat("(", x, ", ", y, ")");
  return WithType(
      absl::StrCat("func.func @main(%x: ", x, ", %y: ", y, ") -> ", both,
                   " {\n%r:2 = \"stablehlo.sort\"(%x, %y) ({\n^bb0(%a: "
                   "tensor<T>, %b: tensor<T>, %c: tensor<i32>, %d: "
                   "tensor<i32>):\n",
                   body, "stablehlo.return %p : tensor<i1>\n}) {dimension = ",
                   dim, " : i64, is_stable = true} : ", both, " -> ", both,
                   "\nreturn %r#0, %r#1 : ", x, ", ", y, "\n}"),
      type);
}

std::string SortOfOne(absl::string_view body, absl::string_view dims,
                      absl::string_view type) {
  const std::string x = absl::StrCat("tensor<", dims, "xT>");
  return WithType(
      absl::StrCat("func.func @main(%x: ", x, ") -> ", x,
                   " {\n%r = \"stablehlo.sort\"(%x) ({\n^bb0(%a: tensor<T>, "
                   "%b: tensor<T>):\n",
                   body, "stablehlo.return %p : tensor<i1>\n}) {dimension = ",
                   "-1 : i64} : (", x, ") -> ", x, "\nreturn %r : ", x, "\n}"),
      type);
}

bool Takes(const ComparatorCase& row, absl::string_view type) {
  const bool is_complex = type == "complex<f32>";
  const bool is_float =
      type == "f16" || type == "bf16" || type == "f32" || type == "f64";
  return (row.is_for_complex || !is_complex) &&
         (!row.is_for_floats_only || is_float);
}

class SortDifferentialTest : public ::testing::TestWithParam<ComparatorCase> {};
INSTANTIATE_TEST_SUITE_P(Comparators, SortDifferentialTest,
                         ::testing::ValuesIn(kComparators),
                         [](const auto& info) {
                           return std::string(info.param.name);
                         });

// Many equal keys, so that the payload shows whether the sort is stable.
TEST_P(SortDifferentialTest, EqualElementsStayInOrder) {
  for (const char* type :
       {"i1", "i8", "i32", "ui64", "bf16", "f32", "f64", "complex<f32>"}) {
    if (!Takes(GetParam(), type)) continue;
    for (const char* dims : {"7", "700", "2x300x3"}) {
      const std::string text =
          SortOfTwo(GetParam().body, dims, dims[1] == 'x' ? 1 : 0, type);
      ASSERT_TRUE(Verifies(text)) << text;
      EXPECT_EQ(DisagreementOn(text, /*tricky=*/false, 0), "") << text;
    }
  }
}

// Zeros of both signs, NaNs, infinities, extremes.
TEST_P(SortDifferentialTest, TrickyValuesGoWhereTheOracleHasThem) {
  for (const char* type : {"i8", "ui8", "i16", "i64", "ui64", "f16", "bf16",
                           "f32", "f64", "complex<f32>"}) {
    if (!Takes(GetParam(), type)) continue;
    for (const char* dims : {"5x40", "600x1", "1x513"}) {
      const std::string text = SortOfTwo(GetParam().body, dims, -1, type);
      ASSERT_TRUE(Verifies(text)) << text;
      EXPECT_EQ(DisagreementOn(text, /*tricky=*/true, 0), "") << text;
    }
  }
}

TEST_P(SortDifferentialTest, OneOperandIsSortedAsWithAPayload) {
  if (absl::StrContains(GetParam().body, "%c")) return;
  for (const char* type : {"i1", "i16", "ui32", "f16", "f32", "f64"}) {
    if (!Takes(GetParam(), type)) continue;
    for (const char* dims : {"3x50", "2x400", "0", "3x0", "1", "0x4"}) {
      for (bool tricky : {false, true}) {
        const std::string text = SortOfOne(GetParam().body, dims, type);
        ASSERT_TRUE(Verifies(text)) << text;
        EXPECT_EQ(DisagreementOn(text, tricky, 0), "") << text;
      }
    }
  }
}

TEST(SortDifferential, LexicographicWithKeysOfManyWidths) {
  const std::string text = R"(
func.func @main(%x: tensor<500xi8>, %y: tensor<500xf64>, %z: tensor<500xi16>, %w: tensor<500xi32>)
    -> (tensor<500xi8>, tensor<500xf64>, tensor<500xi16>, tensor<500xi32>) {
  %r:4 = "stablehlo.sort"(%x, %y, %z, %w) ({
    ^bb0(%a: tensor<i8>, %b: tensor<i8>, %c: tensor<f64>, %d: tensor<f64>,
         %e: tensor<i16>, %f: tensor<i16>, %g: tensor<i32>, %h: tensor<i32>):
      %1 = stablehlo.compare LT, %e, %f, SIGNED : (tensor<i16>, tensor<i16>) -> tensor<i1>
      %2 = stablehlo.compare EQ, %c, %d, TOTALORDER : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %3 = stablehlo.compare GT, %c, %d, TOTALORDER : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %4 = stablehlo.and %2, %1 : tensor<i1>
      %5 = stablehlo.or %3, %4 : tensor<i1>
      %6 = stablehlo.compare EQ, %a, %b, SIGNED : (tensor<i8>, tensor<i8>) -> tensor<i1>
      %7 = stablehlo.compare LT, %a, %b, SIGNED : (tensor<i8>, tensor<i8>) -> tensor<i1>
      %8 = stablehlo.and %6, %5 : tensor<i1>
      %9 = stablehlo.or %7, %8 : tensor<i1>
      stablehlo.return %9 : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true}
      : (tensor<500xi8>, tensor<500xf64>, tensor<500xi16>, tensor<500xi32>)
      -> (tensor<500xi8>, tensor<500xf64>, tensor<500xi16>, tensor<500xi32>)
  return %r#0, %r#1, %r#2, %r#3 : tensor<500xi8>, tensor<500xf64>, tensor<500xi16>, tensor<500xi32>
})";
  ASSERT_TRUE(Verifies(text));
  EXPECT_EQ(DisagreementOn(text, /*tricky=*/false, 0), "");
  EXPECT_EQ(DisagreementOn(text, /*tricky=*/true, 0), "");
}

// More than are merged where they lie.
TEST(SortDifferential, ManyElementsByAComparatorWithoutKeys) {
  const std::string text = SortOfTwo(
      "%k = stablehlo.abs %a : tensor<T>\n"
      "%l = stablehlo.abs %b : tensor<T>\n"
      "%p = stablehlo.compare LT, %k, %l, FLOAT : (tensor<T>, tensor<T>) -> "
      "tensor<i1>\n",
      "20011x2", 0, "f32");
  ASSERT_TRUE(Verifies(text)) << text;
  EXPECT_EQ(DisagreementOn(text, /*tricky=*/false, 0), "");
  EXPECT_EQ(DisagreementOn(text, /*tricky=*/true, 0), "");
}

// So many that threads share them.
TEST(SortDifferential, ManyRows) {
  for (const ComparatorCase& row : kComparators) {
    const std::string text = SortOfTwo(row.body, "300x150", 1, "f32");
    ASSERT_TRUE(Verifies(text)) << text;
    EXPECT_EQ(DisagreementOn(text, /*tricky=*/false, 0), "") << row.name;
  }
}

TEST(TopKDifferential, ManyRows) {
  const std::string text = R"(
func.func @main(%x: tensor<50x1000xf32>) -> (tensor<50x3xf32>, tensor<50x3xi32>) {
  %r:2 = chlo.top_k(%x, k = 3) : tensor<50x1000xf32> -> (tensor<50x3xf32>, tensor<50x3xi32>)
  return %r#0, %r#1 : tensor<50x3xf32>, tensor<50x3xi32>
})";
  ASSERT_TRUE(Verifies(text));
  EXPECT_EQ(DisagreementOn(text, /*tricky=*/true, 0), "");
}

TEST(TopKDifferential, ManyOfMany) {
  const std::string text = R"(
func.func @main(%x: tensor<3x900xf32>) -> (tensor<3x400xf32>, tensor<3x400xi32>) {
  %r:2 = chlo.top_k(%x, k = 400) : tensor<3x900xf32> -> (tensor<3x400xf32>, tensor<3x400xi32>)
  return %r#0, %r#1 : tensor<3x400xf32>, tensor<3x400xi32>
})";
  ASSERT_TRUE(Verifies(text));
  EXPECT_EQ(DisagreementOn(text, /*tricky=*/true, 0), "");
}

TEST(TopKDifferential, AllTypesSizesAndCounts) {
  for (const char* type :
       {"i1", "i8", "ui16", "i32", "ui64", "f16", "bf16", "f32", "f64"}) {
    for (const char* dims : {"3x40", "700", "2x3x9"}) {
      for (int k : {0, 1, 5, 9}) {
        const std::string lead(dims, std::string(dims).rfind('x') + 1);
        const std::string x = absl::StrCat("tensor<", dims, "x", type, ">");
        const std::string v = absl::StrCat("tensor<", lead, k, "x", type, ">");
        const std::string i = absl::StrCat("tensor<", lead, k, "xi32>");
        const std::string text = absl::StrCat(
            "func.func @main(%x: ", x, ") -> (", v, ", ", i,
            ") {\n%r:2 = chlo.top_k(%x, k = ", k, ") : ", x, " -> (", v, ", ",
            i, ")\nreturn %r#0, %r#1 : ", v, ", ", i, "\n}");
        ASSERT_TRUE(Verifies(text)) << text;
        EXPECT_EQ(DisagreementOn(text, /*tricky=*/false, 0), "") << text;
        EXPECT_EQ(DisagreementOn(text, /*tricky=*/true, 0), "") << text;
      }
    }
  }
}

}  // namespace
}  // namespace lockstep::internal
