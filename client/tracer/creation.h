#ifndef LOCKSTEP_CLIENT_TRACER_CREATION_H_
#define LOCKSTEP_CLIENT_TRACER_CREATION_H_

#include <cstdint>
#include <vector>

#include "client/tracer/source_location.h"
#include "client/tracer/tensor.h"

// Tensors that do not come from arguments. They exist only inside a function
// that is being traced; elsewhere they are poisoned.

namespace lockstep {

// The value with its own element type, not weakly typed.
Tensor constant(const Literal& value,
                SourceLocation location = SourceLocation::current());
template <typename T>
  requires HostScalar<T>
Tensor constant(T value, SourceLocation location = SourceLocation::current()) {
  return constant(Literal::Scalar(value), location);
}

// A number as a scalar, weakly typed; a tensor as it is.
Tensor asarray(const Operand& x);

Tensor full(const std::vector<int64_t>& dims, const Operand& value,
            ElementType type = ElementType::kF32);
Tensor zeros(const std::vector<int64_t>& dims,
             ElementType type = ElementType::kF32,
             SourceLocation location = SourceLocation::current());
Tensor ones(const std::vector<int64_t>& dims,
            ElementType type = ElementType::kF32,
            SourceLocation location = SourceLocation::current());
Tensor zeros_like(const Operand& x);
Tensor ones_like(const Operand& x);

// 0, 1, .. along `dim`.
Tensor iota(const std::vector<int64_t>& dims, int64_t dim,
            ElementType type = ElementType::kS32,
            SourceLocation location = SourceLocation::current());
// 0 .. size - 1.
Tensor arange(int64_t size, ElementType type = ElementType::kS32,
              SourceLocation location = SourceLocation::current());

// 1 where the last dimension's index equals the label, else 0; the shape is
// that of the labels with `classes` appended.
Tensor one_hot(const Operand& labels, int64_t classes,
               ElementType type = ElementType::kF32);

}  // namespace lockstep

#endif  // LOCKSTEP_CLIENT_TRACER_CREATION_H_
