#include "client/tracer/collective_of_constant.h"

#include <complex>

#include "client/tracer/emit.h"
#include "client/tracer/emit_collective.h"
#include "runtime/base/status.h"
#include "runtime/types/convert.h"

namespace lockstep::internal {
namespace {

// Wraps, as the type does.
Literal Times(const Literal& scalar, int64_t factor) {
  return DispatchElementType(
      scalar.shape().element_type(), [&]<typename T>(std::type_identity<T>) {
        const T value = scalar.data<T>()[0];
        if constexpr (std::is_same_v<T, bool>) {
          return scalar;
        } else if constexpr (std::is_integral_v<T>) {
          return Literal::Scalar(static_cast<T>(static_cast<uint64_t>(value) *
                                                static_cast<uint64_t>(factor)));
        } else if constexpr (kIsSmallInt<T>) {
          return Literal::Scalar(
              T(static_cast<typename T::Byte>(value.value * factor)));
        } else if constexpr (std::is_same_v<T, F16> ||
                             std::is_same_v<T, BF16> || kIsSmallFloat<T>) {
          return Literal::Scalar(
              T(static_cast<float>(value) * static_cast<float>(factor)));
        } else {
          return Literal::Scalar(value * ConvertElement<T>(factor));
        }
      });
}

}  // namespace

ValueOr ConstantPsum(Trace& trace, TraceValue* x,
                     const CollectiveGroups& groups) {
  const ElementType type = x->shape().element_type();
  if (x->splat != nullptr && groups.has_equal_sizes()) {
    ASSIGN_OR_RETURN(
        TraceValue * total,
        EmitSplat(trace, x->shape(), Times(*x->splat, groups.size())));
    if (x->is_weak) {
      // Keeps all digits of a number until it meets a type.
      total->splat =
          std::make_shared<const Literal>(Times(*x->splat, groups.size()));
      total->is_weak = true;
    }
    return total;
  }
  return EmitBinary(
      trace, "stablehlo.multiply", x,
      EmitBroadcastTo(trace, EmitReplicaLookup(trace, groups.Sizes(), type),
                      x->shape().dims()));
}

ValueOr ConstantPpermute(Trace& trace, TraceValue* x,
                         const std::vector<std::pair<int64_t, int64_t>>& pairs,
                         const CollectiveGroups& groups) {
  std::vector<int64_t> is_destination(groups.Sizes().size(), 0);
  for (const auto& [source, target] : pairs) is_destination[target] = 1;
  if (pairs.size() == is_destination.size()) return x;
  ValueOr predicate =
      EmitReplicaLookup(trace, is_destination, ElementType::kPred);
  return EmitSelect(trace, predicate, x, EmitNumber(trace, x->shape(), 0));
}

ValueOr Repeated(Trace& trace, ValueOr operand, int64_t dim, int64_t count) {
  ASSIGN_OR_RETURN(TraceValue * x, operand);
  Dims dims = DimsOf(x);
  dims[dim] *= count;
  if (x->splat != nullptr) return EmitBroadcastTo(trace, x, dims);
  return EmitConcatenate(trace, std::vector<TraceValue*>(count, x), dim);
}

ValueOr OwnChunk(Trace& trace, ValueOr operand, int64_t dim,
                 const CollectiveGroups& groups) {
  ASSIGN_OR_RETURN(TraceValue * x, operand);
  Dims dims = DimsOf(x);
  dims[dim] /= groups.size();
  if (x->splat != nullptr) {
    return EmitSplat(trace, Shape(x->shape().element_type(), dims), *x->splat);
  }
  std::vector<int64_t> offsets = groups.Positions();
  for (int64_t& offset : offsets) offset *= dims[dim];
  ASSIGN_OR_RETURN(TraceValue * zero,
                   EmitNumber(trace, Shape(ElementType::kS32, {}), 0));
  std::vector<TraceValue*> starts(dims.size(), zero);
  ASSIGN_OR_RETURN(starts[dim],
                   EmitReplicaLookup(trace, offsets, ElementType::kS32));
  return EmitDynamicSlice(trace, x, starts, dims);
}

}  // namespace lockstep::internal
