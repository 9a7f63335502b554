#include "runtime/passes/partition/local_reduce.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "runtime/base/status.h"
#include "runtime/ir/clone.h"

namespace lockstep::internal {
namespace {

const std::vector<AxisRef>& SplitAxes(
    const Op& reduce, const std::vector<ShardedValue>& operands) {
  static const auto& none = *new std::vector<AxisRef>();
  const int64_t dim = SplitReducedDim(reduce, operands[0].global.shape());
  return dim == -1 ? none : operands[0].sharding.dims[dim].axes;
}

// Those of all devices along `axes`, in a dim in front of the others.
absl::StatusOr<Value*> Gathered(Value* x, const std::vector<AxisRef>& axes,
                                ShardBuilder& builder) {
  Dims dims(x->shape().dims().begin(), x->shape().dims().end());
  dims.insert(dims.begin(), 1);
  ASSIGN_OR_RETURN(x,
                   builder.BuildOfType("stablehlo.reshape", {x},
                                       Shape(x->shape().element_type(), dims)));
  return builder.Gather(x, 0, axes);
}

}  // namespace

int64_t SplitReducedDim(const Op& reduce, const Shape& input) {
  if (reduce.name() != "stablehlo.reduce" || reduce.result_count() < 2) {
    return -1;
  }
  const absl::StatusOr<std::vector<int64_t>> dims =
      reduce.IntegersAttribute("dimensions");
  if (!dims.ok()) return -1;
  int64_t first = -1;
  for (const int64_t dim : *dims) {
    if (input.dim(dim) == 1) continue;
    if (first == -1 || dim < first) first = dim;
  }
  return first;
}

absl::Status MaskReducedShards(const Op& reduce,
                               std::vector<ShardedValue>& operands,
                               ShardBuilder& builder) {
  const std::vector<AxisRef>& axes = SplitAxes(reduce, operands);
  if (axes.empty()) return absl::OkStatus();
  const int64_t dim = SplitReducedDim(reduce, operands[0].global.shape());
  for (int i = 0; i < reduce.result_count(); ++i) {
    ASSIGN_OR_RETURN(operands[i].local,
                     builder.Masked(operands[i].local, dim,
                                    operands[i].global.shape().dim(dim), axes,
                                    operands[i + reduce.result_count()].local));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<Value*>> ReduceAcrossShards(
    const Op& reduce, const std::vector<ShardedValue>& operands,
    const Op& local, ShardBuilder& builder) {
  std::vector<Value*> results;
  for (const auto& result : local.results()) results.push_back(result.get());
  const std::vector<AxisRef>& axes = SplitAxes(reduce, operands);
  if (axes.empty()) return results;
  OpState state = StateLike(local);
  for (Value* result : results) {
    ASSIGN_OR_RETURN(Value * gathered, Gathered(result, axes, builder));
    state.operands.push_back(gathered);
    state.result_types.push_back(result->type());
  }
  for (int i = 0; i < reduce.result_count(); ++i) {
    state.operands.push_back(operands[i + reduce.result_count()].local);
  }
  state.attributes.Set("dimensions", Attribute::I64Array({0}));
  ValueMap same;
  state.regions.push_back(CloneRegion(local.region(), same));
  ASSIGN_OR_RETURN(const Op* across, builder.ops().Build(std::move(state)));
  results.clear();
  for (const auto& result : across->results()) results.push_back(result.get());
  return results;
}

}  // namespace lockstep::internal
