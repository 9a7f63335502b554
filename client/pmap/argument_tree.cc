#include "client/pmap/argument_tree.h"

#include "client/tracer/element_promotion.h"

namespace lockstep::internal {

Literal NumberArgument(const Operand& number) {
  const Literal& scalar = number.scalar();
  const ElementType type = scalar.shape().element_type();
  const bool has_more_digits =
      type == ElementType::kF64 || type == ElementType::kC128;
  return has_more_digits ? scalar
                         : ConvertScalar(scalar, DefaultTypeOf(scalar));
}

}  // namespace lockstep::internal
