#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_CONTRACTION_MATRIX_MULTIPLY_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_CONTRACTION_MATRIX_MULTIPLY_H_

#include <cstddef>
#include <memory>

#include "absl/status/status.h"
#include "runtime/kernels/dot_layout.h"
#include "runtime/types/element_type.h"

namespace lockstep::internal {

// A product of matrices made ready for one layout. Immutable and thread-safe.
class MatrixMultiply {
 public:
  virtual ~MatrixMultiply() = default;
  // `threads`: how many may work on it, the caller included.
  virtual absl::Status Run(const std::byte* lhs, const std::byte* rhs,
                           std::byte* result, int threads) const = 0;
};

// By oneDNN, operands where they lie: f32, bf16 with results of either, s8 with
// results of s32. Null when it has nothing for the layout: types, or dims that
// are not one stride.
std::unique_ptr<MatrixMultiply> MakeOneDnnMatrixMultiply(
    const DotLayout& layout, ElementType operands, ElementType result);

// The same, of operands that are first copied: where m or n are several dims,
// so that oneDNN would multiply few lines at a time, as of heads in groups.
// Null where there are enough lines, or a copy is not little beside the
// product.
std::unique_ptr<MatrixMultiply> MakePackedMatrixMultiply(
    const DotLayout& layout, ElementType operands, ElementType result);

// Integers of at most 15 bits and a sign, of one type or two, whose products
// are summed in s32, exact modulo 2^32: packs blocks of the operands as pairs,
// which processors multiply and add in one instruction. Null for other types.
std::unique_ptr<MatrixMultiply> MakePairsMatrixMultiply(const DotLayout& layout,
                                                        ElementType lhs,
                                                        ElementType rhs);

// Any layout and type, operands of the result's type: packs blocks of the
// operands and multiplies those. f16 and bf16 are summed in f32.
std::unique_ptr<MatrixMultiply> MakeBlockedMatrixMultiply(
    const DotLayout& layout, ElementType type);

// Products of many matrices that lie interleaved in memory: the elements (i, j)
// of all of them are neighbours, in operands and result. Vectors are of
// matrices, so that small ones are good too. f32, f64, i32 and i64. Null for
// other layouts and types.
std::unique_ptr<MatrixMultiply> MakeInterleavedMatrixMultiply(
    const DotLayout& layout, ElementType type);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_CONTRACTION_MATRIX_MULTIPLY_H_
