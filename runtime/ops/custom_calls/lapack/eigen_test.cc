// Eigenvalues, singular values, and the forms on the way to them.
#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/ops/custom_calls/lapack/lapack_testing.h"

namespace lockstep::internal {
namespace {

constexpr int64_t kOrders[] = {0, 1, 2, 5, 30};
constexpr int32_t kNotFinite = -4;

template <typename T>
class EigenTest : public LapackTest<T> {
 protected:
  using Base = LapackTest<T>;

  static Shape Matrices(const std::vector<int64_t>& batch, int64_t m,
                        int64_t n) {
    return Base::ShapeOf(Base::Type(), batch, {m, n});
  }
  static Shape Infos(const std::vector<int64_t>& batch) {
    return Base::ShapeOf(ElementType::kS32, batch, {});
  }
  static CallSpec Geev(const std::vector<int64_t>& batch, int64_t n) {
    const Shape values = Base::ShapeOf(Base::Type(), batch, {n});
    const Shape vectors = Base::ShapeOf(Base::ComplexType(), batch, {n, n});
    CallSpec call = {.target = Base::Target("geev"),
                     .operands = {Matrices(batch, n, n)},
                     .results = {values, vectors, vectors, Infos(batch)},
                     .config =
                         "compute_left = 86 : ui8, compute_right = 86 : "
                         "ui8",
                     .batch_rank = static_cast<int64_t>(batch.size())};
    if (!Base::kIsComplex) call.results.insert(call.results.begin(), values);
    return call;
  }
  static CallSpec Gees(const std::vector<int64_t>& batch, int64_t n) {
    const Shape values = Base::ShapeOf(Base::Type(), batch, {n});
    const Shape matrices = Matrices(batch, n, n);
    CallSpec call = {
        .target = Base::Target("gees"),
        .operands = {matrices},
        .results = {matrices, matrices, values, Infos(batch), Infos(batch)},
        .config = "mode = 86 : ui8, sort = 78 : ui8",
        .batch_rank = static_cast<int64_t>(batch.size())};
    if (!Base::kIsComplex)
      call.results.insert(call.results.begin() + 2, values);
    return call;
  }
  // The eigenvalues among the results, which begin at `first`.
  static Matrix Values(const std::vector<Literal>& results, int first,
                       int64_t i, int64_t n) {
    Matrix values = Base::Member(results[first], i, n, 1);
    if (Base::kIsComplex) return values;
    const Matrix imaginary = Base::Member(results[first + 1], i, n, 1);
    for (int64_t j = 0; j < n; ++j) {
      values(j, 0) += Number(0, 1) * imaginary(j, 0);
    }
    return values;
  }
};
TYPED_TEST_SUITE(EigenTest, LapackTypes);

TYPED_TEST(EigenTest, SyevdReadsOneTriangleAndSortsUpwards) {
  using R = LapackReal<TypeParam>;
  for (const auto& batch : Batches()) {
    for (const int64_t n : kOrders) {
      for (const char uplo : {'L', 'U'}) {
        SCOPED_TRACE(absl::StrCat(n, " ", std::string(1, uplo)));
        Literal a(this->Matrices(batch, n, n));
        std::vector<Matrix> matrices;
        for (int64_t i = 0; i < SizeOf(batch); ++i) {
          Matrix hermitian = this->DrawMatrix(n, n);
          for (int64_t r = 0; r < n; ++r) {
            hermitian(r, r) = hermitian(r, r).real();
            for (int64_t c = r + 1; c < n; ++c) {
              hermitian(r, c) = std::conj(hermitian(c, r));
            }
          }
          matrices.push_back(hermitian);
          for (int64_t r = 0; r < n; ++r) {
            for (int64_t c = r + 1; c < n; ++c) {
              (uplo == 'L' ? hermitian(r, c) : hermitian(c, r)) = NAN;
            }
          }
          this->Put(hermitian, a, i);
        }
        const auto results = RunCall(
            {.target = this->Target("syevd", "heevd"),
             .operands = {a.shape()},
             .results = {a.shape(), this->ShapeOf(this->RealType(), batch, {n}),
                         this->Infos(batch)},
             .config = absl::StrCat(
                 "mode = 86 : ui8, uplo = ", static_cast<int>(uplo), " : ui8"),
             .batch_rank = static_cast<int64_t>(batch.size())},
            {a});
        ASSERT_TRUE(results.ok()) << results.status();
        for (int64_t i = 0; i < SizeOf(batch); ++i) {
          this->ExpectInfo((*results)[2], i, 0);
          const Matrix v = this->Member((*results)[0], i, n, n);
          const Matrix w = this->template MemberOf<R>((*results)[1], i, n, 1);
          this->ExpectUnitary(v);
          this->ExpectNear(matrices[i] * v, v * Diagonal(w, n, n));
          for (int64_t j = 1; j < n; ++j) {
            EXPECT_LE(w(j - 1, 0).real(), w(j, 0).real());
          }
        }
      }
    }
  }
}

TYPED_TEST(EigenTest, GeevHasVectorsOfBothSidesOfNormOne) {
  using C = std::complex<LapackReal<TypeParam>>;
  constexpr int kFirstVectors = LapackTest<TypeParam>::kIsComplex ? 1 : 2;
  for (const auto& batch : Batches()) {
    for (const int64_t n : kOrders) {
      SCOPED_TRACE(n);
      const CallSpec call = this->Geev(batch, n);
      const Literal a = this->DrawOf(batch, {n, n});
      const auto results = RunCall(call, {a});
      ASSERT_TRUE(results.ok()) << results.status();
      for (int64_t i = 0; i < SizeOf(batch); ++i) {
        this->ExpectInfo(results->back(), i, 0);
        const Matrix matrix = this->Member(a, i, n, n);
        const Matrix w = Diagonal(this->Values(*results, 0, i, n), n, n);
        const Matrix left =
            this->template MemberOf<C>((*results)[kFirstVectors], i, n, n);
        const Matrix right =
            this->template MemberOf<C>((*results)[kFirstVectors + 1], i, n, n);
        this->ExpectNear(matrix * right, right * w);
        this->ExpectNear(Adjoint(left) * matrix, w * Adjoint(left));
        for (const Matrix* vectors : {&left, &right}) {
          const Matrix product = Adjoint(*vectors) * *vectors;
          for (int64_t j = 0; j < n; ++j) {
            EXPECT_NEAR(product(j, j).real(), 1, 1e-4);
          }
        }
      }
    }
  }
}

// Large enough for divide and conquer, which ends the process where it meets
// what is not finite.
TYPED_TEST(EigenTest, MatricesThatAreNotFiniteHaveAnInfo) {
  constexpr int64_t n = 70;
  const Shape matrices = this->Matrices({2}, n, n);
  const Shape reals = this->ShapeOf(this->RealType(), {2}, {n});
  const Shape infos = this->Infos({2});
  std::vector<CallSpec> calls = {this->Geev({2}, n), this->Gees({2}, n)};
  calls.push_back({.target = this->Target("syevd", "heevd"),
                   .operands = {matrices},
                   .results = {matrices, reals, infos},
                   .config = "mode = 86 : ui8, uplo = 76 : ui8",
                   .batch_rank = 1});
  for (const absl::string_view routine : {"gesdd", "gesvd"}) {
    calls.push_back({.target = this->Target(routine),
                     .operands = {matrices},
                     .results = {matrices, reals, matrices, matrices, infos},
                     .config = "mode = 65 : ui8",
                     .batch_rank = 1});
  }
  for (const double bad : {double{NAN}, double{INFINITY}}) {
    Literal a = this->DrawOf({2}, {n, n});
    // Below the diagonal of the second one.
    a.template mutable_data<TypeParam>()[n * n + 2 * n + 1] =
        static_cast<TypeParam>(bad);
    for (const CallSpec& call : calls) {
      SCOPED_TRACE(call.target);
      const auto results = RunCall(call, {a});
      ASSERT_TRUE(results.ok()) << results.status();
      this->ExpectInfo(results->back(), 0, 0);
      this->ExpectInfo(results->back(), 1, kNotFinite);
    }
  }
}

TYPED_TEST(EigenTest, GeesMakesATriangleWithBlocksOfConjugates) {
  for (const auto& batch : Batches()) {
    for (const int64_t n : kOrders) {
      SCOPED_TRACE(n);
      const Literal a = this->DrawOf(batch, {n, n});
      const auto results = RunCall(this->Gees(batch, n), {a});
      ASSERT_TRUE(results.ok()) << results.status();
      for (int64_t i = 0; i < SizeOf(batch); ++i) {
        this->ExpectInfo(results->back(), i, 0);
        const Matrix t = this->Member((*results)[0], i, n, n);
        const Matrix z = this->Member((*results)[1], i, n, n);
        this->ExpectUnitary(z);
        this->ExpectNear(z * t * Adjoint(z), this->Member(a, i, n, n));
        const int64_t lowest = LapackTest<TypeParam>::kIsComplex ? 0 : -1;
        EXPECT_EQ(UpperPart(t, lowest).numbers, t.numbers);
        const Matrix w = this->Values(*results, 2, i, n);
        for (int64_t j = 0; j < n; ++j) {
          EXPECT_NEAR(w(j, 0).real(), t(j, j).real(), 1e-4);
        }
      }
    }
  }
}

TYPED_TEST(EigenTest, SingularValuesComeDownwardsWithVectorsAsAskedFor) {
  using R = LapackReal<TypeParam>;
  struct Size {
    int64_t rows, columns;
  };
  for (const auto& batch : Batches()) {
    for (const auto& [m, n] : {Size{1, 1}, Size{4, 4}, Size{7, 3}, Size{3, 7},
                               Size{60, 5}, Size{3, 0}, Size{0, 2}}) {
      for (const absl::string_view routine : {"gesdd", "gesvd"}) {
        for (const char mode : {'A', 'S', 'N'}) {
          SCOPED_TRACE(
              absl::StrCat(routine, " ", m, "x", n, " ", std::string(1, mode)));
          const int64_t k = std::min(m, n);
          const int64_t left = mode == 'S' ? k : m;
          const int64_t right = mode == 'S' ? k : n;
          const Literal a = this->DrawOf(batch, {m, n});
          const auto results = RunCall(
              {.target = this->Target(routine),
               .operands = {a.shape()},
               .results = {a.shape(),
                           this->ShapeOf(this->RealType(), batch, {k}),
                           this->Matrices(batch, m, left),
                           this->Matrices(batch, right, n), this->Infos(batch)},
               .config =
                   absl::StrCat("mode = ", static_cast<int>(mode), " : ui8"),
               .batch_rank = static_cast<int64_t>(batch.size())},
              {a});
          ASSERT_TRUE(results.ok()) << results.status();
          for (int64_t i = 0; i < SizeOf(batch); ++i) {
            this->ExpectInfo((*results)[4], i, 0);
            const Matrix s = this->template MemberOf<R>((*results)[1], i, k, 1);
            const Matrix given = this->Member(a, i, m, n);
            Number squares = 0;
            Number expected = 0;
            for (int64_t j = 0; j < k; ++j) squares += s(j, 0) * s(j, 0);
            for (const Number& x : given.numbers) expected += std::norm(x);
            EXPECT_NEAR(squares.real(), expected.real(),
                        1e-4 * (1 + expected.real()));
            for (int64_t j = 1; j < k; ++j) {
              EXPECT_GE(s(j - 1, 0).real(), s(j, 0).real());
            }
            if (mode == 'N') continue;
            const Matrix u = this->Member((*results)[2], i, m, left);
            const Matrix vt = this->Member((*results)[3], i, right, n);
            this->ExpectUnitary(u);
            this->ExpectUnitary(Adjoint(vt));
            this->ExpectNear(u * Diagonal(s, left, right) * vt, given);
          }
        }
      }
    }
  }
}

TYPED_TEST(EigenTest, SytrdMakesATridiagonalMatrix) {
  using R = LapackReal<TypeParam>;
  for (const auto& batch : Batches()) {
    for (const int64_t n : {1, 2, 5, 40}) {
      SCOPED_TRACE(n);
      Literal a(this->Matrices(batch, n, n));
      for (int64_t i = 0; i < SizeOf(batch); ++i) {
        Matrix hermitian = this->DrawMatrix(n, n);
        const Matrix adjoint = Adjoint(hermitian);
        for (int64_t e = 0; e < n * n; ++e) {
          hermitian.numbers[e] += adjoint.numbers[e];
        }
        this->Put(hermitian, a, i);
      }
      const Shape taus = this->ShapeOf(this->Type(), batch, {n - 1});
      const auto results = RunCall(
          {.target = this->Target("sytrd", "hetrd"),
           .operands = {a.shape()},
           .results = {a.shape(), this->ShapeOf(this->RealType(), batch, {n}),
                       this->ShapeOf(this->RealType(), batch, {n - 1}), taus,
                       this->Infos(batch)},
           .config = "uplo = 76 : ui8",
           .batch_rank = static_cast<int64_t>(batch.size())},
          {a});
      ASSERT_TRUE(results.ok()) << results.status();
      for (int64_t i = 0; i < SizeOf(batch); ++i) {
        this->ExpectInfo((*results)[4], i, 0);
        Matrix t =
            Diagonal(this->template MemberOf<R>((*results)[1], i, n, 1), n, n);
        const Matrix e = this->template MemberOf<R>((*results)[2], i, n - 1, 1);
        for (int64_t j = 0; j + 1 < n; ++j) t(j + 1, j) = t(j, j + 1) = e(j, 0);
        const Matrix q =
            HouseholderProduct(this->Member((*results)[0], i, n, n),
                               this->Member((*results)[3], i, n - 1, 1), n, 1);
        this->ExpectUnitary(q);
        this->ExpectNear(q * t * Adjoint(q), this->Member(a, i, n, n));
      }
    }
  }
}

TYPED_TEST(EigenTest, GehrdMakesAHessenbergMatrix) {
  for (const auto& batch : Batches()) {
    for (const int64_t n : {1, 2, 5, 40}) {
      SCOPED_TRACE(n);
      const Literal a = this->DrawOf(batch, {n, n});
      const auto results = RunCall(
          {.target = this->Target("gehrd"),
           .operands = {a.shape()},
           .results = {a.shape(), this->ShapeOf(this->Type(), batch, {n - 1}),
                       this->Infos(batch)},
           .config = absl::StrCat("high = ", n, " : i32, low = 1 : i32"),
           .batch_rank = static_cast<int64_t>(batch.size())},
          {a});
      ASSERT_TRUE(results.ok()) << results.status();
      for (int64_t i = 0; i < SizeOf(batch); ++i) {
        this->ExpectInfo((*results)[2], i, 0);
        const Matrix found = this->Member((*results)[0], i, n, n);
        const Matrix q = HouseholderProduct(
            found, this->Member((*results)[1], i, n - 1, 1), n, 1);
        this->ExpectUnitary(q);
        this->ExpectNear(q * UpperPart(found, -1) * Adjoint(q),
                         this->Member(a, i, n, n));
      }
    }
  }
}

}  // namespace
}  // namespace lockstep::internal
