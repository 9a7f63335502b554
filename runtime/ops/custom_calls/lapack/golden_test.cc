// Values that JAX 0.10.2 computes on a CPU from the same matrices, f64.
#include <cmath>
#include <vector>

#include "runtime/ops/custom_calls/lapack/lapack_testing.h"

namespace lockstep::internal {
namespace {

const Shape kMatrix(ElementType::kF64, {3, 3});
const Shape kVector(ElementType::kF64, {3});
const Shape kInfo(ElementType::kS32, {});

Literal Symmetric() {
  return Literal::FromValues<double>({3, 3}, {4, 2, .5, 2, 5, 1, .5, 1, 3});
}
Literal General() {
  return Literal::FromValues<double>({3, 3}, {1, 2, -1, 4, 0, 3, -2, 5, 1});
}

void ExpectNear(const Literal& found, const std::vector<double>& expected) {
  const auto values = found.data<double>();
  ASSERT_EQ(values.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(values[i], expected[i], 1e-12) << i;
  }
}

std::vector<Literal> ResultsOf(const CallSpec& call,
                               const std::vector<Literal>& operands) {
  auto results = RunCall(call, operands);
  EXPECT_TRUE(results.ok()) << results.status();
  return results.ok() ? *std::move(results)
                      : std::vector<Literal>(call.results.size());
}

TEST(GoldenTest, Cholesky) {
  const auto results = ResultsOf({.target = "lapack_dpotrf_ffi",
                                  .operands = {kMatrix},
                                  .results = {kMatrix, kInfo},
                                  .config = "uplo = 76 : ui8"},
                                 {Symmetric()});
  // The upper triangle is that of the operand; JAX sets it to zero.
  ExpectNear(results[0], {2, 2, .5, 1, 2, 1, .25, .375, 1.67238602003246});
}

TEST(GoldenTest, LuAndItsPivots) {
  const Shape pivots(ElementType::kS32, {3});
  const auto results = ResultsOf({.target = "lapack_dgetrf_ffi",
                                  .operands = {kMatrix},
                                  .results = {kMatrix, pivots, kInfo},
                                  .config = ""},
                                 {General()});
  ExpectNear(results[0], {4, 0, 3, -.5, 5, 2.5, .25, .4, -2.75});
  EXPECT_EQ(results[1], Literal::FromValues<int32_t>({3}, {2, 3, 3}));
}

TEST(GoldenTest, HouseholderVectorsOfQr) {
  const auto results = ResultsOf({.target = "lapack_dgeqrf_ffi",
                                  .operands = {kMatrix},
                                  .results = {kMatrix, kVector},
                                  .config = ""},
                                 {General()});
  ExpectNear(results[0],
             {-4.58257569495584, 1.74574312188794, -1.96396101212393,
              0.71651513899117, 5.09434794182543, 1.26190270118611,
              -0.35825756949558, -0.96485616420018, 2.35594115282966});
  ExpectNear(results[1], {1.21821789023599, 1.03576098539799, 0});
}

TEST(GoldenTest, EigenvaluesOfASymmetricMatrix) {
  const auto results = ResultsOf({.target = "lapack_dsyevd_ffi",
                                  .operands = {kMatrix},
                                  .results = {kMatrix, kVector, kInfo},
                                  .config = "mode = 86 : ui8, uplo = 76 : ui8"},
                                 {Symmetric()});
  ExpectNear(results[1],
             {2.31625772847452, 2.81116707748427, 6.87257519404121});
}

TEST(GoldenTest, SingularValues) {
  const auto results =
      ResultsOf({.target = "lapack_dgesdd_ffi",
                 .operands = {kMatrix},
                 .results = {kMatrix, kVector, kMatrix, kMatrix, kInfo},
                 .config = "mode = 65 : ui8"},
                {General()});
  ExpectNear(results[1],
             {5.84816471698377, 4.78999389090306, 1.96339704801079});
}

TEST(GoldenTest, Hessenberg) {
  const auto results =
      ResultsOf({.target = "lapack_dgehrd_ffi",
                 .operands = {kMatrix},
                 .results = {kMatrix, Shape(ElementType::kF64, {2}), kInfo},
                 .config = "high = 3 : i32, low = 1 : i32"},
                {General()});
  ExpectNear(results[0], {1, -2.23606797749979, 0, -4.47213595499958, -3, -1,
                          -0.23606797749979, -3, 4});
  ExpectNear(results[1], {1.89442719099992, 0});
}

TEST(GoldenTest, TridiagonalSystem) {
  const Shape right(ElementType::kF64, {3, 1});
  const auto results =
      ResultsOf({.target = "lapack_dgtsv_ffi",
                 .operands = {kVector, kVector, kVector, right},
                 .results = {kVector, kVector, kVector, right, kInfo},
                 .config = ""},
                {Literal::FromValues<double>({3}, {0, 1, 2}),
                 Literal::FromValues<double>({3}, {4, 5, 6}),
                 Literal::FromValues<double>({3}, {1, -1, 0}),
                 Literal::FromValues<double>({3, 1}, {1, 2, 3})});
  ExpectNear(results[3],
             {0.13934426229508, 0.44262295081967, 0.35245901639344});
}

}  // namespace
}  // namespace lockstep::internal
