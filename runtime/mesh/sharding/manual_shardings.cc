#include "runtime/mesh/sharding/manual_shardings.h"

#include <algorithm>
#include <utility>

namespace lockstep::internal {
namespace {

TensorSharding Part(TensorSharding sharding,
                    absl::Span<const std::string> manual_axes, bool is_manual) {
  const auto keep = [&](std::vector<AxisRef>& axes) {
    std::erase_if(axes, [&](const AxisRef& axis) {
      return IsManual(axis, manual_axes) != is_manual;
    });
  };
  for (DimSharding& dim : sharding.dims) keep(dim.axes);
  keep(sharding.replicated);
  keep(sharding.unreduced);
  return sharding;
}

}  // namespace

bool IsManual(const AxisRef& axis, absl::Span<const std::string> manual_axes) {
  return std::find(manual_axes.begin(), manual_axes.end(), axis.name()) !=
         manual_axes.end();
}

TensorSharding ManualPart(TensorSharding sharding,
                          absl::Span<const std::string> manual_axes) {
  return Part(std::move(sharding), manual_axes, true);
}

TensorSharding FreePart(TensorSharding sharding,
                        absl::Span<const std::string> manual_axes) {
  return Part(std::move(sharding), manual_axes, false);
}

}  // namespace lockstep::internal
