#ifndef LOCKSTEP_RUNTIME_TYPES_ELEMENT_TYPE_H_
#define LOCKSTEP_RUNTIME_TYPES_ELEMENT_TYPE_H_

#include <complex>
#include <cstdint>
#include <ostream>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/types/half.h"
#include "runtime/types/small_types.h"

namespace lockstep {

// The values are part of fingerprints and wire messages: append only.
enum class ElementType : uint8_t {
  kPred = 1,  // one byte, 0 or 1
  kS8,
  kS16,
  kS32,
  kS64,
  kU8,
  kU16,
  kU32,
  kU64,
  kF16,
  kBF16,
  kF32,
  kF64,
  kC64,   // complex<float>
  kC128,  // complex<double>
  // A byte for each element.
  kS2,
  kS4,
  kU2,
  kU4,
  // Storage only: they convert, move and compare bit for bit.
  kF8E5M2,
  kF8E4M3,
  kF8E3M4,
  kF8E4M3FN,
  kF8E4M3FNUZ,
  kF8E5M2FNUZ,
  kF8E4M3B11FNUZ,
  kF8E8M0FNU,
  kF6E2M3FN,
  kF6E3M2FN,
  kF4E2M1FN,
};

// A type from its number on the wire. INVALID_ARGUMENT names the number.
absl::StatusOr<ElementType> ElementTypeFromNumber(uint32_t number);

// Bytes of one element in memory.
int64_t ByteSize(ElementType type);
// Bits of one element: 1 for kPred, 4 for kS4.
int64_t BitWidth(ElementType type);

// The name in StableHLO text: "i1", "i8", "ui8", "f32", "complex<f32>".
absl::string_view StablehloName(ElementType type);
// INVALID_ARGUMENT names the text; UNIMPLEMENTED for known types that are not
// supported ("tf32", "!quant.uniform<..>").
absl::StatusOr<ElementType> ParseStablehloName(absl::string_view name);

// The NumPy name, as in messages to users of arrays: "bool", "int32",
// "uint8", "bfloat16", "float32", "complex64".
absl::string_view NumpyName(ElementType type);

// With the small ones.
bool IsSignedInteger(ElementType type);
bool IsUnsignedInteger(ElementType type);  // without kPred
bool IsInteger(ElementType type);          // without kPred
bool IsFloat(ElementType type);            // without the small ones
// Integers and floats of fewer than 8 bits and floats of 8 bits.
bool IsSmall(ElementType type);
bool IsSmallFloat(ElementType type);
bool IsComplex(ElementType type);
// The type of the real part; the type itself when it is not complex.
ElementType RealType(ElementType type);

std::ostream& operator<<(std::ostream& os, ElementType type);

// Native type <-> element type.
template <typename T>
struct ElementTypeOf;
#define LOCKSTEP_NATIVE_TYPE(T, type)                       \
  template <>                                               \
  struct ElementTypeOf<T> {                                 \
    static constexpr ElementType value = ElementType::type; \
  }
LOCKSTEP_NATIVE_TYPE(bool, kPred);
LOCKSTEP_NATIVE_TYPE(int8_t, kS8);
LOCKSTEP_NATIVE_TYPE(int16_t, kS16);
LOCKSTEP_NATIVE_TYPE(int32_t, kS32);
LOCKSTEP_NATIVE_TYPE(int64_t, kS64);
LOCKSTEP_NATIVE_TYPE(uint8_t, kU8);
LOCKSTEP_NATIVE_TYPE(uint16_t, kU16);
LOCKSTEP_NATIVE_TYPE(uint32_t, kU32);
LOCKSTEP_NATIVE_TYPE(uint64_t, kU64);
LOCKSTEP_NATIVE_TYPE(F16, kF16);
LOCKSTEP_NATIVE_TYPE(BF16, kBF16);
LOCKSTEP_NATIVE_TYPE(float, kF32);
LOCKSTEP_NATIVE_TYPE(double, kF64);
LOCKSTEP_NATIVE_TYPE(std::complex<float>, kC64);
LOCKSTEP_NATIVE_TYPE(std::complex<double>, kC128);
LOCKSTEP_NATIVE_TYPE(S2, kS2);
LOCKSTEP_NATIVE_TYPE(S4, kS4);
LOCKSTEP_NATIVE_TYPE(U2, kU2);
LOCKSTEP_NATIVE_TYPE(U4, kU4);
LOCKSTEP_NATIVE_TYPE(F8E5M2, kF8E5M2);
LOCKSTEP_NATIVE_TYPE(F8E4M3, kF8E4M3);
LOCKSTEP_NATIVE_TYPE(F8E3M4, kF8E3M4);
LOCKSTEP_NATIVE_TYPE(F8E4M3FN, kF8E4M3FN);
LOCKSTEP_NATIVE_TYPE(F8E4M3FNUZ, kF8E4M3FNUZ);
LOCKSTEP_NATIVE_TYPE(F8E5M2FNUZ, kF8E5M2FNUZ);
LOCKSTEP_NATIVE_TYPE(F8E4M3B11FNUZ, kF8E4M3B11FNUZ);
LOCKSTEP_NATIVE_TYPE(F8E8M0FNU, kF8E8M0FNU);
LOCKSTEP_NATIVE_TYPE(F6E2M3FN, kF6E2M3FN);
LOCKSTEP_NATIVE_TYPE(F6E3M2FN, kF6E3M2FN);
LOCKSTEP_NATIVE_TYPE(F4E2M1FN, kF4E2M1FN);
#undef LOCKSTEP_NATIVE_TYPE

// Calls f(std::type_identity<T>{}) for the native type of `type`:
//   DispatchElementType(type, [&]<typename T>(std::type_identity<T>) {...});
template <typename F>
decltype(auto) DispatchElementType(ElementType type, F&& f);

}  // namespace lockstep

#include "runtime/types/element_type_dispatch.h"  // IWYU pragma: export

#endif  // LOCKSTEP_RUNTIME_TYPES_ELEMENT_TYPE_H_
