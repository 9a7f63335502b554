#include "runtime/types/convert.h"

#include <algorithm>

#include "runtime/base/check.h"

namespace lockstep {

void ConvertElements(const LiteralView& from, const MutableLiteralView& to) {
  LOCKSTEP_CHECK(from.shape().dims() == to.shape().dims());
  DispatchElementType(
      from.shape().element_type(),
      [&]<typename From>(std::type_identity<From>) {
        DispatchElementType(
            to.shape().element_type(),
            [&]<typename To>(std::type_identity<To>) {
              const absl::Span<const From> values = from.data<From>();
              std::transform(values.begin(), values.end(),
                             to.data<To>().begin(), ConvertElement<To, From>);
            });
      });
}

}  // namespace lockstep
