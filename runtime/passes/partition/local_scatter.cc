#include <algorithm>
#include <optional>
#include <utility>

#include "runtime/base/check.h"
#include "runtime/base/status.h"
#include "runtime/passes/partition/combiner.h"
#include "runtime/passes/partition/local_indexing.h"

namespace lockstep::internal {
namespace {

// Updates whose place is outside are dropped, as those outside the whole input
// are; only padding is in between.
absl::Status LocalizeIndices(const IndexedWindows& windows,
                             const ShardedValue& input, Value*& indices,
                             ShardBuilder& builder) {
  std::vector<size_t> searched;
  for (size_t k = 0; k < windows.index_map.size(); ++k) {
    const int64_t dim = windows.index_map[k];
    if (!input.sharding.dims[dim].axes.empty()) searched.push_back(k);
  }
  if (searched.empty()) return absl::OkStatus();
  ASSIGN_OR_RETURN(std::vector<Value*> components,
                   IndexComponents(indices, windows, builder));
  const Dims positions = windows.PositionSizes(indices->shape());
  for (const size_t k : searched) {
    ASSIGN_OR_RETURN(Value * start,
                     ShardStart(input, windows.index_map[k], builder));
    ASSIGN_OR_RETURN(start, builder.Broadcast(start, positions));
    ASSIGN_OR_RETURN(components[k], builder.Build("stablehlo.subtract",
                                                  {components[k], start}));
  }
  const Shape shape = indices->shape();
  ASSIGN_OR_RETURN(
      indices, JoinedIndices(std::move(components), shape, windows, builder));
  return absl::OkStatus();
}

// Dims of the updates that are those of no dim of the input.
std::vector<int64_t> FreePositions(const IndexedWindows& windows,
                                   int64_t input_rank, int64_t updates_rank) {
  std::vector<int64_t> dims;
  for (const int64_t dim : windows.PositionDims(updates_rank)) {
    if (windows.SourceOf(dim, input_rank, updates_rank).operand_dim < 0) {
      dims.push_back(dim);
    }
  }
  return dims;
}

}  // namespace

absl::Status LocalizeScatter(const Op& op, std::vector<ShardedValue>& operands,
                             ShardBuilder& builder) {
  ASSIGN_OR_RETURN(const IndexedWindows windows, ScatterWindowsOf(op));
  const size_t count = operands.size() / 2;
  ShardedValue& input = operands[0];
  ShardedValue& updates = operands[count + 1];
  RETURN_IF_ERROR(
      LocalizeIndices(windows, input, operands[count].local, builder));
  const std::vector<int64_t> positions = FreePositions(
      windows, input.global.shape().rank(), updates.global.shape().rank());
  std::vector<AxisRef> axes;
  for (const int64_t dim : positions) {
    const std::vector<AxisRef>& split = updates.sharding.dims[dim].axes;
    axes.insert(axes.end(), split.begin(), split.end());
  }
  if (axes.empty()) return absl::OkStatus();
  std::optional<Combiner> combiner =
      CombinerOf(op.region(), op.result()->shape().element_type());
  LOCKSTEP_CHECK(combiner.has_value());
  ASSIGN_OR_RETURN(Value * identity,
                   builder.Constant(std::move(combiner->identity)));
  ASSIGN_OR_RETURN(input.local, builder.OnFirst(input.local, axes, identity));
  for (const int64_t dim : positions) {
    ASSIGN_OR_RETURN(
        updates.local,
        builder.Masked(updates.local, dim, updates.global.shape().dim(dim),
                       updates.sharding.dims[dim].axes, identity));
  }
  return absl::OkStatus();
}

}  // namespace lockstep::internal
