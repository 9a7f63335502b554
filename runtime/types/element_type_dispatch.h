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
  }
  CheckFailed(__FILE__, __LINE__, "unknown element type");
}

}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_TYPES_ELEMENT_TYPE_DISPATCH_H_
