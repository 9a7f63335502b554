#ifndef LOCKSTEP_RUNTIME_OPS_ELEMENT_TYPES_H_
#define LOCKSTEP_RUNTIME_OPS_ELEMENT_TYPES_H_

#include <cstdint>
#include <string>

#include "runtime/types/element_type.h"

namespace lockstep::internal {

// A set of element types, as the constraints of ops name them. May be a
// template argument.
struct ElementTypes {
  uint32_t bits = 0;

  constexpr bool Contains(ElementType type) const {
    return (bits >> static_cast<int>(type) & 1) != 0;
  }
  friend constexpr ElementTypes operator|(ElementTypes a, ElementTypes b) {
    return {a.bits | b.bits};
  }
  friend constexpr bool operator==(ElementTypes, ElementTypes) = default;
  // "integer or float".
  std::string ToString() const;
};

constexpr ElementTypes OneType(ElementType type) {
  return {uint32_t{1} << static_cast<int>(type)};
}

inline constexpr ElementTypes kPredTypes = OneType(ElementType::kPred);
inline constexpr ElementTypes kSignedTypes =
    OneType(ElementType::kS8) | OneType(ElementType::kS16) |
    OneType(ElementType::kS32) | OneType(ElementType::kS64) |
    OneType(ElementType::kS2) | OneType(ElementType::kS4);
inline constexpr ElementTypes kUnsignedTypes =
    OneType(ElementType::kU8) | OneType(ElementType::kU16) |
    OneType(ElementType::kU32) | OneType(ElementType::kU64) |
    OneType(ElementType::kU2) | OneType(ElementType::kU4);
inline constexpr ElementTypes kIntegerTypes = kSignedTypes | kUnsignedTypes;
inline constexpr ElementTypes kFloatTypes =
    OneType(ElementType::kF16) | OneType(ElementType::kBF16) |
    OneType(ElementType::kF32) | OneType(ElementType::kF64);
inline constexpr ElementTypes kComplexTypes =
    OneType(ElementType::kC64) | OneType(ElementType::kC128);
inline constexpr ElementTypes kNumberTypes =
    kIntegerTypes | kFloatTypes | kComplexTypes;
inline constexpr ElementTypes kAllTypes = kPredTypes | kNumberTypes;

// The type in which one op computes: f16, bf16 and small floats compute in f32
// and round once, small integers in a byte and wrap.
template <typename T>
struct ComputeTypeOf {
  using type = T;
};
template <>
struct ComputeTypeOf<F16> {
  using type = float;
};
template <>
struct ComputeTypeOf<BF16> {
  using type = float;
};
template <typename T>
  requires kIsSmallInt<T>
struct ComputeTypeOf<T> {
  using type = typename T::Byte;
};
template <typename T>
  requires kIsSmallFloat<T>
struct ComputeTypeOf<T> {
  using type = float;
};
template <typename T>
using ComputeType = typename ComputeTypeOf<T>::type;

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_OPS_ELEMENT_TYPES_H_
