#include "runtime/ir/elements_literal.h"

#include <cstring>

#include "runtime/base/status.h"
#include "runtime/types/strided_copy.h"

namespace lockstep::internal {

absl::StatusOr<Literal> AllocateLiteral(const Attribute::Elements& elements) {
  ASSIGN_OR_RETURN(Literal literal, Literal::Allocate(elements.shape));
  if (elements.is_splat) {
    FillElements(ByteSize(elements.shape.element_type()),
                 elements.values->bytes(), literal.mutable_bytes(),
                 elements.shape.element_count());
  } else {
    std::memcpy(literal.mutable_bytes(), elements.values->bytes(),
                literal.byte_span().size());
  }
  return literal;
}

}  // namespace lockstep::internal
