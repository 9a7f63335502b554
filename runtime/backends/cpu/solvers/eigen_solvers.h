#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_SOLVERS_EIGEN_SOLVERS_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_SOLVERS_EIGEN_SOLVERS_H_

#include <complex>

#include "runtime/backends/cpu/solvers/dense_solvers.h"

namespace lockstep::internal {

struct EigenSolvers {
  DenseSolvers<float> f32;
  DenseSolvers<double> f64;
  DenseSolvers<std::complex<float>> c64;
  DenseSolvers<std::complex<double>> c128;
};

// The same functions, compiled for all processors and for those with AVX2.
const EigenSolvers& PlainEigenSolvers();
#if defined(__x86_64__)
const EigenSolvers& Avx2EigenSolvers();
#endif

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_SOLVERS_EIGEN_SOLVERS_H_
