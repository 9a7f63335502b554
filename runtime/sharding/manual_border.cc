#include "runtime/sharding/manual_border.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "runtime/base/check.h"

namespace lockstep::internal {

ManualBorder::ManualBorder(TensorSharding outside,
                           std::vector<std::string> manual_axes)
    : outside_(std::move(outside)), manual_axes_(std::move(manual_axes)) {}

TensorSharding ManualBorder::Inside(const TensorSharding& outside) const {
  TensorSharding inside = outside;
  for (DimSharding& dim : inside.dims) dim.axes = Free(dim.axes);
  inside.replicated = Free(inside.replicated);
  inside.unreduced = Free(inside.unreduced);
  return inside;
}

TensorSharding ManualBorder::Outside(const TensorSharding& inside) const {
  LOCKSTEP_CHECK(inside.rank() == outside_.rank());
  TensorSharding outside = outside_;
  for (size_t i = 0; i < outside.dims.size(); ++i) {
    std::vector<AxisRef>& axes = outside.dims[i].axes;
    std::erase_if(axes, [&](const AxisRef& axis) { return !IsManual(axis); });
    axes.insert(axes.end(), inside.dims[i].axes.begin(),
                inside.dims[i].axes.end());
  }
  return outside;
}

bool ManualBorder::IsManual(const AxisRef& axis) const {
  return std::ranges::find(manual_axes_, axis.name()) != manual_axes_.end();
}

std::vector<AxisRef> ManualBorder::Free(
    const std::vector<AxisRef>& axes) const {
  std::vector<AxisRef> free;
  for (const AxisRef& axis : axes) {
    if (!IsManual(axis)) free.push_back(axis);
  }
  return free;
}

}  // namespace lockstep::internal
