#ifndef LOCKSTEP_CLIENT_TRACER_ELEMENT_PROMOTION_H_
#define LOCKSTEP_CLIENT_TRACER_ELEMENT_PROMOTION_H_

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/types/literal.h"

namespace lockstep::internal {

// An element type as operands meet in it. Weak: of a number, or of something
// made of numbers only; it gives way to the type of whatever it meets, unless
// it is of a higher kind (integer < float < complex).
struct PromotedType {
  ElementType type = ElementType::kF32;
  bool is_weak = false;
  friend bool operator==(const PromotedType&, const PromotedType&) = default;
};

// The type in which values of these types meet: the least upper bound in JAX's
// lattice, with its 32-bit defaults. So bool < integers < floats < complex; u8
// with s8 gives s16; f16 with bf16 f32; s64 with f16 f16; an integer with a
// weak float a weak f32; u64 with a signed type, or an integer of 64 bits with
// a weak float, a weak f64. INVALID_ARGUMENT for types without a common one
// (4-bit integers and 8-bit floats with others).
absl::StatusOr<PromotedType> CommonType(absl::Span<const PromotedType> types);

// The type in which functions of real analysis take `type`: itself when it is a
// float or complex; f32, for integers of 64 bits f64.
ElementType InexactType(ElementType type);

// The type of a number on its own: bool, s32 (s64 or u64 when it does not fit),
// f32, complex64.
ElementType DefaultTypeOf(const Literal& scalar);

// What stablehlo.convert does, on a scalar.
Literal ConvertScalar(const Literal& scalar, ElementType type);

// ConvertScalar; INVALID_ARGUMENT for an integer that `type`, being an integer
// type, cannot hold.
absl::StatusOr<Literal> FitScalar(const Literal& scalar, ElementType type);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_TRACER_ELEMENT_PROMOTION_H_
