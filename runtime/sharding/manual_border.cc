#include "runtime/sharding/manual_border.h"

#include <cstddef>
#include <utility>

#include "runtime/base/check.h"

namespace lockstep::internal {

ManualBorder::ManualBorder(TensorSharding outside,
                           std::vector<std::string> manual_axes)
    : outside_(std::move(outside)), manual_axes_(std::move(manual_axes)) {}

TensorSharding ManualBorder::Inside(const TensorSharding& outside) const {
  return FreePart(outside, manual_axes_);
}

TensorSharding ManualBorder::Outside(const TensorSharding& inside) const {
  LOCKSTEP_CHECK(inside.rank() == outside_.rank());
  TensorSharding outside = outside_;
  for (size_t i = 0; i < outside.dims.size(); ++i) {
    std::vector<AxisRef>& axes = outside.dims[i].axes;
    std::erase_if(axes, [&](const AxisRef& axis) {
      return !IsManual(axis, manual_axes_);
    });
    axes.insert(axes.end(), inside.dims[i].axes.begin(),
                inside.dims[i].axes.end());
  }
  return outside;
}

}  // namespace lockstep::internal
