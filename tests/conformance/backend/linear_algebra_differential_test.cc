#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "runtime/ir/type.h"
#include "runtime/ops/element_types.h"
#include "tests/conformance/backend/differential.h"
#include "tests/conformance/backend/relative_distance.h"

namespace lockstep::internal {
namespace {

std::string TypeText(ElementType type, const std::vector<int64_t>& dims) {
  return Type(Shape(type, dims)).ToString();
}

template <typename T>
constexpr bool kHasLinearAlgebra =
    kFloatTypes.Contains(ElementTypeOf<T>::value) ||
    kComplexTypes.Contains(ElementTypeOf<T>::value);

// Uniform in (-1, 1), in both parts of complex numbers.
template <typename T>
T Uniform(std::mt19937_64& random) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  if constexpr (requires(T x) { x.imag(); }) {
    using Part = typename T::value_type;
    const auto re = static_cast<Part>(uniform(random));
    return T(re, static_cast<Part>(uniform(random)));
  } else {
    return static_cast<T>(static_cast<float>(uniform(random)));
  }
}

template <typename T>
T NaN() {
  return static_cast<T>(std::numeric_limits<float>::quiet_NaN());
}

// Matrices whose triangle that counts is that of a matrix with dominant
// diagonal (positive definite when Hermitian); NaN in the other one.
Literal DominantMatrices(ElementType type, int64_t batch, int64_t n,
                         bool is_lower, bool diagonal_counts,
                         std::mt19937_64& random) {
  Literal literal(Shape(type, {batch, n, n}));
  DispatchElementType(type, [&]<typename T>(std::type_identity<T>) {
    if constexpr (kHasLinearAlgebra<T>) {
      T* x = literal.mutable_data<T>().data();
      for (int64_t e = 0; e < batch * n * n; ++e) {
        const int64_t i = e / n % n, j = e % n;
        if (i == j) {
          x[e] = diagonal_counts ? static_cast<T>(2.0f + static_cast<float>(n))
                                 : NaN<T>();
        } else {
          x[e] = (i > j) == is_lower ? Uniform<T>(random) : NaN<T>();
        }
      }
    }
  });
  return literal;
}

Literal RandomValues(ElementType type, const std::vector<int64_t>& dims,
                     std::mt19937_64& random) {
  Literal literal(Shape(type, dims));
  DispatchElementType(type, [&]<typename T>(std::type_identity<T>) {
    if constexpr (kHasLinearAlgebra<T>) {
      for (T& x : literal.mutable_data<T>()) x = Uniform<T>(random);
    }
  });
  return literal;
}

// Half a unit in the last place of 1.
double UnitRoundoff(ElementType type) {
  switch (RealType(type)) {
    case ElementType::kF64:
      return 0x1p-53;
    case ElementType::kF32:
    case ElementType::kC64:
      return 0x1p-24;
    case ElementType::kF16:
      return 0x1p-11;
    default:
      return 0x1p-8;
  }
}

// Both backends' errors are at most some n units for these matrices, whose
// condition numbers are below 10.
void ExpectNear(const std::string& text, const std::vector<Literal>& arguments,
                ElementType type, int64_t n) {
  const auto results = RunOnBoth(text, arguments);
  ASSERT_TRUE(results.ok()) << results.status() << text;
  EXPECT_LE(RelativeDistance(results->oracle[0], results->cpu[0]),
            static_cast<double>(n + 2) * UnitRoundoff(type))
      << text;
}

constexpr ElementType kTypes[] = {ElementType::kF32,  ElementType::kF64,
                                  ElementType::kC64,  ElementType::kC128,
                                  ElementType::kBF16, ElementType::kF16};

std::string CholeskyText(const std::string& type, bool is_lower) {
  return absl::StrCat(
      "func.func @main(%a: ", type, ") -> ", type,
      " {\n  %r = stablehlo.cholesky %a, lower = ", is_lower ? "true" : "false",
      " : ", type, "\n  return %r : ", type, "\n}\n");
}

TEST(CholeskyDifferential, EveryTypeAndSize_TheOtherTriangleHoldsNaN) {
  std::mt19937_64 random(1);
  for (const ElementType type : kTypes) {
    for (const int64_t n : {1, 2, 3, 8, 17, 40, 130}) {
      for (const bool is_lower : {true, false}) {
        const int64_t batch = n == 8 ? 300 : 3;
        const Literal a =
            DominantMatrices(type, batch, n, is_lower, true, random);
        ExpectNear(CholeskyText(TypeText(type, {batch, n, n}), is_lower), {a},
                   type, n);
      }
    }
  }
}

TEST(CholeskyDifferential, EmptyTensors) {
  for (const char* type : {"tensor<0x3x3xf32>", "tensor<2x0x0xf64>"}) {
    EXPECT_EQ(DisagreementOn(CholeskyText(type, true), false, 0), "");
  }
}

// The second of three matrices has a negative pivot, the third a zero one.
TEST(CholeskyDifferential, NotPositiveDefinite_NaNWhereTheOracleHasIt) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Literal a = Literal::FromValues<float>(
      {3, 3, 3}, {4, nan, nan, 2, 10, nan, 2, 4, 6,    //
                  4, nan, nan, 2, -3, nan, 2, 4, 100,  //
                  4, nan, nan, 2, 1,  nan, 2, 3, 9});
  const std::string text = CholeskyText("tensor<3x3x3xf32>", true);
  EXPECT_EQ(Disagreement(text, {a}, 0), "");
  const auto results = RunOnBoth(text, {a});
  ASSERT_TRUE(results.ok()) << results.status();
  const auto values = results->cpu[0].data<float>();
  EXPECT_FALSE(std::isnan(values[8]));
  EXPECT_TRUE(std::isnan(values[9 + 4]));
  EXPECT_TRUE(std::isnan(values[9 + 8]));
}

struct SolveCase {
  bool left_side, is_lower, unit_diagonal;
  const char* transpose;
};

std::string SolveText(const std::string& a, const std::string& b,
                      const SolveCase& c) {
  const auto name = [](bool x) { return x ? "true" : "false"; };
  return absl::StrCat(
      "func.func @main(%a: ", a, ", %b: ", b, ") -> ", b,
      " {\n  %r = \"stablehlo.triangular_solve\"(%a, %b) <{left_side = ",
      name(c.left_side), ", lower = ", name(c.is_lower),
      ", transpose_a = #stablehlo<transpose ", c.transpose,
      ">, unit_diagonal = ", name(c.unit_diagonal), "}> : (", a, ", ", b,
      ") -> ", b, "\n  return %r : ", b, "\n}\n");
}

void CheckSolves(const SolveCase& c, std::mt19937_64& random) {
  for (const ElementType type : kTypes) {
    for (const int64_t n : {1, 5, 33}) {
      for (const int64_t sides : {1, 7, 70}) {
        const int64_t batch = n == 5 ? 40 : 2;
        Literal a = DominantMatrices(type, batch, n, c.is_lower,
                                     !c.unit_diagonal, random);
        if (c.unit_diagonal) {
          // Small, so that products with the inverse stay small.
          DispatchElementType(type, [&]<typename T>(std::type_identity<T>) {
            if constexpr (kHasLinearAlgebra<T>) {
              for (T& x : a.mutable_data<T>()) {
                if constexpr (requires { x.imag(); }) {
                  x /= static_cast<typename T::value_type>(n);
                } else {
                  x = static_cast<T>(static_cast<float>(x) /
                                     static_cast<float>(n));
                }
              }
            }
          });
        }
        const std::vector<int64_t> dims =
            c.left_side ? std::vector<int64_t>{batch, n, sides}
                        : std::vector<int64_t>{batch, sides, n};
        const Literal b = RandomValues(type, dims, random);
        ExpectNear(
            SolveText(TypeText(type, {batch, n, n}), TypeText(type, dims), c),
            {a, b}, type, n);
      }
    }
  }
}

TEST(TriangularSolveDifferential, EveryFlagAndType_TheRestHoldsNaN) {
  std::mt19937_64 random(2);
  for (const bool left_side : {true, false}) {
    for (const bool is_lower : {true, false}) {
      for (const bool unit_diagonal : {true, false}) {
        for (const char* transpose : {"NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"}) {
          CheckSolves({left_side, is_lower, unit_diagonal, transpose}, random);
        }
      }
    }
  }
}

TEST(TriangularSolveDifferential, ManyRightSidesAreSplit) {
  std::mt19937_64 random(3);
  for (const bool left_side : {true, false}) {
    const SolveCase c = {left_side, true, false, "NO_TRANSPOSE"};
    const Literal a =
        DominantMatrices(ElementType::kF32, 1, 96, true, true, random);
    const std::vector<int64_t> dims = left_side
                                          ? std::vector<int64_t>{1, 96, 600}
                                          : std::vector<int64_t>{1, 600, 96};
    ExpectNear(
        SolveText("tensor<1x96x96xf32>", TypeText(ElementType::kF32, dims), c),
        {a, RandomValues(ElementType::kF32, dims, random)}, ElementType::kF32,
        96);
  }
}

TEST(TriangularSolveDifferential, EmptyTensors) {
  const SolveCase c = {true, true, false, "NO_TRANSPOSE"};
  const std::pair<const char*, const char*> types[] = {
      {"tensor<0x3x3xf32>", "tensor<0x3x2xf32>"},
      {"tensor<2x0x0xf32>", "tensor<2x0x2xf32>"},
      {"tensor<2x3x3xf32>", "tensor<2x3x0xf32>"}};
  for (const auto& [a, b] : types) {
    EXPECT_EQ(DisagreementOn(SolveText(a, b, c), false, 0), "");
  }
}

TEST(TriangularSolveDifferential, AZeroPivotGivesWhatDivisionGives) {
  const Literal a = Literal::FromValues<float>({2, 2}, {2, 0, 1, 0});
  const Literal b = Literal::FromValues<float>({2, 2}, {2, 4, 1, 3});
  EXPECT_EQ(Disagreement(SolveText("tensor<2x2xf32>", "tensor<2x2xf32>",
                                   {true, true, false, "NO_TRANSPOSE"}),
                         {a, b}, 0),
            "");
}

// The same routine computes both, so the bits are the same wherever the batch
// is cut.
TEST(LapackDifferential, BatchesAreSplit) {
  std::mt19937_64 random(4);
  for (const int64_t batch : {1, 2, 701}) {
    Literal a =
        DominantMatrices(ElementType::kF64, batch, 8, true, true, random);
    const std::string type = TypeText(ElementType::kF64, {batch, 8, 8});
    const std::string info = TypeText(ElementType::kS32, {batch});
    const std::string text = absl::StrCat(
        "func.func @main(%a: ", type, ") -> (", type, ", ", info,
        ") {\n  %0:2 = stablehlo.custom_call @lapack_dpotrf_ffi(%a) "
        "{mhlo.backend_config = {uplo = 76 : ui8}, operand_layouts = "
        "[dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, "
        "0]> : tensor<3xindex>, dense<0> : tensor<1xindex>]} : (",
        type, ") -> (", type, ", ", info, ")\n  return %0#0, %0#1 : ", type,
        ", ", info, "\n}\n");
    EXPECT_EQ(Disagreement(text, {a}, 0), "") << batch;
  }
}

}  // namespace
}  // namespace lockstep::internal
