// Solutions solve their systems.
#include <algorithm>
#include <cmath>

#include "runtime/ops/custom_calls/lapack/lapack_testing.h"

namespace lockstep::internal {
namespace {

template <typename T>
class SolvesTest : public LapackTest<T> {
 protected:
  using Base = LapackTest<T>;

  // A triangle with a dominant diagonal, NaN elsewhere where it is not read;
  // and the matrix that it stands for.
  std::pair<Matrix, Matrix> DrawTriangle(int64_t n, char uplo, char diag) {
    Matrix given = Base::DrawMatrix(n, n);
    Matrix meant(n, n);
    for (int64_t r = 0; r < n; ++r) {
      for (int64_t c = 0; c < n; ++c) {
        if (r == c) {
          meant(r, c) = diag == 'U' ? 1 : 2 + static_cast<double>(n);
          given(r, c) = diag == 'U' ? Number(NAN) : meant(r, c);
        } else if ((r > c) == (uplo == 'L')) {
          given(r, c) /= static_cast<double>(n);
          // As the element type has it.
          Literal rounded(Shape(Base::Type(), {1, 1}));
          Matrix one(1, 1);
          one(0, 0) = given(r, c);
          Base::Put(one, rounded, 0);
          meant(r, c) = Base::Member(rounded, 0, 1, 1)(0, 0);
        } else {
          given(r, c) = NAN;
        }
      }
    }
    return {given, meant};
  }
};
TYPED_TEST_SUITE(SolvesTest, LapackTypes);

TYPED_TEST(SolvesTest, TrsmSolvesFromBothSidesWithEveryTriangle) {
  for (const auto& batch : Batches()) {
    for (const int64_t n : {0, 1, 4}) {
      for (const char side : {'L', 'R'}) {
        for (const char uplo : {'L', 'U'}) {
          for (const char trans : {'N', 'T', 'C'}) {
            for (const char diag : {'N', 'U'}) {
              const int64_t m = side == 'L' ? n : 3;
              const int64_t columns = side == 'L' ? 3 : n;
              Literal a(this->ShapeOf(this->Type(), batch, {n, n}));
              std::vector<Matrix> meant;
              for (int64_t i = 0; i < SizeOf(batch); ++i) {
                auto [given, matrix] = this->DrawTriangle(n, uplo, diag);
                this->Put(given, a, i);
                meant.push_back(matrix);
              }
              const Literal b = this->DrawOf(batch, {m, columns});
              const auto results = RunCall(
                  {.target = this->Target("trsm"),
                   .operands = {a.shape(), b.shape()},
                   .results = {b.shape()},
                   .config = absl::StrCat(
                       "diag = ", static_cast<int>(diag),
                       " : ui8, side = ", static_cast<int>(side),
                       " : ui8, trans_x = ", static_cast<int>(trans),
                       " : ui8, uplo = ", static_cast<int>(uplo), " : ui8"),
                   .batch_rank = static_cast<int64_t>(batch.size())},
                  {a, b});
              ASSERT_TRUE(results.ok()) << results.status();
              for (int64_t i = 0; i < SizeOf(batch); ++i) {
                const Matrix op = trans == 'N'   ? meant[i]
                                  : trans == 'T' ? Transposed(meant[i])
                                                 : Adjoint(meant[i]);
                const Matrix x = this->Member((*results)[0], i, m, columns);
                this->ExpectNear(side == 'L' ? op * x : x * op,
                                 this->Member(b, i, m, columns));
              }
            }
          }
        }
      }
    }
  }
}

TYPED_TEST(SolvesTest, TrsmMayScaleTheRightSide) {
  Literal a(Shape(this->Type(), {2, 1, 1}));
  Literal b(Shape(this->Type(), {2, 1, 1}));
  Literal alpha(Shape(this->Type(), {}));
  alpha.template mutable_data<TypeParam>()[0] = 3;
  for (int i = 0; i < 2; ++i) {
    a.template mutable_data<TypeParam>()[i] = 2;
    b.template mutable_data<TypeParam>()[i] = static_cast<TypeParam>(4 + 4 * i);
  }
  const auto results = RunCall(
      {.target = this->Target("trsm"),
       .operands = {a.shape(), b.shape(), alpha.shape()},
       .results = {b.shape()},
       .config = "diag = 78 : ui8, side = 76 : ui8, trans_x = 78 : ui8, "
                 "uplo = 76 : ui8",
       .batch_rank = 1},
      {a, b, alpha});
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_EQ((*results)[0].template data<TypeParam>()[0], TypeParam(6));
  EXPECT_EQ((*results)[0].template data<TypeParam>()[1], TypeParam(12));
}

TYPED_TEST(SolvesTest, GtsvSolvesTridiagonalSystems) {
  for (const auto& batch : Batches()) {
    for (const int64_t n : {1, 2, 9}) {
      SCOPED_TRACE(n);
      const Literal dl = this->DrawOf(batch, {n});
      Literal d = this->DrawOf(batch, {n});
      const Literal du = this->DrawOf(batch, {n});
      const Literal b = this->DrawOf(batch, {n, 2});
      for (TypeParam& x : d.template mutable_data<TypeParam>()) x += 4;
      const Shape info = this->ShapeOf(ElementType::kS32, batch, {});
      const auto results = RunCall(
          {.target = this->Target("gtsv"),
           .operands = {d.shape(), d.shape(), d.shape(), b.shape()},
           .results = {d.shape(), d.shape(), d.shape(), b.shape(), info},
           .config = "",
           .batch_rank = static_cast<int64_t>(batch.size())},
          {dl, d, du, b});
      ASSERT_TRUE(results.ok()) << results.status();
      for (int64_t i = 0; i < SizeOf(batch); ++i) {
        this->ExpectInfo((*results)[4], i, 0);
        Matrix t = Diagonal(this->Member(d, i, n, 1), n, n);
        for (int64_t j = 1; j < n; ++j) {
          t(j, j - 1) = this->Member(dl, i, n, 1)(j, 0);
          t(j - 1, j) = this->Member(du, i, n, 1)(j - 1, 0);
        }
        this->ExpectNear(t * this->Member((*results)[3], i, n, 2),
                         this->Member(b, i, n, 2));
      }
    }
  }
}

TYPED_TEST(SolvesTest, GtsvSaysWhichPivotIsZero) {
  Literal d(Shape(this->Type(), {3}));
  Literal b(Shape(this->Type(), {3, 1}));
  d.template mutable_data<TypeParam>()[0] = 1;
  const Shape info(ElementType::kS32, {});
  const auto results =
      RunCall({.target = this->Target("gtsv"),
               .operands = {d.shape(), d.shape(), d.shape(), b.shape()},
               .results = {d.shape(), d.shape(), d.shape(), b.shape(), info},
               .config = ""},
              {Literal(d.shape()), d, Literal(d.shape()), b});
  ASSERT_TRUE(results.ok()) << results.status();
  this->ExpectInfo((*results)[4], 0, 2);
}

}  // namespace
}  // namespace lockstep::internal
