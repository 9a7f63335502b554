#include "runtime/passes/partition/scatter_reduced.h"

#include <algorithm>
#include <cstddef>

#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

// The axes that the dim of this size gets next, as far as they are summed over
// and divide it.
std::vector<AxisRef> ScatteredAxes(const DimSharding& at, const DimSharding& to,
                                   int64_t size,
                                   const std::vector<AxisRef>& summed,
                                   const AbstractMesh& mesh) {
  const std::vector<AxisRef>& have = at.axes;
  const std::vector<AxisRef>& want = to.axes;
  if (want.size() <= have.size() ||
      !std::equal(have.begin(), have.end(), want.begin())) {
    return {};
  }
  int64_t shards = at.ShardCount(mesh);
  std::vector<AxisRef> scattered;
  for (size_t i = have.size(); i < want.size(); ++i) {
    shards *= want[i].Size(mesh);
    if (std::find(summed.begin(), summed.end(), want[i]) == summed.end() ||
        size % shards != 0) {
      break;
    }
    scattered.push_back(want[i]);
  }
  return scattered;
}

}  // namespace

absl::Status ScatterReduced(PartialTensor& partial, const TensorSharding& to,
                            absl::Span<const int64_t> shape,
                            absl::string_view combiner, ShardBuilder& builder) {
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    DimSharding& at = partial.sharding.dims[dim];
    const std::vector<AxisRef> scattered = ScatteredAxes(
        at, to.dims[dim], shape[dim], partial.axes, builder.mesh().abstract());
    if (scattered.empty()) continue;
    ASSIGN_OR_RETURN(
        partial.local,
        builder.ReduceScatter(partial.local, static_cast<int64_t>(dim),
                              scattered, combiner));
    at.axes.insert(at.axes.end(), scattered.begin(), scattered.end());
    std::erase_if(partial.axes, [&](const AxisRef& axis) {
      return std::find(scattered.begin(), scattered.end(), axis) !=
             scattered.end();
    });
  }
  return absl::OkStatus();
}

}  // namespace lockstep::internal
