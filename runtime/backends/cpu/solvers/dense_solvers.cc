#include "runtime/backends/cpu/solvers/dense_solvers.h"

#include "runtime/backends/cpu/processor/cpu_target.h"
#include "runtime/backends/cpu/solvers/eigen_solvers.h"

namespace lockstep::internal {
namespace {

const EigenSolvers& HostSolvers() {
#if defined(__x86_64__)
  if (CpuTarget::OfProcess().has(InstructionSet::kAvx2)) {
    return Avx2EigenSolvers();
  }
#endif
  return PlainEigenSolvers();
}

}  // namespace

template <>
const DenseSolvers<float>& HostDenseSolvers() {
  return HostSolvers().f32;
}
template <>
const DenseSolvers<double>& HostDenseSolvers() {
  return HostSolvers().f64;
}
template <>
const DenseSolvers<std::complex<float>>& HostDenseSolvers() {
  return HostSolvers().c64;
}
template <>
const DenseSolvers<std::complex<double>>& HostDenseSolvers() {
  return HostSolvers().c128;
}

}  // namespace lockstep::internal
