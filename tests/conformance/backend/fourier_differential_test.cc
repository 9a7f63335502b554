#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gtest/gtest.h"
#include "runtime/ir/type.h"
#include "tests/conformance/backend/differential.h"
#include "tests/conformance/backend/relative_distance.h"

namespace lockstep::internal {
namespace {

Literal Normal(const Shape& shape, std::mt19937_64& random) {
  Literal literal(shape);
  std::normal_distribution<double> normal;
  DispatchElementType(shape.element_type(),
                      [&]<typename T>(std::type_identity<T>) {
                        for (T& x : literal.mutable_data<T>()) {
                          if constexpr (std::is_floating_point_v<T>) {
                            x = static_cast<T>(normal(random));
                          } else if constexpr (requires { x.imag(); }) {
                            using Part = typename T::value_type;
                            const auto re = static_cast<Part>(normal(random));
                            x = T(re, static_cast<Part>(normal(random)));
                          }
                        }
                      });
  return literal;
}

struct FftCase {
  const char* kind;
  std::vector<int64_t> batch;
  std::vector<int64_t> lengths;
};

// The operand's and the result's shape; `real` is f32 or f64.
std::pair<Shape, Shape> ShapesOf(const FftCase& c, ElementType real) {
  const ElementType complex =
      real == ElementType::kF32 ? ElementType::kC64 : ElementType::kC128;
  std::vector<int64_t> whole = c.batch;
  whole.insert(whole.end(), c.lengths.begin(), c.lengths.end());
  std::vector<int64_t> half = whole;
  half.back() = half.back() / 2 + 1;
  const std::string kind = c.kind;
  if (kind == "RFFT") return {Shape(real, whole), Shape(complex, half)};
  if (kind == "IRFFT") return {Shape(complex, half), Shape(real, whole)};
  return {Shape(complex, whole), Shape(complex, whole)};
}

std::string FftText(const FftCase& c, ElementType real) {
  const auto [operand, result] = ShapesOf(c, real);
  const std::string from = Type(operand).ToString();
  const std::string to = Type(result).ToString();
  return absl::StrCat("func.func @main(%a: ", from, ") -> ", to,
                      " {\n  %r = stablehlo.fft %a, type = ", c.kind,
                      ", length = [", absl::StrJoin(c.lengths, ", "), "] : (",
                      from, ") -> ", to, "\n  return %r : ", to, "\n}\n");
}

// The oracle computes in f64. The bound: (4 + log2 n) units of roundoff of the
// result's norm, for n numbers in one transform.
void ExpectNear(const FftCase& c) {
  std::mt19937_64 random(7);
  for (const ElementType real : {ElementType::kF32, ElementType::kF64}) {
    const std::string text = FftText(c, real);
    const auto results =
        RunOnBoth(text, {Normal(ShapesOf(c, real).first, random)});
    ASSERT_TRUE(results.ok()) << results.status() << text;
    double size = 1;
    for (const int64_t length : c.lengths) size *= static_cast<double>(length);
    const double unit = real == ElementType::kF32 ? 0x1p-24 : 0x1p-53;
    EXPECT_LE(RelativeDistance(results->oracle[0], results->cpu[0]),
              (4 + std::log2(size)) * unit)
        << text;
  }
}

constexpr const char* kKinds[] = {"FFT", "IFFT", "RFFT", "IRFFT"};

TEST(FftDifferential, EveryLengthUpTo70_OneAndManySequences) {
  for (const char* kind : kKinds) {
    for (int64_t n = 1; n <= 70; ++n) {
      ExpectNear({kind, {}, {n}});
      ExpectNear({kind, {19}, {n}});
    }
  }
}

// Powers, products of all radices, primes and numbers with a large prime
// factor: alone, and in batches that fill all lanes and that do not.
TEST(FftDifferential, LongLengths) {
  for (const char* kind : kKinds) {
    for (const int64_t n : {128, 243, 1001, 1009, 1024, 2018, 4096, 2310}) {
      ExpectNear({kind, {}, {n}});
      ExpectNear({kind, {16}, {n}});
      ExpectNear({kind, {9}, {n}});
    }
  }
}

// Sequences that are too long for lanes, though there are many.
TEST(FftDifferential, BatchOfVeryLongSequences) {
  for (const char* kind : kKinds) ExpectNear({kind, {17}, {20000}});
}

TEST(FftDifferential, TwoAndThreeDims) {
  for (const char* kind : kKinds) {
    ExpectNear({kind, {}, {5, 8}});
    ExpectNear({kind, {3}, {16, 9}});
    ExpectNear({kind, {2, 2}, {4, 17, 6}});
    ExpectNear({kind, {}, {1, 30, 1}});
    ExpectNear({kind, {}, {64, 48}});
  }
}

TEST(FftDifferential, EmptyBatchAndLength) {
  for (const char* kind : kKinds) {
    EXPECT_EQ(
        DisagreementOn(FftText({kind, {0}, {8}}, ElementType::kF32), false, 0),
        "");
  }
  EXPECT_EQ(DisagreementOn(R"(
func.func @main(%a: tensor<3x0xcomplex<f32>>) -> tensor<3x0xcomplex<f32>> {
  %r = stablehlo.fft %a, type = FFT, length = [0] : (tensor<3x0xcomplex<f32>>) -> tensor<3x0xcomplex<f32>>
  return %r : tensor<3x0xcomplex<f32>>
})",
                           false, 0),
            "");
}

// A sequence with NaN leaves its neighbours alone.
TEST(FftDifferential, NaNStaysInItsSequence) {
  for (const char* kind : kKinds) {
    const FftCase c = {kind, {20}, {24}};
    std::mt19937_64 random(8);
    Literal operand = Normal(ShapesOf(c, ElementType::kF32).first, random);
    const std::string text = FftText(c, ElementType::kF32);
    const auto before = RunOnBoth(text, {operand});
    ASSERT_TRUE(before.ok()) << before.status();
    const float nan = std::numeric_limits<float>::quiet_NaN();
    // The first number of the second sequence.
    const int64_t row = operand.shape().byte_size() / 20;
    std::memcpy(operand.mutable_bytes() + row, &nan, sizeof(nan));
    const auto after = RunOnBoth(text, {operand});
    ASSERT_TRUE(after.ok()) << after.status();
    const Literal& clean = before->cpu[0];
    const int64_t result_row = clean.shape().byte_size() / 20;
    const auto row_bytes = [&](const Literal& literal, int64_t i) {
      return literal.byte_span().subspan(i * result_row, result_row);
    };
    for (int64_t i = 0; i < 20; ++i) {
      EXPECT_EQ(row_bytes(clean, i) == row_bytes(after->cpu[0], i), i != 1)
          << kind << " " << i;
    }
  }
}

}  // namespace
}  // namespace lockstep::internal
