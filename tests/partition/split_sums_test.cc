// Floats that are summed over split dims are as near to the exact sum as
// docs/determinism.md says.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/substitute.h"
#include "runtime/frontend/parser.h"
#include "runtime/ir/module.h"
#include "runtime/ir/printer.h"
#include "runtime/types/element_type.h"
#include "runtime/types/literal.h"
#include "tests/partition/partitioned_run.h"

namespace lockstep::internal {
namespace {

constexpr int64_t kRows = 4;

struct FloatType {
  ElementType type;
  int fraction_bits;  // with the hidden one
};

struct SumCase {
  FloatType type;
  int64_t length;
  int64_t devices;
};

// A sum and a product over the split dim.
constexpr char kProgram[] = R"(
sdy.mesh @mesh = <["x"=$1]>
func.func @main(%a: tensor<4x$0x$2>, %b: tensor<$0x$2>, %zero: tensor<$2>) -> (tensor<4x$2>, tensor<4x$2>) {
  %0 = sdy.sharding_constraint %a <@mesh, [{}, {"x"}]> : tensor<4x$0x$2>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x$0x$2>, tensor<$2>) -> tensor<4x$2>
  %2 = stablehlo.dot_general %0, %b, contracting_dims = [1] x [0] : (tensor<4x$0x$2>, tensor<$0x$2>) -> tensor<4x$2>
  return %1, %2 : tensor<4x$2>, tensor<4x$2>
}
)";

// Of both signs and several magnitudes.
Literal RandomFloats(const Shape& shape, std::mt19937& generator) {
  Literal literal(shape);
  std::normal_distribution<float> normal;
  DispatchElementType(shape.element_type(),
                      [&]<typename T>(std::type_identity<T>) {
                        if constexpr (std::is_constructible_v<T, float>) {
                          for (T& value : literal.mutable_data<T>()) {
                            const float x = normal(generator);
                            value = static_cast<T>(x * x * x);
                          }
                        }
                      });
  return literal;
}

std::vector<long double> Values(const Literal& literal) {
  std::vector<long double> values;
  DispatchElementType(literal.shape().element_type(),
                      [&]<typename T>(std::type_identity<T>) {
                        if constexpr (std::is_constructible_v<double, T>) {
                          for (const T value : literal.data<T>()) {
                            values.push_back(static_cast<double>(value));
                          }
                        }
                      });
  return values;
}

// (n/k + log2 k + 1) roundings of n terms on k devices, one more of each
// product, and what rounded errors add.
long double Bound(const SumCase& sum, bool has_products) {
  const long double unit = std::ldexp(1.0L, -sum.type.fraction_bits);
  const int64_t shard = (sum.length + sum.devices - 1) / sum.devices;
  const long double depth = std::ceil(std::log2(sum.devices));
  const long double roundings =
      static_cast<long double>(shard) + depth + 1 + (has_products ? 1 : 0);
  return roundings * unit / (1 - roundings * unit);
}

class SplitSumsTest : public ::testing::TestWithParam<FloatType> {};
INSTANTIATE_TEST_SUITE_P(Types, SplitSumsTest,
                         ::testing::Values(FloatType{ElementType::kF16, 11},
                                           FloatType{ElementType::kBF16, 8},
                                           FloatType{ElementType::kF32, 24},
                                           FloatType{ElementType::kF64, 53}));

void ExpectWithinBound(const SumCase& sum, std::mt19937& generator) {
  const std::string text = absl::Substitute(kProgram, sum.length, sum.devices,
                                            StablehloName(sum.type.type));
  SCOPED_TRACE(text);
  const auto module = ParseAndVerify(text, "sums");
  ASSERT_TRUE(module.ok()) << module.status();
  const Shape matrix(sum.type.type, {kRows, sum.length});
  const Shape vector(sum.type.type, {sum.length});
  const std::vector<Literal> arguments = {RandomFloats(matrix, generator),
                                          RandomFloats(vector, generator),
                                          Literal(Shape(sum.type.type, {}))};
  const auto found = RunPartitioned(**module, arguments);
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_TRUE(absl::StrContains(Print(**module), "stablehlo.all_reduce") ||
              absl::StrContains(Print(**module), "stablehlo.reduce_scatter"));
  const std::vector<long double> a = Values(arguments[0]);
  const std::vector<long double> b = Values(arguments[1]);
  for (const bool has_products : {false, true}) {
    const std::vector<long double> sums = Values((*found)[has_products]);
    for (int64_t row = 0; row < kRows; ++row) {
      long double exact = 0, magnitude = 0;
      for (int64_t i = 0; i < sum.length; ++i) {
        const long double term =
            a[row * sum.length + i] * (has_products ? b[i] : 1);
        exact += term;
        magnitude += std::abs(term);
      }
      EXPECT_LE(std::abs(sums[row] - exact),
                Bound(sum, has_products) * magnitude)
          << "row " << row << (has_products ? " of products" : "");
    }
  }
}

TEST_P(SplitSumsTest, AreAsNearAsDocumented) {
  std::mt19937 generator(7);
  for (const int64_t length : {2, 7, 24, 65}) {
    for (const int64_t devices : {2, 3, 4, 7, 8}) {
      ExpectWithinBound({GetParam(), length, devices}, generator);
    }
  }
}

}  // namespace
}  // namespace lockstep::internal
