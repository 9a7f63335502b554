#include "runtime/passes/partition/roll.h"

#include <vector>

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
  return Roll{back->operand(0), *dim, amount};
}

bool CanRollShards(const Roll& roll, const Shape& shape,
                   const TensorSharding& sharding, const AbstractMesh& mesh) {
  const DimSharding& dim = sharding.dims[roll.dim];
  return !dim.axes.empty() && shape.dim(roll.dim) % dim.ShardCount(mesh) == 0;
}

absl::StatusOr<Value*> RollShards(const Roll& roll, Value* local,
                                  const TensorSharding& sharding,
                                  ShardBuilder& builder) {
  const DimSharding& dim = sharding.dims[roll.dim];
  const HaloPlan plan = PlanRotation(roll.amount, local->shape().dim(roll.dim),
                                     dim.ShardCount(builder.mesh().abstract()));
  return ExchangeHalo(local, roll.dim, dim.axes, HaloWindow(), plan,
                      /*fill=*/nullptr, builder);
}

}  // namespace lockstep::internal
