#include "runtime/passes/partition/local_op.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "runtime/base/status.h"
#include "runtime/ir/clone.h"
#include "runtime/ir/shardings.h"
#include "runtime/ops/geometry/convolution_dimensions.h"
#include "runtime/ops/geometry/dot_dimensions.h"
#include "runtime/passes/partition/local_indexing.h"
#include "runtime/passes/partition/local_reduce.h"
#include "runtime/passes/partition/local_select.h"
#include "runtime/passes/partition/local_windows.h"

namespace lockstep::internal {
namespace {

// Sizes in `attribute`, one for each dim of the operand, that are those of the
// whole dim become those of the shard.
absl::Status SetLocalSizes(const Op& op, const ShardedValue& operand,
                           absl::string_view attribute, OpState& state) {
  ASSIGN_OR_RETURN(std::vector<int64_t> sizes, op.IntegersAttribute(attribute));
  for (size_t dim = 0; dim < sizes.size(); ++dim) {
    const int64_t d = static_cast<int64_t>(dim);
    if (sizes[dim] == operand.global.shape().dim(d)) {
      sizes[dim] = operand.local->shape().dim(d);
    }
  }
  state.attributes.Set(attribute, Attribute::I64Array(sizes));
  return absl::OkStatus();
}

absl::Status Mask(ShardedValue& operand, absl::Span<const int64_t> dims,
                  Value* scalar, ShardBuilder& builder) {
  for (const int64_t dim : dims) {
    ASSIGN_OR_RETURN(
        operand.local,
        builder.Masked(operand.local, dim, operand.global.shape().dim(dim),
                       operand.sharding.dims[dim].axes, scalar));
  }
  return absl::OkStatus();
}

bool IsPadded(const ShardedValue& operand, absl::Span<const int64_t> dims,
              const AbstractMesh& mesh) {
  for (const int64_t dim : dims) {
    if (operand.global.shape().dim(dim) %
            operand.sharding.dims[dim].ShardCount(mesh) !=
        0) {
      return true;
    }
  }
  return false;
}

// Both: what pads them may be anything, also infinite.
absl::Status MaskProduct(std::vector<ShardedValue>& operands,
                         absl::Span<const int64_t> lhs_dims,
                         absl::Span<const int64_t> rhs_dims,
                         ShardBuilder& builder) {
  if (!IsPadded(operands[0], lhs_dims, builder.mesh().abstract())) {
    return absl::OkStatus();
  }
  const absl::Span<const int64_t> dims[] = {lhs_dims, rhs_dims};
  for (int i = 0; i < 2; ++i) {
    ASSIGN_OR_RETURN(Value * zero,
                     builder.Constant(Literal(Shape(
                         operands[i].global.shape().element_type(), {}))));
    RETURN_IF_ERROR(Mask(operands[i], dims[i], zero, builder));
  }
  return absl::OkStatus();
}

// What stands beside the elements of the input is zero already.
absl::Status MaskKernel(ShardedValue& kernel, absl::Span<const int64_t> dims,
                        ShardBuilder& builder) {
  if (!IsPadded(kernel, dims, builder.mesh().abstract())) {
    return absl::OkStatus();
  }
  ASSIGN_OR_RETURN(Value * zero,
                   builder.Constant(Literal(
                       Shape(kernel.global.shape().element_type(), {}))));
  return Mask(kernel, dims, zero, builder);
}

absl::Status MaskReduced(const Op& op, std::vector<ShardedValue>& operands,
                         ShardBuilder& builder) {
  const std::string& name = op.name();
  if (name == "stablehlo.dot_general" || name == "stablehlo.dot") {
    ASSIGN_OR_RETURN(const DotDimensions dims, DotDimensionsOf(op));
    return MaskProduct(operands, dims.lhs_contracting, dims.rhs_contracting,
                       builder);
  }
  if (name == "stablehlo.convolution") {
    ASSIGN_OR_RETURN(const ConvolutionDimensions dims,
                     ConvolutionDimensionsOf(op));
    RETURN_IF_ERROR(MaskKernel(operands[1], dims.rhs.spatial, builder));
    return MaskProduct(operands, {dims.lhs.feature}, {dims.rhs.batch}, builder);
  }
  if (name == "stablehlo.reduce" && op.result_count() == 1) {
    ASSIGN_OR_RETURN(const std::vector<int64_t> dims,
                     op.IntegersAttribute("dimensions"));
    // Its init value is the identity where it is at several shards.
    return Mask(operands[0], dims, operands[1].local, builder);
  }
  return MaskReducedShards(op, operands, builder);
}

// Groups are split, or whole and of fewer features.
absl::Status SetLocalGroups(const Op& op,
                            const std::vector<ShardedValue>& operands,
                            const Shape& result, AttributeMap& attributes) {
  ASSIGN_OR_RETURN(const ConvolutionParameters conv,
                   ConvolutionParametersOf(op));
  const Shape& lhs = operands[0].local->shape();
  const Shape& rhs = operands[1].local->shape();
  if (conv.feature_groups > 1 && rhs.dim(conv.dims.rhs.batch) > 0) {
    attributes.Set("feature_group_count",
                   Attribute::I64(lhs.dim(conv.dims.lhs.feature) /
                                  rhs.dim(conv.dims.rhs.batch)));
  }
  if (conv.batch_groups > 1 && result.dim(conv.dims.result.batch) > 0) {
    attributes.Set("batch_group_count",
                   Attribute::I64(lhs.dim(conv.dims.lhs.batch) /
                                  result.dim(conv.dims.result.batch)));
  }
  return absl::OkStatus();
}

absl::Status Localize(const Op& op, const std::vector<ShardedValue>& operands,
                      OpState& state) {
  state.attributes.Remove(kShardingAttributeName);
  for (const ShardedValue& operand : operands) {
    state.operands.push_back(operand.local);
  }
  if (op.name() == "stablehlo.slice") {
    return SetLocalSizes(op, operands[0], "limit_indices", state);
  }
  if (op.name() == "stablehlo.dynamic_slice" ||
      op.name() == "stablehlo.gather") {
    return SetLocalSizes(op, operands[0], "slice_sizes", state);
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::vector<Value*>> BuildLocalOp(
    const Op& op, std::vector<ShardedValue> operands,
    std::vector<Type> result_types,
    std::vector<std::unique_ptr<Region>> regions, ShardBuilder& builder) {
  RETURN_IF_ERROR(MaskReduced(op, operands, builder));
  ASSIGN_OR_RETURN(const std::vector<SplitRead> reads,
                   SplitReadsOf(op, operands, builder.mesh().abstract()));
  if (op.name() == "stablehlo.select_and_scatter" &&
      std::any_of(reads.begin(), reads.end(), [](const SplitRead& read) {
        return !read.read.is_within_shard;
      })) {
    ASSIGN_OR_RETURN(
        Value * scattered,
        SelectAndScatterShards(op, reads, operands, result_types[0].shape(),
                               std::move(regions), builder));
    return std::vector<Value*>{scattered};
  }
  RETURN_IF_ERROR(TakeWindows(op, reads, operands, builder));
  if (op.name() == "stablehlo.concatenate" && !reads.empty()) {
    ASSIGN_OR_RETURN(Value * joined, JoinWindows(reads, operands, builder));
    return std::vector<Value*>{joined};
  }
  Value* inside = nullptr;
  if (op.name() == "stablehlo.dynamic_update_slice") {
    ASSIGN_OR_RETURN(Value * updated, UpdateShard(operands, builder));
    if (updated != nullptr) return std::vector<Value*>{updated};
  } else if (op.name() == "stablehlo.gather") {
    ASSIGN_OR_RETURN(inside, TakeIndicesOfGather(op, operands, builder));
  } else if (op.name() == "stablehlo.scatter") {
    RETURN_IF_ERROR(LocalizeScatter(op, operands, builder));
  }
  OpState state = StateLike(op);
  RETURN_IF_ERROR(Localize(op, operands, state));
  RETURN_IF_ERROR(SetWindowBounds(op, reads, state.attributes));
  if (op.name() == "stablehlo.convolution") {
    RETURN_IF_ERROR(SetLocalGroups(op, operands, result_types[0].shape(),
                                   state.attributes));
  }
  state.result_types = result_types;
  SetMadePlaces(reads, state.result_types);
  state.regions = std::move(regions);
  ASSIGN_OR_RETURN(Op * local, builder.ops().Build(std::move(state)));
  ASSIGN_OR_RETURN(std::vector<Value*> results,
                   ReduceAcrossShards(op, operands, *local, builder));
  RETURN_IF_ERROR(CutToShards(reads, result_types, results, builder));
  if (inside != nullptr) {
    ASSIGN_OR_RETURN(results[0], ZeroOutside(op, results[0], inside, builder));
  }
  return results;
}

}  // namespace lockstep::internal
