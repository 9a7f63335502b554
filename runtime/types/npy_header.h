#ifndef LOCKSTEP_RUNTIME_TYPES_NPY_HEADER_H_
#define LOCKSTEP_RUNTIME_TYPES_NPY_HEADER_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/types/shape.h"

namespace lockstep::internal {

// What stands before the data of a .npy file.
struct NpyHeader {
  Shape shape;
  bool is_big_endian = false;
  bool is_fortran_order = false;
  int64_t data_offset = 0;  // bytes before the data
};

// Errors and `opaque_type` as those of ParseNpy.
absl::StatusOr<NpyHeader> ParseNpyHeader(
    absl::string_view bytes,
    std::optional<ElementType> opaque_type = std::nullopt);

// Magic to newline, for C order and little-endian data; its size is a multiple
// of 64.
std::string FormatNpyHeader(const Shape& shape);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_TYPES_NPY_HEADER_H_
