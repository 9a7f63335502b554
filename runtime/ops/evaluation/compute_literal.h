#ifndef LOCKSTEP_RUNTIME_OPS_EVALUATION_COMPUTE_LITERAL_H_
#define LOCKSTEP_RUNTIME_OPS_EVALUATION_COMPUTE_LITERAL_H_

#include <vector>

#include "absl/types/span.h"
#include "runtime/ops/element_types.h"
#include "runtime/types/literal.h"

namespace lockstep::internal {

// The element type in which evaluations compute `type` (ComputeType).
ElementType ComputeElementType(ElementType type);

// `operand` in `type`, its dimensions in the order of `permutation`.
Literal PackedLiteral(const LiteralView& operand, ElementType type,
                      absl::Span<const int64_t> permutation);

// The opposite: puts `packed`, whose dimensions are those of `result` in the
// order of `permutation`, into `result`, converted.
void Unpack(const LiteralView& packed, absl::Span<const int64_t> permutation,
            const MutableLiteralView& result);

// Calls f(std::type_identity<T>) for the native type T of `type` when it is a
// compute type of `kTypes`; nothing otherwise.
template <ElementTypes kTypes, typename F>
void DispatchComputeType(ElementType type, F&& f) {
  DispatchElementType(type, [&]<typename T>(std::type_identity<T> native) {
    if constexpr (std::is_same_v<T, ComputeType<T>> &&
                  kTypes.Contains(ElementTypeOf<T>::value)) {
      f(native);
    }
  });
}

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_OPS_EVALUATION_COMPUTE_LITERAL_H_
