#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_SOLVERS_DENSE_SOLVERS_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_SOLVERS_DENSE_SOLVERS_H_

#include <cstdint>

namespace lockstep::internal {

// Factorisations and solutions of one dense matrix, for T float, double and
// complex numbers of either. Pure functions.
template <typename T>
struct DenseSolvers {
  // `a`, row-major n x n with the lower triangle of a Hermitian matrix A
  // and zeros above, becomes L with L L^H = A. False when A is not positive
  // definite; `a` is then of no use.
  bool (*factorize)(T* a, int64_t n);

  // x := the solution y of A y = x. Of A, dense n x n, only the triangle that
  // is_lower tells is read. `x` is n x count, with rows (columns, when not
  // row-major) `step` apart.
  void (*solve)(const T* a, int64_t n, bool is_lower, bool is_a_row_major, T* x,
                int64_t count, int64_t step, bool is_x_row_major);
};

// Those for the host's processor.
template <typename T>
const DenseSolvers<T>& HostDenseSolvers();

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_SOLVERS_DENSE_SOLVERS_H_
