#include "runtime/types/canonical_elements.h"

#include <cstdint>
#include <type_traits>

#include "runtime/types/element_type_dispatch.h"
#include "runtime/types/small_types.h"

namespace lockstep::internal {

void CanonicalizeElements(const MutableLiteralView& literal) {
  DispatchElementType(literal.shape().element_type(),
                      [&]<typename T>(std::type_identity<T>) {
                        for (std::byte& b : literal.byte_span()) {
                          if constexpr (std::is_same_v<T, bool>) {
                            b = std::byte{b != std::byte{0}};
                          } else if constexpr (kIsSmallInt<T>) {
                            b = static_cast<std::byte>(
                                T(static_cast<typename T::Byte>(b)).value);
                          } else if constexpr (kIsSmallFloat<T>) {
                            b &= std::byte{(1 << T::kWidth) - 1};
                          } else {
                            return;
                          }
                        }
                      });
}

}  // namespace lockstep::internal
