// Floats of 8 bits and fewer: conversions in kernels beside those of the
// reference evaluation, bit for bit, and the ops around them.
#include <cstddef>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"
#include "tests/conformance/backend/differential.h"

namespace lockstep::internal {
namespace {

struct Format {
  const char* name;
  ElementType type;
};
const Format kFormats[] = {
    {"f8E5M2", ElementType::kF8E5M2},
    {"f8E4M3", ElementType::kF8E4M3},
    {"f8E3M4", ElementType::kF8E3M4},
    {"f8E4M3FN", ElementType::kF8E4M3FN},
    {"f8E4M3FNUZ", ElementType::kF8E4M3FNUZ},
    {"f8E5M2FNUZ", ElementType::kF8E5M2FNUZ},
    {"f8E4M3B11FNUZ", ElementType::kF8E4M3B11FNUZ},
    {"f8E8M0FNU", ElementType::kF8E8M0FNU},
    {"f6E2M3FN", ElementType::kF6E2M3FN},
    {"f6E3M2FN", ElementType::kF6E3M2FN},
    {"f4E2M1FN", ElementType::kF4E2M1FN},
};
const char* const kOtherTypes[] = {"i1",   "i8",   "i16",  "i32",         "i64",
                                   "ui8",  "ui16", "ui32", "ui64",        "f16",
                                   "bf16", "f32",  "f64",  "complex<f32>"};

// All numbers of the format, again and again.
Literal Numbers(ElementType type, std::vector<int64_t> dims) {
  Literal numbers(Shape(type, dims));
  const int64_t count = int64_t{1} << BitWidth(type);
  for (int64_t i = 0; i < numbers.shape().element_count(); ++i) {
    numbers.mutable_bytes()[i] = static_cast<std::byte>(i % count);
  }
  return numbers;
}

std::string Conversion(absl::string_view from, absl::string_view to,
                       int64_t count) {
  return absl::StrReplaceAll(
      R"(func.func @main(%a: tensor<NxFROM>) -> tensor<NxTO> {
  %0 = stablehlo.convert %a : (tensor<NxFROM>) -> tensor<NxTO>
  return %0 : tensor<NxTO>
})",
      {{"NxFROM", absl::StrCat(count, "x", from)},
       {"NxTO", absl::StrCat(count, "x", to)}});
}

TEST(SmallFloatConversions, EveryNumberToEveryType) {
  for (const Format& format : kFormats) {
    for (const char* to : kOtherTypes) {
      EXPECT_EQ(Disagreement(Conversion(format.name, to, 256),
                             {Numbers(format.type, {256})}, 0),
                "")
          << format.name << " to " << to;
    }
    for (const Format& to : kFormats) {
      EXPECT_EQ(Disagreement(Conversion(format.name, to.name, 256),
                             {Numbers(format.type, {256})}, 0),
                "")
          << format.name << " to " << to.name;
    }
  }
}

TEST(SmallFloatConversions, EveryTypeOnTrickyValues) {
  for (const Format& format : kFormats) {
    for (const char* from : kOtherTypes) {
      EXPECT_EQ(DisagreementOn(Conversion(from, format.name, 419), true, 0), "")
          << from << " to " << format.name;
    }
  }
}

// All signs and exponents, with mantissas around every place where rounding
// turns.
Literal Roundings() {
  std::mt19937 random(3);
  std::vector<float> values;
  for (uint32_t high = 0; high < 1 << 14; ++high) {
    for (const uint32_t low : {0u, 1u, 0x1FFFFu, 0x20000u, 0x20001u, 0x3FFFFu,
                               static_cast<uint32_t>(random() & 0x3FFFF)}) {
      const uint32_t bits = high << 18 | low;
      float value;
      std::memcpy(&value, &bits, sizeof(value));
      values.push_back(value);
    }
  }
  const auto count = static_cast<int64_t>(values.size());
  return Literal::FromValues<float>({count}, values);
}

TEST(SmallFloatConversions, FloatsAreRoundedOnceToNearestEven) {
  const Literal floats = Roundings();
  const int64_t count = floats.shape().element_count();
  // Beside halfway by less than an f32 can say.
  Literal doubles(Shape(ElementType::kF64, {count}));
  for (int64_t i = 0; i < count; ++i) {
    const auto value = static_cast<double>(floats.data<float>()[i]);
    doubles.mutable_data<double>()[i] = value * (1 + (i % 3 - 1) * 0x1p-40);
  }
  for (const Format& format : kFormats) {
    EXPECT_EQ(Disagreement(Conversion("f32", format.name, count), {floats}, 0),
              "")
        << format.name;
    EXPECT_EQ(Disagreement(Conversion("f64", format.name, count), {doubles}, 0),
              "")
        << format.name;
  }
}

// Ops that a kernel computes exactly as the reference evaluation does.
TEST(SmallFloatOps, ChainsAgreeBitForBit) {
  for (const Format& format : kFormats) {
    const std::string text = absl::StrReplaceAll(
        R"(func.func @main(%a: TENSOR, %b: TENSOR, %s: tensor<FORMAT>) -> (TENSOR, PREDS, TENSOR) {
  %0 = stablehlo.add %a, %b : TENSOR
  %1 = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<FORMAT>) -> TENSOR
  %2 = stablehlo.multiply %0, %1 : TENSOR
  %3 = stablehlo.compare LT, %2, %a, FLOAT : (TENSOR, TENSOR) -> PREDS
  %4 = stablehlo.select %3, %2, %b : PREDS, TENSOR
  %c = stablehlo.constant dense<2.0> : TENSOR
  %5 = stablehlo.divide %4, %c : TENSOR
  %6 = stablehlo.maximum %5, %a : TENSOR
  return %5, %3, %6 : TENSOR, PREDS, TENSOR
})",
        {{"TENSOR", absl::StrCat("tensor<37x29x", format.name, ">")},
         {"FORMAT", format.name},
         {"PREDS", "tensor<37x29xi1>"}});
    ASSERT_TRUE(Verifies(text)) << text;
    const Literal numbers = Numbers(format.type, {37, 29});
    Literal others(numbers.shape());
    for (int64_t i = 0; i < 37 * 29; ++i) {
      others.mutable_bytes()[i] = numbers.bytes()[(i * 7 + i / 29) % (37 * 29)];
    }
    Literal scale(Shape(format.type, {}));
    scale.mutable_bytes()[0] = std::byte{3};
    for (const bool is_optimized : {false, true}) {
      EXPECT_EQ(Disagreement(text, {numbers, others, scale}, 0, is_optimized),
                "")
          << format.name;
    }
  }
}

TEST(SmallFloatOps, BodiesAndMovementAgree) {
  for (const char* format : {"f8E4M3FN", "f8E5M2", "f4E2M1FN"}) {
    const std::string text = absl::StrReplaceAll(
        R"(func.func @main(%a: tensor<7x12xT>, %i: tensor<5x1xi32>, %u: tensor<5x12xT>) -> (tensor<7xT>, tensor<7xT>, tensor<7x12xT>, tensor<7x12xT>, tensor<7x12xT>, tensor<12x9xT>) {
  %z = stablehlo.constant dense<0.0> : tensor<T>
  %0 = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [1] : (tensor<7x12xT>, tensor<T>) -> tensor<7xT>
  %1 = stablehlo.reduce(%a init: %z) across dimensions = [1] : (tensor<7x12xT>, tensor<T>) -> tensor<7xT>
  reducer(%x: tensor<T>, %y: tensor<T>) {
    %p = stablehlo.add %x, %y : tensor<T>
    %q = stablehlo.abs %p : tensor<T>
    stablehlo.return %q : tensor<T>
  }
  %2 = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<T>, %y: tensor<T>):
    %p = stablehlo.add %x, %y : tensor<T>
    stablehlo.return %p : tensor<T>
  }) : (tensor<7x12xT>, tensor<5x1xi32>, tensor<5x12xT>) -> tensor<7x12xT>
  %3 = "stablehlo.sort"(%a) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%x: tensor<T>, %y: tensor<T>):
    %p = stablehlo.compare LT, %x, %y, TOTALORDER : (tensor<T>, tensor<T>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<7x12xT>) -> tensor<7x12xT>
  %4 = "stablehlo.reduce_window"(%a, %z) <{window_dimensions = array<i64: 1, 3>, padding = dense<[[0, 0], [1, 1]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<T>, %y: tensor<T>):
    %p = stablehlo.maximum %x, %y : tensor<T>
    stablehlo.return %p : tensor<T>
  }) : (tensor<7x12xT>, tensor<T>) -> tensor<7x12xT>
  %t = stablehlo.transpose %a, dims = [1, 0] : (tensor<7x12xT>) -> tensor<12x7xT>
  %5 = stablehlo.pad %t, %z, low = [0, 1], high = [0, 1], interior = [0, 0] : (tensor<12x7xT>, tensor<T>) -> tensor<12x9xT>
  return %0, %1, %2, %3, %4, %5 : tensor<7xT>, tensor<7xT>, tensor<7x12xT>, tensor<7x12xT>, tensor<7x12xT>, tensor<12x9xT>
})",
        {{"xT>", absl::StrCat("x", format, ">")},
         {"tensor<T>", absl::StrCat("tensor<", format, ">")}});
    ASSERT_TRUE(Verifies(text)) << text;
    for (const bool is_optimized : {false, true}) {
      EXPECT_EQ(DisagreementOn(text, false, 0, is_optimized), "") << format;
    }
  }
}

TEST(SmallFloatOps, ContractionsAgree) {
  const std::string text = R"(
func.func @main(%a: tensor<17x33xf8E4M3FN>, %b: tensor<33x9xf8E4M3FN>) -> (tensor<17x9xf32>, tensor<17x9xf8E4M3FN>, tensor<17x9xbf16>) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<17x33xf8E4M3FN>, tensor<33x9xf8E4M3FN>) -> tensor<17x9xf32>
  %1 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<17x33xf8E4M3FN>, tensor<33x9xf8E4M3FN>) -> tensor<17x9xf8E4M3FN>
  %2 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<17x33xf8E4M3FN>, tensor<33x9xf8E4M3FN>) -> tensor<17x9xbf16>
  return %0, %1, %2 : tensor<17x9xf32>, tensor<17x9xf8E4M3FN>, tensor<17x9xbf16>
})";
  for (const bool is_optimized : {false, true}) {
    EXPECT_EQ(DisagreementOn(text, false, 0, is_optimized), "");
  }
}

}  // namespace
}  // namespace lockstep::internal
