// Cholesky, LU and QR: the factors are of the right form, and their product is
// the matrix.
#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/ops/custom_calls/lapack/lapack_testing.h"

namespace lockstep::internal {
namespace {

struct Size {
  int64_t rows, columns;
};
constexpr Size kSizes[] = {{0, 0}, {1, 1}, {3, 3},  {5, 2},  {2, 5},
                           {0, 3}, {3, 0}, {17, 9}, {40, 40}};
constexpr int64_t kOrders[] = {0, 1, 2, 5, 33};

template <typename T>
class FactorizationsTest : public LapackTest<T> {
 protected:
  using Base = LapackTest<T>;

  static CallSpec Potrf(const std::vector<int64_t>& batch, int64_t n,
                        char uplo) {
    const Shape matrix = Base::ShapeOf(Base::Type(), batch, {n, n});
    return {.target = Base::Target("potrf"),
            .operands = {matrix},
            .results = {matrix, Base::ShapeOf(ElementType::kS32, batch, {})},
            .config = absl::StrCat("uplo = ", static_cast<int>(uplo), " : ui8"),
            .batch_rank = static_cast<int64_t>(batch.size())};
  }
  Matrix DrawPositive(int64_t n) {
    const Matrix b = Base::DrawMatrix(n, n);
    Matrix a = b * Adjoint(b);
    for (int64_t i = 0; i < n; ++i) a(i, i) += 1;
    return a;
  }
  static CallSpec Getrf(const std::vector<int64_t>& batch, Size size) {
    const Shape matrix =
        Base::ShapeOf(Base::Type(), batch, {size.rows, size.columns});
    return {.target = Base::Target("getrf"),
            .operands = {matrix},
            .results = {matrix,
                        Base::ShapeOf(ElementType::kS32, batch,
                                      {std::min(size.rows, size.columns)}),
                        Base::ShapeOf(ElementType::kS32, batch, {})},
            .config = "",
            .batch_rank = static_cast<int64_t>(batch.size())};
  }
  // R and the vectors, and the taus.
  absl::StatusOr<std::vector<Literal>> RunGeqrf(
      const std::vector<int64_t>& batch, Size size, const Literal& a) {
    const Shape matrix =
        Base::ShapeOf(Base::Type(), batch, {size.rows, size.columns});
    return RunCall(
        {.target = Base::Target("geqrf"),
         .operands = {matrix},
         .results = {matrix,
                     Base::ShapeOf(Base::Type(), batch,
                                   {std::min(size.rows, size.columns)})},
         .config = "",
         .batch_rank = static_cast<int64_t>(batch.size())},
        {a});
  }
};
TYPED_TEST_SUITE(FactorizationsTest, LapackTypes);

TYPED_TEST(FactorizationsTest, PotrfIsATriangleThatReadsOneTriangle) {
  for (const auto& batch : Batches()) {
    for (const int64_t n : kOrders) {
      for (const char uplo : {'L', 'U'}) {
        SCOPED_TRACE(absl::StrCat(n, " ", std::string(1, uplo)));
        const CallSpec call = this->Potrf(batch, n, uplo);
        Literal a(call.operands[0]);
        std::vector<Matrix> matrices;
        for (int64_t i = 0; i < SizeOf(batch); ++i) {
          matrices.push_back(this->DrawPositive(n));
          // The other triangle is not read, and stays.
          Matrix given = matrices.back();
          for (int64_t r = 0; r < n; ++r) {
            for (int64_t c = r + 1; c < n; ++c) {
              (uplo == 'L' ? given(r, c) : given(c, r)) = 99;
            }
          }
          this->Put(given, a, i);
        }
        const auto results = RunCall(call, {a});
        ASSERT_TRUE(results.ok()) << results.status();
        for (int64_t i = 0; i < SizeOf(batch); ++i) {
          this->ExpectInfo((*results)[1], i, 0);
          const Matrix factor = this->Member((*results)[0], i, n, n);
          if (uplo == 'L') {
            const Matrix lower = LowerPart(factor);
            this->ExpectNear(lower * Adjoint(lower), matrices[i]);
          } else {
            const Matrix upper = UpperPart(factor);
            this->ExpectNear(Adjoint(upper) * upper, matrices[i]);
          }
          if (n > 1) {
            EXPECT_EQ(uplo == 'L' ? factor(0, n - 1) : factor(n - 1, 0), 99.0);
          }
        }
      }
    }
  }
}

TYPED_TEST(FactorizationsTest, PotrfSaysWhichMinorIsNotPositive) {
  const CallSpec call = this->Potrf({2}, 3, 'L');
  Literal a(call.operands[0]);
  Matrix bad = Identity(3);
  bad(1, 1) = -1;
  this->Put(Identity(3), a, 0);
  this->Put(bad, a, 1);
  const auto results = RunCall(call, {a});
  ASSERT_TRUE(results.ok()) << results.status();
  this->ExpectInfo((*results)[1], 0, 0);
  this->ExpectInfo((*results)[1], 1, 2);
}

TYPED_TEST(FactorizationsTest, GetrfExchangesRows) {
  for (const auto& batch : Batches()) {
    for (const Size size : kSizes) {
      SCOPED_TRACE(absl::StrCat(size.rows, "x", size.columns));
      const auto [m, n] = size;
      const int64_t k = std::min(m, n);
      const CallSpec call = this->Getrf(batch, size);
      const Literal a = this->DrawOf(batch, {m, n});
      const auto results = RunCall(call, {a});
      ASSERT_TRUE(results.ok()) << results.status();
      for (int64_t i = 0; i < SizeOf(batch); ++i) {
        this->ExpectInfo((*results)[2], i, 0);
        const Matrix lu = this->Member((*results)[0], i, m, n);
        Matrix lower = Columns(LowerPart(lu), k);
        for (int64_t j = 0; j < k; ++j) lower(j, j) = 1;
        const Matrix upper = Transposed(Columns(Transposed(UpperPart(lu)), k));
        Matrix exchanged = this->Member(a, i, m, n);
        for (int64_t r = 0; r < k; ++r) {
          const int64_t other =
              (*results)[1].template data<int32_t>()[i * k + r] - 1;
          ASSERT_GE(other, r);
          ASSERT_LT(other, m);
          for (int64_t c = 0; c < n; ++c) {
            std::swap(exchanged(r, c), exchanged(other, c));
          }
        }
        this->ExpectNear(lower * upper, exchanged);
      }
    }
  }
}

TYPED_TEST(FactorizationsTest, GetrfSaysWhichPivotIsZero) {
  const CallSpec call = this->Getrf({2}, {3, 3});
  Literal a(call.operands[0]);
  Matrix singular = Identity(3);
  singular(2, 2) = 0;
  this->Put(Identity(3), a, 0);
  this->Put(singular, a, 1);
  const auto results = RunCall(call, {a});
  ASSERT_TRUE(results.ok()) << results.status();
  this->ExpectInfo((*results)[2], 0, 0);
  this->ExpectInfo((*results)[2], 1, 3);
}

TYPED_TEST(FactorizationsTest, OrgqrMakesTheColumnsOfWhatGeqrfFound) {
  for (const auto& batch : Batches()) {
    for (const Size size : kSizes) {
      SCOPED_TRACE(absl::StrCat(size.rows, "x", size.columns));
      const auto [m, n] = size;
      const int64_t k = std::min(m, n);
      const Literal a = this->DrawOf(batch, {m, n});
      const auto qr = this->RunGeqrf(batch, size, a);
      ASSERT_TRUE(qr.ok()) << qr.status();
      // All of Q: the vectors, and zeros for the columns beyond them.
      Literal vectors(this->ShapeOf(this->Type(), batch, {m, m}));
      for (int64_t i = 0; i < SizeOf(batch); ++i) {
        Matrix padded(m, m);
        const Matrix found = this->Member((*qr)[0], i, m, n);
        for (int64_t r = 0; r < m; ++r) {
          for (int64_t c = 0; c < k; ++c) padded(r, c) = found(r, c);
        }
        this->Put(padded, vectors, i);
      }
      const auto q = RunCall({.target = this->Target("orgqr", "ungqr"),
                              .operands = {vectors.shape(), (*qr)[1].shape()},
                              .results = {vectors.shape()},
                              .config = "",
                              .batch_rank = static_cast<int64_t>(batch.size())},
                             {vectors, (*qr)[1]});
      ASSERT_TRUE(q.ok()) << q.status();
      for (int64_t i = 0; i < SizeOf(batch); ++i) {
        const Matrix unitary = this->Member((*q)[0], i, m, m);
        this->ExpectUnitary(unitary);
        this->ExpectNear(unitary * UpperPart(this->Member((*qr)[0], i, m, n)),
                         this->Member(a, i, m, n));
      }
    }
  }
}

TYPED_TEST(FactorizationsTest, OrmqrMultipliesByWhatGeqrfFound) {
  constexpr int64_t m = 5, n = 3;
  for (const auto& batch : Batches()) {
    const Literal a = this->DrawOf(batch, {m, n});
    const auto qr = this->RunGeqrf(batch, {m, n}, a);
    ASSERT_TRUE(qr.ok()) << qr.status();
    for (const bool left : {true, false}) {
      for (const bool transpose : {true, false}) {
        SCOPED_TRACE(absl::StrCat("left ", left, ", transpose ", transpose));
        const Size size = left ? Size{m, 4} : Size{4, m};
        const Literal c = this->DrawOf(batch, {size.rows, size.columns});
        const auto product =
            RunCall({.target = this->Target("ormqr", "unmqr"),
                     .operands = {a.shape(), (*qr)[1].shape(), c.shape()},
                     .results = {c.shape()},
                     .config = absl::StrCat(
                         "left = ", left ? "true" : "false",
                         ", transpose = ", transpose ? "true" : "false"),
                     .batch_rank = static_cast<int64_t>(batch.size())},
                    {(*qr)[0], (*qr)[1], c});
        ASSERT_TRUE(product.ok()) << product.status();
        for (int64_t i = 0; i < SizeOf(batch); ++i) {
          const Matrix q =
              HouseholderProduct(this->Member((*qr)[0], i, m, n),
                                 this->Member((*qr)[1], i, n, 1), m, 0);
          const Matrix factor = transpose ? Adjoint(q) : q;
          const Matrix other = this->Member(c, i, size.rows, size.columns);
          this->ExpectNear(
              this->Member((*product)[0], i, size.rows, size.columns),
              left ? factor * other : other * factor);
        }
      }
    }
  }
}

TYPED_TEST(FactorizationsTest, Geqp3TakesTheLargestColumnsFirst) {
  for (const auto& batch : Batches()) {
    for (const Size size : {Size{1, 1}, Size{6, 4}, Size{3, 7}}) {
      SCOPED_TRACE(absl::StrCat(size.rows, "x", size.columns));
      const auto [m, n] = size;
      const int64_t k = std::min(m, n);
      const Literal a = this->DrawOf(batch, {m, n});
      const Shape columns = this->ShapeOf(ElementType::kS32, batch, {n});
      const Shape taus = this->ShapeOf(this->Type(), batch, {k});
      const auto qr =
          RunCall({.target = this->Target("geqp3"),
                   .operands = {a.shape(), columns},
                   .results = {a.shape(), columns, taus},
                   .config = "",
                   .batch_rank = static_cast<int64_t>(batch.size())},
                  {a, Literal(columns)});
      ASSERT_TRUE(qr.ok()) << qr.status();
      for (int64_t i = 0; i < SizeOf(batch); ++i) {
        const Matrix found = this->Member((*qr)[0], i, m, n);
        const Matrix q =
            HouseholderProduct(found, this->Member((*qr)[2], i, k, 1), m, 0);
        const Matrix given = this->Member(a, i, m, n);
        Matrix permuted(m, n);
        for (int64_t c = 0; c < n; ++c) {
          const int64_t from = (*qr)[1].template data<int32_t>()[i * n + c] - 1;
          for (int64_t r = 0; r < m; ++r) permuted(r, c) = given(r, from);
        }
        this->ExpectNear(q * UpperPart(found), permuted);
        for (int64_t j = 1; j < k; ++j) {
          EXPECT_LE(std::abs(found(j, j)),
                    std::abs(found(j - 1, j - 1)) * 1.01);
        }
      }
    }
  }
}

}  // namespace
}  // namespace lockstep::internal
