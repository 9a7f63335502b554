#include "client/cli/shape_text.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace lockstep::internal {

std::string ShapeText(const Shape& shape) {
  return absl::StrCat(NumpyName(shape.element_type()), "[",
                      absl::StrJoin(shape.dims(), ","), "]");
}

}  // namespace lockstep::internal
