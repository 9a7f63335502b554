#include <algorithm>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "runtime/ir/op_def.h"
#include "runtime/ir/sharding_rule_builder.h"
#include "runtime/ops/checks/operand_checks.h"
#include "runtime/ops/evaluation/evaluation.h"
#include "runtime/ops/geometry/indexed_windows.h"
#include "runtime/types/strided_copy.h"

namespace lockstep::internal {
namespace {

// (C8), (C12), (C20), (C21)
absl::Status CheckSliceSizes(const Op& op, const IndexedWindows& windows,
                             const std::vector<int64_t>& sizes) {
  const Shape& operand = op.operand(0)->shape();
  RETURN_IF_ERROR(CheckOnePerDim(op, "slice_sizes", sizes, operand.rank()));
  for (int64_t dim = 0; dim < operand.rank(); ++dim) {
    const bool is_single =
        absl::c_linear_search(windows.inserted_dims, dim) ||
        absl::c_linear_search(windows.operand_batching_dims, dim);
    const int64_t limit =
        is_single ? std::min<int64_t>(1, operand.dim(dim)) : operand.dim(dim);
    if (sizes[dim] < 0 || sizes[dim] > limit) {
      return op.Error(absl::StrCat("slice_sizes: expected 0 to ", limit,
                                   " for dim ", dim, ", found ", sizes[dim]));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<Type>> InferGather(const Op& op) {
  RETURN_IF_ERROR(CheckOperandCount(op, 2));
  ASSIGN_OR_RETURN(const IndexedWindows windows, GatherWindowsOf(op));
  const Shape& operand = op.operand(0)->shape();
  const Shape& indices = op.operand(1)->shape();
  const Dims position_sizes = windows.PositionSizes(indices);
  const int64_t rank =
      static_cast<int64_t>(position_sizes.size() + windows.window_dims.size());
  RETURN_IF_ERROR(CheckIndexedWindows(op, windows, operand, indices, rank));
  ASSIGN_OR_RETURN(const std::vector<int64_t> sizes,
                   op.IntegersAttribute("slice_sizes"));
  RETURN_IF_ERROR(CheckSliceSizes(op, windows, sizes));
  Dims dims(rank);  // (C22)
  const std::vector<int64_t> position_dims = windows.PositionDims(rank);
  for (size_t i = 0; i < position_dims.size(); ++i) {
    dims[position_dims[i]] = position_sizes[i];
  }
  const std::vector<int64_t> window_operand_dims =
      windows.WindowOperandDims(operand.rank());
  for (size_t i = 0; i < window_operand_dims.size(); ++i) {
    dims[windows.window_dims[i]] = sizes[window_operand_dims[i]];
  }
  ASSIGN_OR_RETURN(Shape shape, ResultShape(op, operand.element_type(), dims));
  return std::vector<Type>{std::move(shape)};  // (C23)
}

// How one window is copied, but for where it begins.
struct WindowCopy {
  Dims sizes, source_strides, target_strides;
};

WindowCopy WindowCopyOf(const IndexedWindows& windows,
                        const std::vector<int64_t>& slice_sizes,
                        const Shape& operand, const Shape& result) {
  WindowCopy copy;
  const Dims operand_strides = operand.Strides();
  const Dims result_strides = result.Strides();
  const std::vector<int64_t> dims = windows.WindowOperandDims(operand.rank());
  for (size_t i = 0; i < dims.size(); ++i) {
    copy.sizes.push_back(slice_sizes[dims[i]]);
    copy.source_strides.push_back(operand_strides[dims[i]]);
    copy.target_strides.push_back(result_strides[windows.window_dims[i]]);
  }
  return copy;
}

absl::Status EvaluateGather(EvaluationContext&, const Op& op,
                            absl::Span<const LiteralView> operands,
                            absl::Span<const MutableLiteralView> results) {
  ASSIGN_OR_RETURN(const IndexedWindows windows, GatherWindowsOf(op));
  ASSIGN_OR_RETURN(const std::vector<int64_t> slice_sizes,
                   op.IntegersAttribute("slice_sizes"));
  const Shape& operand = operands[0].shape();
  const Shape& result = results[0].shape();
  if (result.element_count() == 0) return absl::OkStatus();
  const WindowCopy copy = WindowCopyOf(windows, slice_sizes, operand, result);
  const std::vector<int64_t> starts =
      WindowStarts(windows, operand.rank(), operands[1]);
  const Dims operand_strides = operand.Strides();
  const Dims result_strides = result.Strides();
  const std::vector<int64_t> position_dims =
      windows.PositionDims(result.rank());
  const int64_t size = ByteSize(result.element_type());
  Dims position(position_dims.size(), 0);
  const int64_t* start = starts.data();
  int64_t windows_left = 1;
  for (int64_t dim : position_dims) windows_left *= result.dim(dim);
  for (; windows_left > 0; --windows_left, start += operand.rank()) {
    int64_t source = 0;
    for (int64_t dim = 0; dim < operand.rank(); ++dim) {
      source += std::clamp<int64_t>(start[dim], 0,
                                    operand.dim(dim) - slice_sizes[dim]) *
                operand_strides[dim];
    }
    int64_t target = 0;
    for (size_t i = 0; i < position.size(); ++i) {
      target += position[i] * result_strides[position_dims[i]];
    }
    StridedCopy(size, copy.sizes,
                {operands[0].bytes() + source * size, copy.source_strides},
                {results[0].bytes() + target * size, copy.target_strides});
    for (size_t i = position.size(); i-- > 0;) {
      if (++position[i] < result.dim(position_dims[i])) break;
      position[i] = 0;
    }
  }
  return absl::OkStatus();
}

// Along a dim of the operand that the windows have.
void AddWindowDim(int64_t operand_size, int64_t slice_size, int64_t operand_dim,
                  int64_t result_dim, ShardingRuleBuilder& rule) {
  if (slice_size == operand_size) {
    rule.Add(slice_size).Operand(0, operand_dim).Result(0, result_dim);
  } else if (slice_size == 1) {
    // Each shard gives its elements, and zeros for those of the others.
    rule.Add(operand_size, FactorKind::kReduction).Operand(0, operand_dim);
    rule.Add(1, FactorKind::kNeedReplication).Result(0, result_dim);
  } else {
    rule.Add(operand_size, FactorKind::kNeedReplication)
        .Operand(0, operand_dim)
        .Result(0, result_dim)
        .Blocked();
  }
}

absl::StatusOr<OpShardingRule> GatherRule(const Op& op,
                                          const ShardingRuleOptions&) {
  ASSIGN_OR_RETURN(const IndexedWindows windows, GatherWindowsOf(op));
  ASSIGN_OR_RETURN(const std::vector<int64_t> slice_sizes,
                   op.IntegersAttribute("slice_sizes"));
  const Shape& operand = op.operand(0)->shape();
  const Shape& indices = op.operand(1)->shape();
  const Shape& result = op.result()->shape();
  ShardingRuleBuilder rule(op);
  for (int64_t dim = 0; dim < result.rank(); ++dim) {
    const WindowsDim source =
        windows.SourceOf(dim, operand.rank(), result.rank());
    if (source.is_window) {
      AddWindowDim(operand.dim(source.operand_dim),
                   slice_sizes[source.operand_dim], source.operand_dim, dim,
                   rule);
      continue;
    }
    auto factor =
        rule.Add(result.dim(dim)).Operand(1, source.indices_dim).Result(0, dim);
    if (source.operand_dim >= 0) factor.Operand(0, source.operand_dim);
  }
  for (int64_t dim : windows.inserted_dims) {
    const int64_t size = operand.dim(dim);
    rule.Add(size,
             size == 1 ? FactorKind::kNeedReplication : FactorKind::kReduction)
        .Operand(0, dim);
  }
  if (windows.index_vector_dim < indices.rank()) {
    rule.Add(indices.dim(windows.index_vector_dim),
             FactorKind::kNeedReplication)
        .Operand(1, windows.index_vector_dim);
  }
  return rule.Build();
}

// gather: windows of slice_sizes of the operand, each beginning at an index of
// start_indices, which is clamped so that the window lies inside.
//   (I1) operand. (I2) start_indices: integer tensor. (I3-I8)
//   dimension_numbers. (I9) slice_sizes. (I10) indices_are_sorted: a hint.
REGISTER_OP(OpDef("stablehlo.gather", OpKind::kGather)
                .Infer(InferGather)
                .Evaluate(EvaluateGather)
                .Sharding(GatherRule));

}  // namespace
}  // namespace lockstep::internal
