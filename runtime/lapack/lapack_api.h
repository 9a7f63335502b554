#ifndef LOCKSTEP_RUNTIME_LAPACK_LAPACK_API_H_
#define LOCKSTEP_RUNTIME_LAPACK_LAPACK_API_H_

#include <complex>
#include <cstddef>
#include <cstdint>
#include <type_traits>

// The binary interface of the routines of LAPACK (and of BLAS: trsm) that are
// used, as gfortran compiles them: everything by address, integers and logicals
// of 32 bits, matrices column by column, the lengths of character arguments
// behind all others.

namespace lockstep::internal {

using LapackInt = int32_t;

template <typename T>
struct LapackRealOf {
  using type = T;
};
template <typename T>
struct LapackRealOf<std::complex<T>> {
  using type = T;
};
// float of float and of complex<float>.
template <typename T>
using LapackReal = typename LapackRealOf<T>::type;

// F(member, name for real types, name for complex types) of each routine.
#define LOCKSTEP_LAPACK_ROUTINES(F) \
  F(gees, "gees", "gees")           \
  F(geev, "geev", "geev")           \
  F(gehrd, "gehrd", "gehrd")        \
  F(geqp3, "geqp3", "geqp3")        \
  F(geqrf, "geqrf", "geqrf")        \
  F(gesdd, "gesdd", "gesdd")        \
  F(gesvd, "gesvd", "gesvd")        \
  F(getrf, "getrf", "getrf")        \
  F(gtsv, "gtsv", "gtsv")           \
  F(orgqr, "orgqr", "ungqr")        \
  F(ormqr, "ormqr", "unmqr")        \
  F(potrf, "potrf", "potrf")        \
  F(syevd, "syevd", "heevd")        \
  F(sytrd, "sytrd", "hetrd")        \
  F(trsm, "trsm", "trsm")

// The routines for elements of one type: float, double, and the complex ones.
// Members have the names of the real routines. What the arguments mean is in
// LAPACK's documentation.
template <typename T>
struct LapackRoutines {
  using Int = LapackInt;
  using R = LapackReal<T>;
  static constexpr bool kIsComplex = !std::is_same_v<T, R>;
  template <typename ForReal, typename ForComplex>
  using Either = std::conditional_t<kIsComplex, ForComplex, ForReal>;
  // Of gees: which eigenvalues come first.
  using Select = Either<Int (*)(const R*, const R*), Int (*)(const T*)>;

  Either<void (*)(const char* vectors, const char* sort, Select select,
                  const Int* n, T* a, const Int* lda, Int* selected, T* w_real,
                  T* w_imag, T* vs, const Int* ldvs, T* work, const Int* lwork,
                  Int* bwork, Int* info, size_t, size_t),
         void (*)(const char* vectors, const char* sort, Select select,
                  const Int* n, T* a, const Int* lda, Int* selected, T* w,
                  T* vs, const Int* ldvs, T* work, const Int* lwork, R* rwork,
                  Int* bwork, Int* info, size_t, size_t)>
      gees = nullptr;
  Either<void (*)(const char* left, const char* right, const Int* n, T* a,
                  const Int* lda, T* w_real, T* w_imag, T* vl, const Int* ldvl,
                  T* vr, const Int* ldvr, T* work, const Int* lwork, Int* info,
                  size_t, size_t),
         void (*)(const char* left, const char* right, const Int* n, T* a,
                  const Int* lda, T* w, T* vl, const Int* ldvl, T* vr,
                  const Int* ldvr, T* work, const Int* lwork, R* rwork,
                  Int* info, size_t, size_t)>
      geev = nullptr;
  void (*gehrd)(const Int* n, const Int* low, const Int* high, T* a,
                const Int* lda, T* tau, T* work, const Int* lwork,
                Int* info) = nullptr;
  Either<void (*)(const Int* m, const Int* n, T* a, const Int* lda, Int* jpvt,
                  T* tau, T* work, const Int* lwork, Int* info),
         void (*)(const Int* m, const Int* n, T* a, const Int* lda, Int* jpvt,
                  T* tau, T* work, const Int* lwork, R* rwork, Int* info)>
      geqp3 = nullptr;
  void (*geqrf)(const Int* m, const Int* n, T* a, const Int* lda, T* tau,
                T* work, const Int* lwork, Int* info) = nullptr;
  Either<void (*)(const char* job, const Int* m, const Int* n, T* a,
                  const Int* lda, R* s, T* u, const Int* ldu, T* vt,
                  const Int* ldvt, T* work, const Int* lwork, Int* iwork,
                  Int* info, size_t),
         void (*)(const char* job, const Int* m, const Int* n, T* a,
                  const Int* lda, R* s, T* u, const Int* ldu, T* vt,
                  const Int* ldvt, T* work, const Int* lwork, R* rwork,
                  Int* iwork, Int* info, size_t)>
      gesdd = nullptr;
  Either<void (*)(const char* job_u, const char* job_vt, const Int* m,
                  const Int* n, T* a, const Int* lda, R* s, T* u,
                  const Int* ldu, T* vt, const Int* ldvt, T* work,
                  const Int* lwork, Int* info, size_t, size_t),
         void (*)(const char* job_u, const char* job_vt, const Int* m,
                  const Int* n, T* a, const Int* lda, R* s, T* u,
                  const Int* ldu, T* vt, const Int* ldvt, T* work,
                  const Int* lwork, R* rwork, Int* info, size_t, size_t)>
      gesvd = nullptr;
  void (*getrf)(const Int* m, const Int* n, T* a, const Int* lda, Int* pivots,
                Int* info) = nullptr;
  void (*gtsv)(const Int* n, const Int* nrhs, T* dl, T* d, T* du, T* b,
               const Int* ldb, Int* info) = nullptr;
  void (*orgqr)(const Int* m, const Int* n, const Int* k, T* a, const Int* lda,
                const T* tau, T* work, const Int* lwork, Int* info) = nullptr;
  void (*ormqr)(const char* side, const char* trans, const Int* m, const Int* n,
                const Int* k, T* a, const Int* lda, const T* tau, T* c,
                const Int* ldc, T* work, const Int* lwork, Int* info, size_t,
                size_t) = nullptr;
  void (*potrf)(const char* uplo, const Int* n, T* a, const Int* lda, Int* info,
                size_t) = nullptr;
  Either<void (*)(const char* job, const char* uplo, const Int* n, T* a,
                  const Int* lda, R* w, T* work, const Int* lwork, Int* iwork,
                  const Int* liwork, Int* info, size_t, size_t),
         void (*)(const char* job, const char* uplo, const Int* n, T* a,
                  const Int* lda, R* w, T* work, const Int* lwork, R* rwork,
                  const Int* lrwork, Int* iwork, const Int* liwork, Int* info,
                  size_t, size_t)>
      syevd = nullptr;
  void (*sytrd)(const char* uplo, const Int* n, T* a, const Int* lda, R* d,
                R* e, T* tau, T* work, const Int* lwork, Int* info,
                size_t) = nullptr;
  void (*trsm)(const char* side, const char* uplo, const char* trans,
               const char* diag, const Int* m, const Int* n, const T* alpha,
               const T* a, const Int* lda, T* b, const Int* ldb, size_t, size_t,
               size_t, size_t) = nullptr;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_LAPACK_LAPACK_API_H_
