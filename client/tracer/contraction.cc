#include "client/tracer/contraction.h"

#include <algorithm>
#include <string>

#include "absl/strings/str_cat.h"
#include "client/tracer/broadcasting.h"
#include "client/tracer/elementwise.h"
#include "client/tracer/emit.h"
#include "client/tracer/trace.h"
#include "runtime/base/status.h"
#include "runtime/ops/geometry/dot_dimensions.h"

namespace lockstep {

using internal::Attribute;
using internal::BroadcastDims;
using internal::DotDimensions;
using internal::EmitBinary;
using internal::EmitBroadcastTo;
using internal::Promote;
using internal::Trace;
using internal::TraceOperation;
using internal::TraceValue;
using internal::ValueOr;

namespace {

ValueOr DotGeneral(Trace& trace, TraceValue* a, TraceValue* b,
                   const DotDimensionNumbers& dims) {
  const Attribute precision = Attribute::Enum{"precision", "DEFAULT"};
  return trace.Build(
      {.name = "stablehlo.dot_general",
       .operands = {a, b},
       .attributes = {
           {"dot_dimension_numbers",
            ToAttribute(
                DotDimensions{.lhs_batching = dims.lhs_batch,
                              .rhs_batching = dims.rhs_batch,
                              .lhs_contracting = dims.lhs_contracting,
                              .rhs_contracting = dims.rhs_contracting})},
           {"precision_config", Attribute::Array{{precision, precision}}}}});
}

// Non-negative dimensions; those out of range stay for the op to refuse.
std::vector<int64_t> FromFront(std::vector<int64_t> dims, int64_t rank) {
  for (int64_t& dim : dims) {
    if (dim < 0 && dim >= -rank) dim += rank;
  }
  return dims;
}

// Leading dims of a and b, broadcast to each other.
absl::Status BroadcastBatch(Trace& trace, TraceValue*& a, TraceValue*& b) {
  const auto batch = [](const TraceValue* x) {
    return Shape(x->shape().element_type(),
                 x->shape().dims().subspan(0, x->shape().rank() - 2));
  };
  ASSIGN_OR_RETURN(const Dims common, BroadcastDims({batch(a), batch(b)}));
  for (TraceValue** x : {&a, &b}) {
    Dims dims = common;
    dims.push_back((*x)->shape().dim((*x)->shape().rank() - 2));
    dims.push_back((*x)->shape().dim((*x)->shape().rank() - 1));
    ASSIGN_OR_RETURN(*x, EmitBroadcastTo(trace, *x, dims));
  }
  return absl::OkStatus();
}

ValueOr Matmul(Trace& trace, TraceValue* a, TraceValue* b) {
  if (a->shape().rank() == 0 || b->shape().rank() == 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("needs operands of rank 1 or more, found ",
                     a->shape().ToString(), " and ", b->shape().ToString()));
  }
  DotDimensionNumbers dims;
  if (a->shape().rank() > 1 && b->shape().rank() > 1 &&
      (a->shape().rank() > 2 || b->shape().rank() > 2)) {
    RETURN_IF_ERROR(BroadcastBatch(trace, a, b));
    for (int64_t i = 0; i < a->shape().rank() - 2; ++i) {
      dims.lhs_batch.push_back(i);
      dims.rhs_batch.push_back(i);
    }
  }
  dims.lhs_contracting = {a->shape().rank() - 1};
  dims.rhs_contracting = {std::max<int64_t>(b->shape().rank() - 2, 0)};
  return DotGeneral(trace, a, b, dims);
}

Tensor OnBoth(
    absl::string_view name, const Operand& a, const Operand& b,
    const std::function<ValueOr(Trace&, TraceValue*, TraceValue*)>& body) {
  return TraceOperation(
      name, a.location(), {&a, &b}, [&](Trace& trace) -> ValueOr {
        ASSIGN_OR_RETURN(TraceValue * lhs, trace.Resolve(a));
        ASSIGN_OR_RETURN(TraceValue * rhs, trace.Resolve(b));
        ASSIGN_OR_RETURN(const auto both, Promote(trace, {lhs, rhs}));
        return body(trace, both[0], both[1]);
      });
}

}  // namespace

Tensor dot_general(const Operand& a, const Operand& b,
                   const DotDimensionNumbers& dimensions) {
  return OnBoth(
      "dot_general", a, b, [&](Trace& trace, TraceValue* lhs, TraceValue* rhs) {
        DotDimensionNumbers dims;
        dims.lhs_contracting =
            FromFront(dimensions.lhs_contracting, lhs->shape().rank());
        dims.rhs_contracting =
            FromFront(dimensions.rhs_contracting, rhs->shape().rank());
        dims.lhs_batch = FromFront(dimensions.lhs_batch, lhs->shape().rank());
        dims.rhs_batch = FromFront(dimensions.rhs_batch, rhs->shape().rank());
        return DotGeneral(trace, lhs, rhs, dims);
      });
}

Tensor matmul(const Operand& a, const Operand& b) {
  return OnBoth("matmul", a, b, Matmul);
}

Tensor dot(const Operand& a, const Operand& b) {
  return OnBoth(
      "dot", a, b,
      [](Trace& trace, TraceValue* lhs, TraceValue* rhs) -> ValueOr {
        if (lhs->shape().rank() == 0 || rhs->shape().rank() == 0) {
          ASSIGN_OR_RETURN(const Dims dims,
                           BroadcastDims({lhs->shape(), rhs->shape()}));
          return EmitBinary(trace, "stablehlo.multiply",
                            EmitBroadcastTo(trace, lhs, dims),
                            EmitBroadcastTo(trace, rhs, dims));
        }
        DotDimensionNumbers dims;
        dims.lhs_contracting = {lhs->shape().rank() - 1};
        dims.rhs_contracting = {std::max<int64_t>(rhs->shape().rank() - 2, 0)};
        return DotGeneral(trace, lhs, rhs, dims);
      });
}

}  // namespace lockstep
