#ifndef LOCKSTEP_RUNTIME_LAPACK_LAPACK_H_
#define LOCKSTEP_RUNTIME_LAPACK_LAPACK_H_

#include <complex>
#include <string>
#include <tuple>

#include "absl/status/statusor.h"
#include "runtime/lapack/lapack_api.h"

namespace lockstep::internal {

// The routines of an open library, which stays loaded until the process ends.
// Immutable; any thread may call them, as the library's own builds allow.
struct Lapack {
  std::tuple<LapackRoutines<float>, LapackRoutines<double>,
             LapackRoutines<std::complex<float>>,
             LapackRoutines<std::complex<double>>>
      routines;

  template <typename T>
  const LapackRoutines<T>& For() const {
    return std::get<LapackRoutines<T>>(routines);
  }
};

// Opens the library of that name. UNIMPLEMENTED: it is not there, or lacks a
// routine; names the library and the package that has it.
absl::StatusOr<Lapack> OpenLapack(const std::string& name);

// The system's, liblapack.so.3, opened by the first call. Thread-safe. Errors
// as those of OpenLapack.
absl::StatusOr<const Lapack*> LoadLapack();

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_LAPACK_LAPACK_H_
