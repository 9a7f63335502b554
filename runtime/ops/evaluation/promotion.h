#ifndef LOCKSTEP_RUNTIME_OPS_EVALUATION_PROMOTION_H_
#define LOCKSTEP_RUNTIME_OPS_EVALUATION_PROMOTION_H_

#include <vector>

#include "absl/types/span.h"
#include "runtime/types/literal.h"

namespace lockstep::internal {

// Views of operands in the element types in which a body takes them; owns those
// that had to be converted.
class PromotedViews {
 public:
  // `types` repeat for more views than types.
  PromotedViews(absl::Span<const LiteralView> views,
                absl::Span<const ElementType> types);

  const LiteralView& operator[](size_t i) const { return views_[i]; }
  absl::Span<const LiteralView> views() const { return views_; }

 private:
  std::vector<LiteralView> views_;
  std::vector<Literal> converted_;
};

// The element types of `views`.
std::vector<ElementType> ElementTypesOf(
    absl::Span<const MutableLiteralView> views);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_OPS_EVALUATION_PROMOTION_H_
