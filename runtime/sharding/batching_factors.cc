#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "runtime/sharding/axis_list.h"
#include "runtime/sharding/factor_axes.h"

namespace lockstep::internal {
namespace {

bool IsBatching(const FactoredOp& op, int factor) {
  return op.rule.factors()[factor].kind == FactorKind::kPassThrough &&
         op.IsInAllNonScalarTensors(factor);
}

// How often the factor can be split further; 0 if it cannot.
int64_t Capacity(const FactoredOp& op, int factor, const FactorAxes& axes) {
  const int64_t size = op.rule.factors()[factor].size;
  const int64_t shards = ShardCount(axes[factor], op.mesh);
  if (size % shards != 0 || !op.IsReachable(factor, axes)) return 0;
  return size / shards;
}

// `moved` needs no cut before what is taken: the factor that had it is in the
// same tensors.
void HandOut(const FactoredOp& op, const std::vector<AxisRef>& moved,
             FactorAxes& axes) {
  size_t next = 0;
  for (int i = 0; i < op.factor_count() && next < moved.size(); ++i) {
    if (!IsBatching(op, i)) continue;
    int64_t capacity = Capacity(op, i, axes);
    while (capacity > 0 && next < moved.size()) {
      const AxisRef& axis = moved[next];
      const int64_t size = axis.Size(op.mesh);
      if (capacity % size != 0) break;
      AppendAxes({axis}, op.mesh, axes[i]);
      capacity /= size;
      ++next;
    }
  }
}

}  // namespace

void MoveToBatchingFactors(const FactoredOp& op, FactorAxes& axes) {
  for (const int factor : op.rule.FactorsOfKind(FactorKind::kNeedReplication)) {
    const std::vector<AxisRef> moved = std::exchange(axes[factor], {});
    if (op.IsInAllNonScalarTensors(factor)) HandOut(op, moved, axes);
  }
}

}  // namespace lockstep::internal
