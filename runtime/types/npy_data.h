#ifndef LOCKSTEP_RUNTIME_TYPES_NPY_DATA_H_
#define LOCKSTEP_RUNTIME_TYPES_NPY_DATA_H_

#include <cstddef>
#include <cstdint>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/types/literal.h"
#include "runtime/types/npy_header.h"

namespace lockstep::internal {

// Longer headers are refused: what stands before the data ends within this.
inline constexpr int64_t kLongestNpyStart = int64_t{1} << 20;

// The literal of a .npy file with this header and `data_bytes` bytes of data,
// which `read` writes where it is told. Their number is checked before any
// memory is taken for them.
absl::StatusOr<Literal> ReadNpyData(
    const NpyHeader& header, int64_t data_bytes,
    absl::FunctionRef<absl::Status(std::byte*)> read);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_TYPES_NPY_DATA_H_
