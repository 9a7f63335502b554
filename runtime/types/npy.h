#ifndef LOCKSTEP_RUNTIME_TYPES_NPY_H_
#define LOCKSTEP_RUNTIME_TYPES_NPY_H_

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/types/literal.h"
#include "runtime/types/shape.h"

namespace lockstep {

// NumPy's .npy format, versions 1.0, 2.0 and 3.0 (numpy/lib/format.py).
// Little-endian and big-endian, C and Fortran order are read; C order,
// little-endian, is written. bfloat16 is written as NumPy with ml_dtypes
// writes it ('<V2') and '<V2' is read as bfloat16. Types of 8 bits and fewer
// that NumPy does not have are written as bytes that say nothing ('|V1'), which
// are read as `opaque_type` where that is such a type. '<f1', as ml_dtypes
// writes float8_e5m2, is read as that.
//
// Errors are INVALID_ARGUMENT and name what was expected and found (magic,
// version, header, type, byte count); UNIMPLEMENTED for types that lockstep
// does not have ('<U8', '|O', structured).
absl::StatusOr<Literal> ParseNpy(
    absl::string_view bytes,
    std::optional<ElementType> opaque_type = std::nullopt);
std::string SerializeNpy(const LiteralView& literal);

// The same on files; every message starts with the path. A file is written
// beside its place and renamed, so a reader never sees half of one.
absl::StatusOr<Literal> ReadNpyFile(
    const std::string& path,
    std::optional<ElementType> opaque_type = std::nullopt);
// The shape alone: of the file no more than its first megabyte is read.
absl::StatusOr<Shape> ReadNpyShape(
    const std::string& path,
    std::optional<ElementType> opaque_type = std::nullopt);
absl::Status WriteNpyFile(const std::string& path, const LiteralView& literal);

}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_TYPES_NPY_H_
