#include "client/tracer/data_movement.h"

#include <algorithm>
#include <numeric>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "client/tracer/broadcasting.h"
#include "client/tracer/emit.h"
#include "client/tracer/trace.h"
#include "runtime/base/status.h"

namespace lockstep {

using internal::Attribute;
using internal::BroadcastDims;
using internal::CheckedDim;
using internal::CheckedDims;
using internal::DimsOf;
using internal::EmitBroadcastInDim;
using internal::EmitBroadcastTo;
using internal::EmitConcatenate;
using internal::EmitConvert;
using internal::EmitDynamicSlice;
using internal::EmitDynamicUpdateSlice;
using internal::EmitReshape;
using internal::EmitTranspose;
using internal::Joined;
using internal::Promote;
using internal::Trace;
using internal::TraceOperation;
using internal::TraceOperationOn;
using internal::TraceValue;
using internal::ValueOr;

namespace {

absl::Status Invalid(absl::string_view message) {
  return absl::InvalidArgumentError(message);
}

// Runs `body` on the one operand's value.
Tensor OnValue(absl::string_view name, const Operand& x,
               const std::function<ValueOr(Trace&, TraceValue*)>& body) {
  return TraceOperation(name, x.location(), {&x}, [&](Trace& trace) -> ValueOr {
    ASSIGN_OR_RETURN(TraceValue * value, trace.Resolve(x));
    return body(trace, value);
  });
}

absl::Status CheckCount(absl::string_view what,
                        const std::vector<int64_t>& list, int64_t rank) {
  if (static_cast<int64_t>(list.size()) == rank) return absl::OkStatus();
  return Invalid(absl::StrCat("needs one of ", what, " per dimension: rank ",
                              rank, ", found [", Joined(list), "]"));
}

absl::StatusOr<std::vector<int64_t>> CompletedDims(std::vector<int64_t> dims,
                                                   const Shape& shape) {
  int64_t known = 1;
  int64_t open = -1;
  for (size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] != -1) {
      known *= dims[i];
    } else if (open >= 0) {
      return Invalid(
          absl::StrCat("only one size may be -1, found [", Joined(dims), "]"));
    } else {
      open = static_cast<int64_t>(i);
    }
  }
  const int64_t count = shape.element_count();
  if (open >= 0 && known > 0 && count % known == 0) {
    dims[open] = count / known;
    known = count;
  }
  if (known != count || (open >= 0 && dims[open] < 0)) {
    return Invalid(absl::StrCat(shape.ToString(), " has ", count,
                                " elements, which do not make [", Joined(dims),
                                "]"));
  }
  return dims;
}

absl::StatusOr<std::vector<TraceValue*>> ResolveAll(
    Trace& trace, const std::vector<Operand>& operands) {
  std::vector<TraceValue*> values;
  for (const Operand& operand : operands) {
    ASSIGN_OR_RETURN(TraceValue * value, trace.Resolve(operand));
    values.push_back(value);
  }
  return values;
}

std::vector<const Operand*> Pointers(const std::vector<Operand>& operands) {
  std::vector<const Operand*> pointers;
  for (const Operand& operand : operands) pointers.push_back(&operand);
  return pointers;
}

SourceLocation PlaceOf(const std::vector<Operand>& operands) {
  return operands.empty() ? SourceLocation() : operands[0].location();
}

absl::StatusOr<std::vector<TraceValue*>> ResolveStarts(
    Trace& trace, const std::vector<Operand>& starts, int64_t rank) {
  if (static_cast<int64_t>(starts.size()) != rank) {
    return Invalid(absl::StrCat("needs one start per dimension: rank ", rank,
                                ", found ", starts.size(), " starts"));
  }
  ASSIGN_OR_RETURN(auto values, ResolveAll(trace, starts));
  for (const TraceValue* value : values) {
    if (value->shape().rank() == 0 &&
        IsInteger(value->shape().element_type())) {
      continue;
    }
    return Invalid(absl::StrCat("a start must be an integer scalar, found ",
                                value->shape().ToString()));
  }
  return Promote(trace, std::move(values));
}

}  // namespace

Tensor reshape(const Operand& x, const std::vector<int64_t>& dims) {
  return OnValue("reshape", x, [&](Trace& trace, TraceValue* value) -> ValueOr {
    ASSIGN_OR_RETURN(const auto complete, CompletedDims(dims, value->shape()));
    return EmitReshape(trace, value, complete);
  });
}

Tensor ravel(const Operand& x) {
  return OnValue("ravel", x, [&](Trace& trace, TraceValue* value) -> ValueOr {
    return EmitReshape(trace, value, {value->shape().element_count()});
  });
}

Tensor transpose(const Operand& x, const std::vector<int64_t>& permutation) {
  return OnValue(
      "transpose", x, [&](Trace& trace, TraceValue* value) -> ValueOr {
        std::vector<int64_t> order = permutation;
        if (order.empty()) {
          order.resize(value->shape().rank());
          std::iota(order.rbegin(), order.rend(), 0);
        }
        RETURN_IF_ERROR(CheckCount("source", order, value->shape().rank()));
        ASSIGN_OR_RETURN(order, CheckedDims(order, value->shape().rank()));
        return EmitTranspose(trace, value, order);
      });
}

Tensor swapaxes(const Operand& x, int64_t a, int64_t b) {
  return OnValue("swapaxes", x,
                 [&](Trace& trace, TraceValue* value) -> ValueOr {
                   const int64_t rank = value->shape().rank();
                   ASSIGN_OR_RETURN(const int64_t first, CheckedDim(a, rank));
                   ASSIGN_OR_RETURN(const int64_t second, CheckedDim(b, rank));
                   std::vector<int64_t> order(rank);
                   std::iota(order.begin(), order.end(), 0);
                   std::swap(order[first], order[second]);
                   return EmitTranspose(trace, value, order);
                 });
}

Tensor expand_dims(const Operand& x, int64_t dim) {
  return OnValue("expand_dims", x,
                 [&](Trace& trace, TraceValue* value) -> ValueOr {
                   ASSIGN_OR_RETURN(const int64_t at,
                                    CheckedDim(dim, value->shape().rank() + 1));
                   Dims dims = DimsOf(value);
                   dims.insert(dims.begin() + at, 1);
                   return EmitReshape(trace, value, dims);
                 });
}

Tensor squeeze(const Operand& x, int64_t dim) {
  return OnValue("squeeze", x, [&](Trace& trace, TraceValue* value) -> ValueOr {
    ASSIGN_OR_RETURN(const int64_t at, CheckedDim(dim, value->shape().rank()));
    Dims dims = DimsOf(value);
    if (dims[at] != 1) {
      return Invalid(absl::StrCat("dimension ", dim, " has size ", dims[at],
                                  ", expected 1"));
    }
    dims.erase(dims.begin() + at);
    return EmitReshape(trace, value, dims);
  });
}

Tensor broadcast_to(const Operand& x, const std::vector<int64_t>& dims) {
  return OnValue(
      "broadcast_to", x, [&](Trace& trace, TraceValue* value) -> ValueOr {
        ASSIGN_OR_RETURN(const Shape target,
                         Shape::Create(value->shape().element_type(), dims));
        ASSIGN_OR_RETURN(const Dims common,
                         BroadcastDims({value->shape(), target}));
        if (absl::MakeConstSpan(common) != target.dims()) {
          return Invalid(absl::StrCat(value->shape().ToString(),
                                      " does not broadcast to [", Joined(dims),
                                      "]"));
        }
        return EmitBroadcastTo(trace, value, dims);
      });
}

Tensor broadcast_in_dim(const Operand& x,
                        const std::vector<int64_t>& result_dims,
                        const std::vector<int64_t>& dims) {
  return OnValue(
      "broadcast_in_dim", x, [&](Trace& trace, TraceValue* value) -> ValueOr {
        RETURN_IF_ERROR(CheckCount("place", dims, value->shape().rank()));
        ASSIGN_OR_RETURN(
            const auto places,
            CheckedDims(dims, static_cast<int64_t>(result_dims.size())));
        // Here too: what is one number everywhere becomes no such op.
        for (size_t i = 0; i < places.size(); ++i) {
          const int64_t size = value->shape().dim(i);
          if (size == 1 || size == result_dims[places[i]]) continue;
          return Invalid(absl::StrCat("dimension ", i, " has size ", size,
                                      ", expected 1 or ",
                                      result_dims[places[i]]));
        }
        return EmitBroadcastInDim(trace, value, places, result_dims);
      });
}

namespace {

ValueOr Slice(Trace& trace, TraceValue* x, const std::vector<int64_t>& starts,
              const std::vector<int64_t>& limits,
              std::vector<int64_t> strides) {
  if (strides.empty()) strides.assign(x->shape().rank(), 1);
  return trace.Build(
      {.name = "stablehlo.slice",
       .operands = {x},
       .attributes = {{"start_indices", Attribute::I64Array(starts)},
                      {"limit_indices", Attribute::I64Array(limits)},
                      {"strides", Attribute::I64Array(strides)}}});
}

}  // namespace

Tensor slice(const Operand& x, const std::vector<int64_t>& starts,
             const std::vector<int64_t>& limits,
             const std::vector<int64_t>& strides) {
  return OnValue("slice", x, [&](Trace& trace, TraceValue* value) -> ValueOr {
    return Slice(trace, value, starts, limits, strides);
  });
}

Tensor slice_in_dim(const Operand& x, int64_t start, int64_t limit,
                    int64_t dim) {
  return OnValue("slice_in_dim", x,
                 [&](Trace& trace, TraceValue* value) -> ValueOr {
                   ASSIGN_OR_RETURN(const int64_t at,
                                    CheckedDim(dim, value->shape().rank()));
                   std::vector<int64_t> starts(value->shape().rank(), 0);
                   std::vector<int64_t> limits(value->shape().dims().begin(),
                                               value->shape().dims().end());
                   starts[at] = start;
                   limits[at] = limit;
                   return Slice(trace, value, starts, limits, {});
                 });
}

Tensor concatenate(const std::vector<Operand>& parts, int64_t dim) {
  return TraceOperationOn(
      "concatenate", PlaceOf(parts), Pointers(parts),
      [&](Trace& trace) -> ValueOr {
        if (parts.empty()) return Invalid("needs at least one tensor");
        ASSIGN_OR_RETURN(auto values, ResolveAll(trace, parts));
        ASSIGN_OR_RETURN(values, Promote(trace, std::move(values)));
        ASSIGN_OR_RETURN(const int64_t at,
                         CheckedDim(dim, values[0]->shape().rank()));
        return EmitConcatenate(trace, values, at);
      });
}

Tensor stack(const std::vector<Operand>& parts, int64_t dim) {
  return TraceOperationOn(
      "stack", PlaceOf(parts), Pointers(parts), [&](Trace& trace) -> ValueOr {
        if (parts.empty()) return Invalid("needs at least one tensor");
        ASSIGN_OR_RETURN(auto values, ResolveAll(trace, parts));
        ASSIGN_OR_RETURN(values, Promote(trace, std::move(values)));
        ASSIGN_OR_RETURN(const int64_t at,
                         CheckedDim(dim, values[0]->shape().rank() + 1));
        const Shape shape = values[0]->shape();
        Dims dims = DimsOf(values[0]);
        dims.insert(dims.begin() + at, 1);
        for (TraceValue*& value : values) {
          if (value->shape() != shape) {
            return Invalid(absl::StrCat(
                "parts of one shape are expected, found ", shape.ToString(),
                " and ", value->shape().ToString()));
          }
          ASSIGN_OR_RETURN(value, EmitReshape(trace, value, dims));
        }
        return EmitConcatenate(trace, values, at);
      });
}

namespace {

ValueOr Pad(Trace& trace, TraceValue* x, TraceValue* value,
            std::vector<int64_t> low, std::vector<int64_t> high,
            std::vector<int64_t> interior) {
  for (auto* list : {&low, &high, &interior}) {
    if (list->empty()) list->assign(x->shape().rank(), 0);
  }
  return trace.Build(
      {.name = "stablehlo.pad",
       .operands = {x, value},
       .attributes = {{"edge_padding_low", Attribute::I64Array(low)},
                      {"edge_padding_high", Attribute::I64Array(high)},
                      {"interior_padding", Attribute::I64Array(interior)}}});
}

}  // namespace

Tensor pad(const Operand& x, const Operand& value,
           const std::vector<int64_t>& low, const std::vector<int64_t>& high,
           const std::vector<int64_t>& interior) {
  return TraceOperation(
      "pad", x.location(), {&x, &value}, [&](Trace& trace) -> ValueOr {
        ASSIGN_OR_RETURN(TraceValue * padded, trace.Resolve(x));
        ASSIGN_OR_RETURN(TraceValue * filler, trace.Resolve(value));
        ASSIGN_OR_RETURN(const auto both, Promote(trace, {padded, filler}));
        return Pad(trace, both[0], both[1], low, high, interior);
      });
}

Tensor dynamic_slice(const Operand& x, const std::vector<Operand>& starts,
                     const std::vector<int64_t>& sizes) {
  return OnValue(
      "dynamic_slice", x, [&](Trace& trace, TraceValue* value) -> ValueOr {
        const int64_t rank = value->shape().rank();
        ASSIGN_OR_RETURN(const auto places, ResolveStarts(trace, starts, rank));
        return EmitDynamicSlice(trace, value, places, sizes);
      });
}

Tensor dynamic_update_slice(const Operand& x, const Operand& update,
                            const std::vector<Operand>& starts) {
  return TraceOperation(
      "dynamic_update_slice", x.location(), {&x, &update},
      [&](Trace& trace) -> ValueOr {
        ASSIGN_OR_RETURN(TraceValue * value, trace.Resolve(x));
        ASSIGN_OR_RETURN(TraceValue * piece, trace.Resolve(update));
        const int64_t rank = value->shape().rank();
        ASSIGN_OR_RETURN(
            piece, EmitConvert(trace, piece, value->shape().element_type()));
        ASSIGN_OR_RETURN(const auto places, ResolveStarts(trace, starts, rank));
        return EmitDynamicUpdateSlice(trace, value, piece, places);
      });
}

}  // namespace lockstep
