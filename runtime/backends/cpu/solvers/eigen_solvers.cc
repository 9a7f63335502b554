// Compiled once for every instruction set (eigen_solvers.bzl), each time with
// the namespace Eigen under a name of its own: the linker must not take a
// function of one for another.

#include "runtime/backends/cpu/solvers/eigen_solvers.h"

#include <complex>

#include "eigen3/Eigen/Cholesky"

namespace lockstep::internal {
namespace {

template <typename T, int kOrder>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, kOrder>;

template <typename T>
bool Factorize(T* a, int64_t n) {
  using View = Eigen::Map<Matrix<T, Eigen::RowMajor>>;
  View view(a, n, n);
  // In place: Ref refers to the memory of the view.
  Eigen::Ref<Matrix<T, Eigen::RowMajor>> matrix(view);
  const Eigen::LLT<Eigen::Ref<Matrix<T, Eigen::RowMajor>>> factors(matrix);
  return factors.info() == Eigen::Success;
}

constexpr int OrderOf(bool is_row_major) {
  return is_row_major ? Eigen::RowMajor : Eigen::ColMajor;
}

template <bool kIsLower, bool kIsARowMajor, bool kIsXRowMajor, typename T>
void SolveAs(const T* a, int64_t n, T* x, int64_t count, int64_t step) {
  const Eigen::Map<const Matrix<T, OrderOf(kIsARowMajor)>> matrix(a, n, n);
  Eigen::Map<Matrix<T, OrderOf(kIsXRowMajor)>, 0, Eigen::OuterStride<>>
      unknowns(x, n, count, Eigen::OuterStride<>(step));
  constexpr int kTriangle = kIsLower ? Eigen::Lower : Eigen::Upper;
  matrix.template triangularView<kTriangle>().solveInPlace(unknowns);
}

template <typename T>
void Solve(const T* a, int64_t n, bool is_lower, bool is_a_row_major, T* x,
           int64_t count, int64_t step, bool is_x_row_major) {
  using Function = void (*)(const T*, int64_t, T*, int64_t, int64_t);
  constexpr Function kFunctions[2][2][2] = {
      {{SolveAs<false, false, false>, SolveAs<false, false, true>},
       {SolveAs<false, true, false>, SolveAs<false, true, true>}},
      {{SolveAs<true, false, false>, SolveAs<true, false, true>},
       {SolveAs<true, true, false>, SolveAs<true, true, true>}}};
  kFunctions[is_lower][is_a_row_major][is_x_row_major](a, n, x, count, step);
}

template <typename T>
constexpr DenseSolvers<T> kSolvers = {Factorize<T>, Solve<T>};

}  // namespace

const EigenSolvers& LOCKSTEP_EIGEN_SOLVERS() {
  static constexpr EigenSolvers kAll = {kSolvers<float>, kSolvers<double>,
                                        kSolvers<std::complex<float>>,
                                        kSolvers<std::complex<double>>};
  return kAll;
}

}  // namespace lockstep::internal
