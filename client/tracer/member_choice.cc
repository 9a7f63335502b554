// Collectives that choose among the members of a group: who sends to all, who
// sends to whom, who has the extremum.

#include <algorithm>
#include <limits>

#include "absl/strings/str_cat.h"
#include "client/tracer/collective_operation.h"
#include "client/tracer/emit.h"
#include "client/tracer/emit_collective.h"

namespace lockstep {

using internal::CheckReducible;
using internal::CollectiveGroups;
using internal::CollectiveOperation;
using internal::EmitAllReduce;
using internal::EmitBinary;
using internal::EmitBroadcastTo;
using internal::EmitCollectiveBroadcast;
using internal::EmitCollectivePermute;
using internal::EmitCompare;
using internal::EmitNumber;
using internal::EmitReplicaLookup;
using internal::EmitSelect;
using internal::Joined;
using internal::Trace;
using internal::TraceValue;
using internal::ValueOr;

namespace {

// Each group with its source first, as the op wants it.
absl::StatusOr<ReplicaGroups> SourceFirst(const ReplicaGroups& groups,
                                          int64_t source) {
  ReplicaGroups result;
  for (const auto& group : groups) {
    const int64_t size = static_cast<int64_t>(group.size());
    if (source < -size || source >= size) {
      return absl::InvalidArgumentError(absl::StrCat(
          "source ", source, " is outside a group of size ", size));
    }
    auto& reordered = result.emplace_back();
    reordered.push_back(group[source < 0 ? source + size : source]);
    for (auto id : group) {
      if (id != reordered[0]) reordered.push_back(id);
    }
  }
  return result;
}

ValueOr Broadcast(Trace& trace, TraceValue* x, int64_t source,
                  const CollectiveGroups& groups) {
  ASSIGN_OR_RETURN(const ReplicaGroups ordered,
                   SourceFirst(groups.groups, source));
  if (x->is_constant || groups.is_alone) return x;
  return EmitCollectiveBroadcast(trace, x, ordered);
}

ValueOr Shuffle(Trace& trace, TraceValue* x,
                const std::vector<int64_t>& sources,
                const CollectiveGroups& groups) {
  std::vector<int64_t> sorted = sources;
  std::sort(sorted.begin(), sorted.end());
  bool is_permutation = static_cast<int64_t>(sorted.size()) == groups.size();
  for (size_t i = 0; i < sorted.size(); ++i) {
    is_permutation = is_permutation && sorted[i] == static_cast<int64_t>(i);
  }
  if (!is_permutation) {
    return absl::InvalidArgumentError(
        absl::StrCat("[", Joined(sources), "] is no permutation of a group of ",
                     groups.size()));
  }
  if (x->is_constant || groups.is_alone) return x;
  std::vector<std::pair<int64_t, int64_t>> pairs;
  for (const auto& group : groups.groups) {
    for (size_t target = 0; target < sources.size(); ++target) {
      pairs.push_back({group[sources[target]], group[target]});
    }
  }
  return EmitCollectivePermute(trace, x, pairs);
}

// The smallest position among those who have the extremum; NaN counts as it.
ValueOr PositionOfExtremum(Trace& trace, TraceValue* x, absl::string_view op,
                           const CollectiveGroups& groups) {
  const ElementType type = x->shape().element_type();
  if (IsComplex(type)) {
    return absl::UnimplementedError(
        absl::StrCat("is not supported on ", NumpyName(type)));
  }
  RETURN_IF_ERROR(CheckReducible(type));
  const Shape result(ElementType::kS32, x->shape().dims());
  if (x->is_constant || groups.is_alone) return EmitNumber(trace, result, 0);
  ASSIGN_OR_RETURN(TraceValue * extremum,
                   EmitAllReduce(trace, x, op, type, groups.groups));
  ValueOr has_it = EmitCompare(trace, "EQ", x, extremum);
  if (IsFloat(type)) {
    has_it = EmitBinary(trace, "stablehlo.or", has_it,
                        EmitCompare(trace, "NE", x, x));
  }
  ValueOr own = EmitReplicaLookup(trace, groups.Positions(), ElementType::kS32);
  own = EmitBroadcastTo(trace, own, x->shape().dims());
  ValueOr candidate = EmitSelect(
      trace, has_it, own,
      EmitNumber(trace, result, std::numeric_limits<int32_t>::max()));
  return EmitAllReduce(trace, candidate, "stablehlo.minimum", ElementType::kS32,
                       groups.groups);
}

Tensor Extremum(absl::string_view name, absl::string_view op, const Operand& x,
                const AxisNames& axes, const ReduceOptions& options) {
  return CollectiveOperation(
      name, x, axes, options.axis_index_groups, false,
      [&](Trace& trace, TraceValue* value, const auto& groups) {
        return PositionOfExtremum(trace, value, op, groups);
      });
}

}  // namespace

Tensor pbroadcast(const Operand& x, const AxisNames& axes, int64_t source,
                  const ReduceOptions& options) {
  return CollectiveOperation(
      "pbroadcast", x, axes, options.axis_index_groups, false,
      [&](Trace& trace, TraceValue* value, const auto& groups) {
        return Broadcast(trace, value, source, groups);
      });
}

Tensor pshuffle(const Operand& x, const AxisNames& axes,
                const std::vector<int64_t>& sources,
                const ReduceOptions& options) {
  return CollectiveOperation(
      "pshuffle", x, axes, options.axis_index_groups, true,
      [&](Trace& trace, TraceValue* value, const auto& groups) {
        return Shuffle(trace, value, sources, groups);
      });
}

Tensor pargmax(const Operand& x, const AxisNames& axes,
               const ReduceOptions& options) {
  return Extremum("pargmax", "stablehlo.maximum", x, axes, options);
}

Tensor pargmin(const Operand& x, const AxisNames& axes,
               const ReduceOptions& options) {
  return Extremum("pargmin", "stablehlo.minimum", x, axes, options);
}

}  // namespace lockstep
