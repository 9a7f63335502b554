// Included by element_type.h only.
#ifndef LOCKSTEP_RUNTIME_TYPES_ELEMENT_TYPE_DISPATCH_H_
#define LOCKSTEP_RUNTIME_TYPES_ELEMENT_TYPE_DISPATCH_H_

#include <type_traits>

#include "runtime/base/check.h"

namespace lockstep {

template <typename F>
decltype(auto) DispatchElementType(ElementType type, F&& f) {
  switch (type) {
    case ElementType::kPred:
      return f(std::type_identity<bool>{});
    case ElementType::kS8:
      return f(std::type_identity<int8_t>{});
    case ElementType::kS16:
      return f(std::type_identity<int16_t>{});
    case ElementType::kS32:
      return f(std::type_identity<int32_t>{});
    case ElementType::kS64:
      return f(std::type_identity<int64_t>{});
    case ElementType::kU8:
      return f(std::type_identity<uint8_t>{});
    case ElementType::kU16:
      return f(std::type_identity<uint16_t>{});
    case ElementType::kU32:
      return f(std::type_identity<uint32_t>{});
    case ElementType::kU64:
      return f(std::type_identity<uint64_t>{});
    case ElementType::kF16:
      return f(std::type_identity<F16>{});
    case ElementType::kBF16:
      return f(std::type_identity<BF16>{});
    case ElementType::kF32:
      return f(std::type_identity<float>{});
    case ElementType::kF64:
      return f(std::type_identity<double>{});
    case ElementType::kC64:
      return f(std::type_identity<std::complex<float>>{});
    case ElementType::kC128:
      return f(std::type_identity<std::complex<double>>{});
    case ElementType::kS2:
      return f(std::type_identity<S2>{});
    case ElementType::kS4:
      return f(std::type_identity<S4>{});
    case ElementType::kU2:
      return f(std::type_identity<U2>{});
    case ElementType::kU4:
      return f(std::type_identity<U4>{});
    case ElementType::kF8E5M2:
      return f(std::type_identity<F8E5M2>{});
    case ElementType::kF8E4M3:
      return f(std::type_identity<F8E4M3>{});
    case ElementType::kF8E3M4:
      return f(std::type_identity<F8E3M4>{});
    case ElementType::kF8E4M3FN:
      return f(std::type_identity<F8E4M3FN>{});
    case ElementType::kF8E4M3FNUZ:
      return f(std::type_identity<F8E4M3FNUZ>{});
    case ElementType::kF8E5M2FNUZ:
      return f(std::type_identity<F8E5M2FNUZ>{});
    case ElementType::kF8E4M3B11FNUZ:
      return f(std::type_identity<F8E4M3B11FNUZ>{});
    case ElementType::kF8E8M0FNU:
      return f(std::type_identity<F8E8M0FNU>{});
    case ElementType::kF6E2M3FN:
      return f(std::type_identity<F6E2M3FN>{});
    case ElementType::kF6E3M2FN:
      return f(std::type_identity<F6E3M2FN>{});
    case ElementType::kF4E2M1FN:
      return f(std::type_identity<F4E2M1FN>{});
  }
  internal::CheckFailed(__FILE__, __LINE__, "unknown element type");
}

}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_TYPES_ELEMENT_TYPE_DISPATCH_H_
