#include "runtime/passes/partition/roll.h"

#include <vector>

#include "runtime/base/check.h"
#include "runtime/base/status.h"
#include "runtime/passes/partition/halo_exchange.h"

namespace lockstep::internal {
namespace {

// Where the slice begins in `dim`; -1: it is another op, or has a stride.
int64_t StartOfSlice(const Op* op, int64_t dim) {
  if (op == nullptr || op->name() != "stablehlo.slice") return -1;
  const auto starts = op->IntegersAttribute("start_indices");
  const auto strides = op->IntegersAttribute("strides");
  if (!starts.ok() || !strides.ok() || (*strides)[dim] != 1) return -1;
  return (*starts)[dim];
}

}  // namespace

std::optional<Roll> RollOf(const Op& op) {
  if (op.name() != "stablehlo.concatenate" || op.operand_count() != 2) {
    return std::nullopt;
  }
  const auto dim = op.IntegerAttribute("dimension");
  if (!dim.ok()) return std::nullopt;
  const Op* back = op.operand(0)->defining_op();
  const Op* front = op.operand(1)->defining_op();
  const int64_t amount = StartOfSlice(back, *dim);
  if (amount < 1 || StartOfSlice(front, *dim) != 0 ||
      back->operand(0) != front->operand(0) ||
      front->result()->shape().dim(*dim) != amount) {
    return std::nullopt;
  }
  return Roll{back->operand(0), *dim, amount, op.result()->shape().dim(*dim)};
}

absl::StatusOr<Value*> RollShards(const Roll& roll, Value* local,
                                  const TensorSharding& sharding,
                                  ShardBuilder& builder) {
  const DimSharding& dim = sharding.dims[roll.dim];
  const int64_t size = roll.size;
  const int64_t shard_size = local->shape().dim(roll.dim);
  const int64_t shards = dim.ShardCount(builder.mesh().abstract());
  if (shard_size * shards == size) {
    return ExchangeHalo(local, roll.dim, dim.axes, HaloWindow(),
                        PlanRotation(roll.amount, shard_size, shards),
                        /*fill=*/nullptr, builder);
  }
  // Up to the end of the operand, and again from its beginning.
  const auto read = [&](int64_t first) -> absl::StatusOr<Value*> {
    const HaloWindow window = {.step = shard_size,
                               .first = first,
                               .length = shard_size,
                               .size = size,
                               .used_begin = 0,
                               .used_end = size};
    const std::optional<HaloPlan> plan = PlanHalo(window, shard_size, shards);
    // At most two shards are under a window.
    LOCKSTEP_CHECK(plan.has_value());
    return ExchangeHalo(local, roll.dim, dim.axes, window, *plan,
                        /*fill=*/nullptr, builder);
  };
  ASSIGN_OR_RETURN(Value * back, read(roll.amount));
  ASSIGN_OR_RETURN(Value * front, read(roll.amount - size));
  return builder.Spliced(back, front, roll.dim, dim.axes,
                         /*end=*/size - roll.amount);
}

}  // namespace lockstep::internal
