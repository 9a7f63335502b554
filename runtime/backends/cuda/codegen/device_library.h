#ifndef LOCKSTEP_RUNTIME_BACKENDS_CUDA_CODEGEN_DEVICE_LIBRARY_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CUDA_CODEGEN_DEVICE_LIBRARY_H_

#include "absl/strings/string_view.h"

namespace lockstep::internal {

// The CUDA C++ that stands before every kernel: types as they lie in memory,
// scalar operations with the meaning of the StableHLO op of the same name, and
// how threads of a block combine values. Plain C++ but for inline PTX where
// __CUDA_ARCH__ is defined.
//
// f16 and bf16 are held as the float of the same value; RoundF16 and RoundBf16
// round to them. Functions of complex<float> are evaluated in double and
// rounded once.
absl::string_view DeviceLibrary();

// Its parts; each needs those before it.
absl::string_view DeviceTypes();
absl::string_view DeviceScalars();
absl::string_view DeviceComplex();
absl::string_view DeviceThreads();

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CUDA_CODEGEN_DEVICE_LIBRARY_H_
