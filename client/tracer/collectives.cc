#include "client/tracer/collectives.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "client/tracer/collective_groups.h"
#include "client/tracer/collective_of_constant.h"
#include "client/tracer/collective_operation.h"
#include "client/tracer/collective_pairs.h"
#include "client/tracer/emit.h"
#include "client/tracer/emit_collective.h"
#include "client/tracer/trace.h"
#include "runtime/base/status.h"

namespace lockstep {

using internal::AtCall;
using internal::CheckedDim;
using internal::CheckReducible;
using internal::CollectiveGroups;
using internal::CollectiveOperation;
using internal::ConstantPpermute;
using internal::ConstantPsum;
using internal::DimsOf;
using internal::EmitAllGather;
using internal::EmitAllReduce;
using internal::EmitAllToAll;
using internal::EmitBinary;
using internal::EmitBroadcastInDim;
using internal::EmitBroadcastTo;
using internal::EmitCollectivePermute;
using internal::EmitConvert;
using internal::EmitNumber;
using internal::EmitReduceScatter;
using internal::EmitReplicaId;
using internal::EmitReplicaLookup;
using internal::EmitReshape;
using internal::EmitSplat;
using internal::OwnChunk;
using internal::Pairs;
using internal::Repeated;
using internal::ReplicaPairs;
using internal::ResolveGroups;
using internal::Trace;
using internal::TraceOperation;
using internal::TraceValue;
using internal::ValueOr;

namespace {

// bool is counted (spec K-3).
ValueOr Summable(Trace& trace, TraceValue* x) {
  RETURN_IF_ERROR(CheckReducible(x->shape().element_type()));
  const bool is_bool = x->shape().element_type() == ElementType::kPred;
  return is_bool ? EmitConvert(trace, x, ElementType::kS32) : x;
}

ValueOr AllReduce(Trace& trace, ValueOr x, absl::string_view body,
                  ElementType type, const CollectiveGroups& groups) {
  if (groups.is_alone) return EmitConvert(trace, x, type);
  return EmitAllReduce(trace, x, body, type, groups.groups);
}

ValueOr Psum(Trace& trace, TraceValue* x, const CollectiveGroups& groups) {
  ASSIGN_OR_RETURN(x, Summable(trace, x));
  if (x->is_constant) return ConstantPsum(trace, x, groups);
  return AllReduce(trace, x, "stablehlo.add", x->shape().element_type(),
                   groups);
}

ElementType MeanType(ElementType type) {
  if (IsFloat(type) || IsComplex(type)) return type;
  return type != ElementType::kPred && ByteSize(type) == 8 ? ElementType::kF64
                                                           : ElementType::kF32;
}

// The type in which pmean adds.
ElementType MeanSumType(ElementType type) {
  if (type == ElementType::kPred) return ElementType::kS32;
  if (IsSignedInteger(type)) return ElementType::kS64;
  if (IsUnsignedInteger(type)) return ElementType::kU64;
  const bool is_half = IsFloat(type) && ByteSize(type) == 2;
  return is_half ? ElementType::kF32 : type;
}

ValueOr Pmean(Trace& trace, TraceValue* x, const CollectiveGroups& groups) {
  const ElementType type = x->shape().element_type();
  RETURN_IF_ERROR(CheckReducible(type));
  const ElementType result_type = MeanType(type);
  if (x->is_constant || groups.is_alone) {
    return EmitConvert(trace, x, result_type);
  }
  const ElementType sum_type = MeanSumType(type);
  if (!IsFloat(type)) {
    ASSIGN_OR_RETURN(x, EmitConvert(trace, x, sum_type));
  }
  ValueOr total = AllReduce(trace, x, "stablehlo.add", sum_type, groups);
  // Halves are divided in f32 and rounded once.
  const ElementType quotient_type = IsFloat(type) ? sum_type : result_type;
  total = EmitConvert(trace, total, quotient_type);
  ValueOr size = EmitReplicaLookup(trace, groups.Sizes(), quotient_type);
  ValueOr quotient =
      EmitBinary(trace, "stablehlo.divide", total,
                 EmitBroadcastTo(trace, size, x->shape().dims()));
  return EmitConvert(trace, quotient, result_type);
}

Tensor Extremum(absl::string_view name, absl::string_view body,
                const Operand& x, const AxisNames& axes,
                const ReduceOptions& options) {
  return CollectiveOperation(
      name, x, axes, options.axis_index_groups, false,
      [&](Trace& trace, TraceValue* value,
          const CollectiveGroups& groups) -> ValueOr {
        const ElementType type = value->shape().element_type();
        if (IsComplex(type)) {
          return absl::UnimplementedError(
              absl::StrCat("is not supported on ", NumpyName(type)));
        }
        RETURN_IF_ERROR(CheckReducible(type));
        if (value->is_constant) return value;
        return AllReduce(trace, value, body, type, groups);
      });
}

ValueOr AllGather(Trace& trace, TraceValue* x, const GatherOptions& options,
                  const CollectiveGroups& groups) {
  const int64_t rank = x->shape().rank();
  if (options.tiled && rank == 0) {
    return absl::InvalidArgumentError(
        "tiled needs a dimension, the operand has rank 0");
  }
  ASSIGN_OR_RETURN(const int64_t dim,
                   CheckedDim(options.dim, options.tiled ? rank : rank + 1));
  if (!options.tiled) {
    Dims dims = DimsOf(x);
    dims.insert(dims.begin() + dim, 1);
    std::vector<int64_t> kept;
    for (int64_t i = 0; i < rank; ++i) kept.push_back(i < dim ? i : i + 1);
    ASSIGN_OR_RETURN(x, EmitBroadcastInDim(trace, x, kept, dims));
  }
  if (groups.is_alone) return x;
  if (x->is_constant) return Repeated(trace, x, dim, groups.size());
  return EmitAllGather(trace, x, dim, groups.groups);
}

// The size that a collective cuts along `dim`, against the group's (spec K-15,
// K-16).
absl::Status CheckCut(absl::string_view dim_name, int64_t dim, int64_t size,
                      int64_t group_size, bool tiled, absl::string_view where) {
  if (tiled ? size % group_size == 0 : size == group_size) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat(
      dim_name, " ", dim, " has size ", size, ", expected ",
      tiled ? "a multiple of " : "", "the group's size ", group_size, where));
}

ValueOr PsumScatter(Trace& trace, TraceValue* x, const GatherOptions& options,
                    const CollectiveGroups& groups) {
  ASSIGN_OR_RETURN(const int64_t dim,
                   CheckedDim(options.dim, x->shape().rank()));
  const int64_t size = x->shape().dim(dim);
  RETURN_IF_ERROR(
      CheckCut("dimension", dim, size, groups.size(), options.tiled, ""));
  ASSIGN_OR_RETURN(x, Summable(trace, x));
  Dims dims = DimsOf(x);
  if (x->is_constant) {
    ASSIGN_OR_RETURN(TraceValue * total, ConstantPsum(trace, x, groups));
    ASSIGN_OR_RETURN(x, OwnChunk(trace, total, dim, groups));
  } else if (!groups.is_alone) {
    ASSIGN_OR_RETURN(
        x, EmitReduceScatter(trace, x, "stablehlo.add", dim, groups.groups));
  }
  if (options.tiled) return x;
  dims.erase(dims.begin() + dim);
  return EmitReshape(trace, x, dims);
}

// Untiled all_to_all stacks at a dimension of its own: the operand as the op
// takes it, and what to drop afterwards.
struct AllToAllDims {
  ValueOr operand;
  int64_t split_dim;
  int64_t concat_dim;
};

AllToAllDims InsertConcatDim(Trace& trace, TraceValue* x, int64_t split_dim,
                             int64_t concat_dim) {
  if (split_dim == concat_dim) return {x, split_dim, concat_dim};
  // Places are counted after the split dimension is gone.
  const int64_t at = split_dim < concat_dim ? concat_dim + 1 : concat_dim;
  Dims dims = DimsOf(x);
  dims.insert(dims.begin() + at, 1);
  std::vector<int64_t> kept;
  for (int64_t i = 0; i < x->shape().rank(); ++i) {
    kept.push_back(i < at ? i : i + 1);
  }
  return {EmitBroadcastInDim(trace, x, kept, dims),
          split_dim < at ? split_dim : split_dim + 1, at};
}

ValueOr AllToAll(Trace& trace, TraceValue* x, int64_t split_dim,
                 int64_t concat_dim, bool tiled, const AxisNames& axes,
                 const CollectiveGroups& groups) {
  const int64_t rank = x->shape().rank();
  if (rank == 0) {
    return absl::InvalidArgumentError(
        "needs a dimension to split, the operand has rank 0");
  }
  ASSIGN_OR_RETURN(const int64_t split, CheckedDim(split_dim, rank));
  ASSIGN_OR_RETURN(const int64_t concat, CheckedDim(concat_dim, rank));
  const int64_t size = x->shape().dim(split);
  RETURN_IF_ERROR(CheckCut(
      "split_dim", split, size, groups.size(), tiled,
      absl::StrCat(" along axes (", absl::StrJoin(axes.names(), ", "), ")")));
  AllToAllDims dims = {x, split, concat};
  if (!tiled) dims = InsertConcatDim(trace, x, split, concat);
  ValueOr result = dims.operand;
  if (x->is_constant) {
    result = OwnChunk(trace, result, dims.split_dim, groups);
    result = Repeated(trace, result, dims.concat_dim, groups.size());
  } else if (groups.size() > 1) {
    result = EmitAllToAll(trace, result, dims.split_dim, dims.concat_dim,
                          groups.groups);
  }
  if (tiled || split == concat) return result;
  RETURN_IF_ERROR(result.status());
  Dims kept = DimsOf(*result);
  kept.erase(kept.begin() + dims.split_dim);
  return EmitReshape(trace, result, kept);
}

ValueOr Ppermute(Trace& trace, TraceValue* x, const Pairs& pairs,
                 const CollectiveGroups& groups) {
  ASSIGN_OR_RETURN(const Pairs replicas, ReplicaPairs(pairs, groups));
  if (replicas.empty()) return EmitNumber(trace, x->shape(), 0);
  if (x->is_constant) return ConstantPpermute(trace, x, replicas, groups);
  if (groups.is_alone) return x;  // only (0, 0) is possible
  return EmitCollectivePermute(trace, x, replicas);
}

// id / (sizes of the more minor axes · trailing) % size, of one axis.
ValueOr IndexOnAxis(Trace& trace, int64_t axis) {
  const AxisEnvironment& axes = trace.axes();
  int64_t stride = axes.replica_count;
  for (int64_t i = 0; i <= axis; ++i) stride /= axes.sizes[i];
  const Shape u32(ElementType::kU32, {});
  ValueOr index = EmitReplicaId(trace);
  index = EmitBinary(trace, "stablehlo.divide", index,
                     EmitSplat(trace, u32, Literal::Scalar(stride)));
  index = EmitBinary(trace, "stablehlo.remainder", index,
                     EmitSplat(trace, u32, Literal::Scalar(axes.sizes[axis])));
  return EmitConvert(trace, index, ElementType::kS32);
}

ValueOr IndexOnAxes(Trace& trace, const std::vector<int64_t>& axes) {
  const Shape s32(ElementType::kS32, {});
  if (axes.empty()) return EmitNumber(trace, s32, 0);
  ValueOr total = nullptr;
  for (size_t i = 0; i < axes.size(); ++i) {
    int64_t stride = 1;
    for (size_t j = i + 1; j < axes.size(); ++j) {
      stride *= trace.axes().sizes[axes[j]];
    }
    ValueOr index = IndexOnAxis(trace, axes[i]);
    if (stride != 1) {
      index = EmitBinary(trace, "stablehlo.multiply", index,
                         EmitSplat(trace, s32, Literal::Scalar(stride)));
    }
    total = i == 0 ? index : EmitBinary(trace, "stablehlo.add", total, index);
  }
  return total;
}

absl::StatusOr<int64_t> AxisSize(const CollectiveGroups& groups) {
  if (groups.has_equal_sizes()) return groups.size();
  std::vector<size_t> sizes;
  for (const auto& group : groups.groups) sizes.push_back(group.size());
  return absl::InvalidArgumentError(
      absl::StrCat("the groups have different sizes ",
                   absl::StrJoin(sizes, ", "), "; use psum of 1"));
}

}  // namespace

Tensor psum(const Operand& x, const AxisNames& axes,
            const ReduceOptions& options) {
  return CollectiveOperation("psum", x, axes, options.axis_index_groups, false,
                             Psum);
}

Tensor pmean(const Operand& x, const AxisNames& axes,
             const ReduceOptions& options) {
  return CollectiveOperation("pmean", x, axes, options.axis_index_groups, false,
                             Pmean);
}

Tensor pmax(const Operand& x, const AxisNames& axes,
            const ReduceOptions& options) {
  return Extremum("pmax", "stablehlo.maximum", x, axes, options);
}

Tensor pmin(const Operand& x, const AxisNames& axes,
            const ReduceOptions& options) {
  return Extremum("pmin", "stablehlo.minimum", x, axes, options);
}

Tensor all_gather(const Operand& x, const AxisNames& axes,
                  const GatherOptions& options) {
  return CollectiveOperation(
      "all_gather", x, axes, options.axis_index_groups, true,
      [&](Trace& trace, TraceValue* value, const auto& groups) {
        return AllGather(trace, value, options, groups);
      });
}

Tensor psum_scatter(const Operand& x, const AxisNames& axes,
                    const GatherOptions& options) {
  return CollectiveOperation(
      "psum_scatter", x, axes, options.axis_index_groups, true,
      [&](Trace& trace, TraceValue* value, const auto& groups) {
        return PsumScatter(trace, value, options, groups);
      });
}

Tensor all_to_all(const Operand& x, const AxisNames& axes, int64_t split_dim,
                  int64_t concat_dim, const AllToAllOptions& options) {
  return CollectiveOperation(
      "all_to_all", x, axes, options.axis_index_groups, true,
      [&](Trace& trace, TraceValue* value, const auto& groups) {
        return AllToAll(trace, value, split_dim, concat_dim, options.tiled,
                        axes, groups);
      });
}

Tensor pswapaxes(const Operand& x, const AxisNames& axes, int64_t dim,
                 const ReduceOptions& options) {
  return CollectiveOperation(
      "pswapaxes", x, axes, options.axis_index_groups, true,
      [&](Trace& trace, TraceValue* value, const auto& groups) {
        return AllToAll(trace, value, dim, dim, false, axes, groups);
      });
}

Tensor ppermute(const Operand& x, const AxisNames& axes, const Pairs& pairs,
                const ReduceOptions& options) {
  return CollectiveOperation(
      "ppermute", x, axes, options.axis_index_groups, false,
      [&](Trace& trace, TraceValue* value, const auto& groups) {
        return Ppermute(trace, value, pairs, groups);
      });
}

Tensor axis_index(const AxisNames& axes, const ReduceOptions& options,
                  SourceLocation location) {
  return TraceOperation(
      "axis_index", location, {}, [&](Trace& trace) -> ValueOr {
        ASSIGN_OR_RETURN(const CollectiveGroups groups,
                         ResolveGroups(trace.axes(), "axis_index", axes.names(),
                                       options.axis_index_groups, false));
        if (!options.axis_index_groups.empty()) {
          return EmitReplicaLookup(trace, groups.Positions(),
                                   ElementType::kS32);
        }
        ASSIGN_OR_RETURN(const auto positions, trace.axes().Find(axes.names()));
        return IndexOnAxes(trace, positions);
      });
}

int64_t axis_size(const AxisNames& axes, const ReduceOptions& options,
                  SourceLocation location) {
  Trace* trace = Trace::Current();
  if (trace == nullptr) return 1;
  const auto size = [&]() -> absl::StatusOr<int64_t> {
    ASSIGN_OR_RETURN(const CollectiveGroups groups,
                     ResolveGroups(trace->axes(), "axis_size", axes.names(),
                                   options.axis_index_groups, false));
    return AxisSize(groups);
  }();
  if (!size.ok()) trace->Fail(AtCall(location, "axis_size", size.status()));
  return size.value_or(1);
}

}  // namespace lockstep
