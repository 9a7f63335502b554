#include "runtime/ops/evaluation/promotion.h"

#include "runtime/types/convert.h"

namespace lockstep::internal {

PromotedViews::PromotedViews(absl::Span<const LiteralView> views,
                             absl::Span<const ElementType> types)
    : views_(views.begin(), views.end()) {
  for (size_t i = 0; i < views_.size(); ++i) {
    const ElementType type = types[i % types.size()];
    if (views_[i].shape().element_type() == type) continue;
    Literal& converted =
        converted_.emplace_back(Shape(type, views_[i].shape().dims()));
    ConvertElements(views_[i], converted.mutable_view());
    views_[i] = converted;
  }
}

std::vector<ElementType> ElementTypesOf(
    absl::Span<const MutableLiteralView> views) {
  std::vector<ElementType> types;
  for (const auto& view : views) types.push_back(view.shape().element_type());
  return types;
}

}  // namespace lockstep::internal
