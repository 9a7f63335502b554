#include "client/tracer/contraction.h"

#include <algorithm>
#include <string>

#include "absl/strings/str_cat.h"
#include "client/tracer/broadcasting.h"
#include "client/tracer/elementwise.h"
#include "client/tracer/emit.h"
#include "client/tracer/trace.h"
#include "runtime/base/status.h"

namespace lockstep {

using internal::BroadcastDims;
using internal::CheckedDims;
using internal::EmitBinary;
using internal::EmitBroadcastTo;
using internal::FunctionType;
using internal::Joined;
using internal::Promote;
using internal::Trace;
using internal::TraceOperation;
using internal::TraceValue;
using internal::ValueOr;

namespace {

absl::Status CheckPairs(absl::string_view kind, const TraceValue* a,
                        const TraceValue* b, const std::vector<int64_t>& a_dims,
                        const std::vector<int64_t>& b_dims) {
  if (a_dims.size() != b_dims.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat(kind, " dims do not pair: lhs [", Joined(a_dims),
                     "], rhs [", Joined(b_dims), "]"));
  }
  for (size_t i = 0; i < a_dims.size(); ++i) {
    const int64_t lhs = a->shape.dim(a_dims[i]);
    const int64_t rhs = b->shape.dim(b_dims[i]);
    if (lhs == rhs) continue;
    return absl::InvalidArgumentError(
        absl::StrCat(kind, " dims differ: lhs dim ", a_dims[i], " is ", lhs,
                     ", rhs dim ", b_dims[i], " is ", rhs));
  }
  return absl::OkStatus();
}

void AppendFree(const TraceValue* x, const std::vector<int64_t>& batch,
                const std::vector<int64_t>& contracting, Dims& dims) {
  for (int64_t i = 0; i < x->shape.rank(); ++i) {
    const bool is_free =
        std::find(batch.begin(), batch.end(), i) == batch.end() &&
        std::find(contracting.begin(), contracting.end(), i) ==
            contracting.end();
    if (is_free) dims.push_back(x->shape.dim(i));
  }
}

ValueOr DotGeneral(Trace& trace, TraceValue* a, TraceValue* b,
                   const DotDimensionNumbers& dims) {
  std::vector<int64_t> lhs_used = dims.lhs_batch, rhs_used = dims.rhs_batch;
  lhs_used.insert(lhs_used.end(), dims.lhs_contracting.begin(),
                  dims.lhs_contracting.end());
  rhs_used.insert(rhs_used.end(), dims.rhs_contracting.begin(),
                  dims.rhs_contracting.end());
  RETURN_IF_ERROR(CheckedDims(lhs_used, a->shape.rank()).status());
  RETURN_IF_ERROR(CheckedDims(rhs_used, b->shape.rank()).status());
  RETURN_IF_ERROR(CheckPairs("batch", a, b, dims.lhs_batch, dims.rhs_batch));
  RETURN_IF_ERROR(CheckPairs("contracting", a, b, dims.lhs_contracting,
                             dims.rhs_contracting));
  Dims result_dims;
  for (int64_t dim : dims.lhs_batch) result_dims.push_back(a->shape.dim(dim));
  AppendFree(a, dims.lhs_batch, dims.lhs_contracting, result_dims);
  AppendFree(b, dims.rhs_batch, dims.rhs_contracting, result_dims);
  std::string clauses;
  if (!dims.lhs_batch.empty()) {
    absl::StrAppend(&clauses, ", batching_dims = [", Joined(dims.lhs_batch),
                    "] x [", Joined(dims.rhs_batch), "]");
  }
  absl::StrAppend(&clauses, ", contracting_dims = [",
                  Joined(dims.lhs_contracting), "] x [",
                  Joined(dims.rhs_contracting), "]");
  const Shape result(a->shape.element_type(), result_dims);
  return trace.AddValue(
      {.text = absl::StrCat("stablehlo.dot_general $0, $1", clauses,
                            ", precision = [DEFAULT, DEFAULT] : ",
                            FunctionType({a, b}, {result})),
       .operands = {a, b},
       .results = {result}});
}

// Non-negative dimensions; those out of range stay for DotGeneral to refuse.
std::vector<int64_t> FromFront(std::vector<int64_t> dims, int64_t rank) {
  for (int64_t& dim : dims) {
    if (dim < 0 && dim >= -rank) dim += rank;
  }
  return dims;
}

// Leading dims of a and b, broadcast to each other.
absl::Status BroadcastBatch(Trace& trace, TraceValue*& a, TraceValue*& b) {
  const auto batch = [](const TraceValue* x) {
    TraceValue leading;
    leading.shape = Shape(x->shape.element_type(),
                          x->shape.dims().subspan(0, x->shape.rank() - 2));
    return leading;
  };
  TraceValue lhs = batch(a), rhs = batch(b);
  ASSIGN_OR_RETURN(const Dims common, BroadcastDims({&lhs, &rhs}));
  for (TraceValue** x : {&a, &b}) {
    Dims dims = common;
    dims.push_back((*x)->shape.dim((*x)->shape.rank() - 2));
    dims.push_back((*x)->shape.dim((*x)->shape.rank() - 1));
    *x = EmitBroadcastTo(trace, *x, dims);
  }
  return absl::OkStatus();
}

ValueOr Matmul(Trace& trace, TraceValue* a, TraceValue* b) {
  if (a->shape.rank() == 0 || b->shape.rank() == 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("needs operands of rank 1 or more, found ",
                     a->shape.ToString(), " and ", b->shape.ToString()));
  }
  DotDimensionNumbers dims;
  if (a->shape.rank() > 1 && b->shape.rank() > 1 &&
      (a->shape.rank() > 2 || b->shape.rank() > 2)) {
    RETURN_IF_ERROR(BroadcastBatch(trace, a, b));
    for (int64_t i = 0; i < a->shape.rank() - 2; ++i) {
      dims.lhs_batch.push_back(i);
      dims.rhs_batch.push_back(i);
    }
  }
  dims.lhs_contracting = {a->shape.rank() - 1};
  dims.rhs_contracting = {std::max<int64_t>(b->shape.rank() - 2, 0)};
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
            FromFront(dimensions.lhs_contracting, lhs->shape.rank());
        dims.rhs_contracting =
            FromFront(dimensions.rhs_contracting, rhs->shape.rank());
        dims.lhs_batch = FromFront(dimensions.lhs_batch, lhs->shape.rank());
        dims.rhs_batch = FromFront(dimensions.rhs_batch, rhs->shape.rank());
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
        if (lhs->shape.rank() == 0 || rhs->shape.rank() == 0) {
          ASSIGN_OR_RETURN(const Dims dims, BroadcastDims({lhs, rhs}));
          lhs = EmitBroadcastTo(trace, lhs, dims);
          rhs = EmitBroadcastTo(trace, rhs, dims);
          return EmitBinary(trace, "stablehlo.multiply", lhs, rhs);
        }
        DotDimensionNumbers dims;
        dims.lhs_contracting = {lhs->shape.rank() - 1};
        dims.rhs_contracting = {std::max<int64_t>(rhs->shape.rank() - 2, 0)};
        return DotGeneral(trace, lhs, rhs, dims);
      });
}

}  // namespace lockstep
