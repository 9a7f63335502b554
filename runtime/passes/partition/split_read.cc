#include "runtime/passes/partition/split_read.h"

#include <utility>

#include "runtime/sharding/axis_list.h"

namespace lockstep::internal {

std::optional<SplitRead> SplitReadOf(const DimRead& read, const Op& op,
                                     absl::Span<const Shape> operands,
                                     const std::vector<AxisRef>& axes,
                                     const AbstractMesh& mesh) {
  const int64_t shards = ShardCount(axes, mesh);
  const auto shard_size = [&](int64_t size) {
    return size / shards + (size % shards == 0 ? 0 : 1);
  };
  const int64_t size = operands[read.operand].dim(read.dim);
  const Shape& places_of = read.tensor == DimRead::kResult
                               ? op.result()->shape()
                               : operands[read.tensor];
  const int64_t places = places_of.dim(read.tensor_dim);
  // The zeros that pad the kernel, times what is infinite, are no zeros.
  if (read.reads_for_padding && places % shards != 0 &&
      !IsInteger(operands[read.operand].element_type())) {
    return std::nullopt;
  }
  const std::optional<LocalRead> local =
      LocalReadOf(read, size, places, shard_size(places), shards);
  if (!local.has_value()) return std::nullopt;
  std::optional<HaloPlan> plan =
      PlanHalo(local->window, shard_size(size), shards);
  if (!plan.has_value()) return std::nullopt;
  if (read.is_within_shard &&
      (places % shards != 0 || plan->SentLength() != 0 ||
       local->window.length != shard_size(size))) {
    return std::nullopt;
  }
  return SplitRead{read, axes, *local, *std::move(plan)};
}

}  // namespace lockstep::internal
