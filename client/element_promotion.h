#ifndef LOCKSTEP_CLIENT_ELEMENT_PROMOTION_H_
#define LOCKSTEP_CLIENT_ELEMENT_PROMOTION_H_

#include "absl/status/statusor.h"
#include "runtime/types/literal.h"

namespace lockstep {

// The type in which two tensors of these types meet: JAX's lattice (bool <
// integers < floats < complex; u8 with s8 gives s16; f16 with bf16 gives f32;
// an integer with a float gives the float; u64 with a signed type gives f32).
ElementType PromoteTypes(ElementType a, ElementType b);

// The type of a tensor of type `strong` beside a number of type `weak`: strong,
// unless the number is of a higher kind.
ElementType PromoteWeak(ElementType strong, ElementType weak);

// The type of a number on its own: bool, s32 (s64 or u64 when it does not fit),
// f32, complex64.
ElementType DefaultTypeOf(const Literal& scalar);

// What stablehlo.convert does, on a scalar.
Literal ConvertScalar(const Literal& scalar, ElementType type);

// ConvertScalar; INVALID_ARGUMENT for an integer that `type`, being an integer
// type, cannot hold.
absl::StatusOr<Literal> FitScalar(const Literal& scalar, ElementType type);

}  // namespace lockstep

#endif  // LOCKSTEP_CLIENT_ELEMENT_PROMOTION_H_
