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

using internal::BroadcastDims;
using internal::CheckedDim;
using internal::CheckedDims;
using internal::DimsOf;
using internal::EmitBroadcastInDim;
using internal::EmitBroadcastTo;
using internal::EmitConcatenate;
using internal::EmitConvert;
using internal::EmitDynamicSlice;
using internal::EmitReshape;
using internal::EmitTranspose;
using internal::FunctionType;
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
    if (value->shape.rank() == 0 && IsInteger(value->shape.element_type())) {
      continue;
    }
    return Invalid(absl::StrCat("a start must be an integer scalar, found ",
                                value->shape.ToString()));
  }
  return Promote(trace, std::move(values));
}

}  // namespace

Tensor reshape(const Operand& x, const std::vector<int64_t>& dims) {
  return OnValue("reshape", x, [&](Trace& trace, TraceValue* value) -> ValueOr {
    ASSIGN_OR_RETURN(const auto complete, CompletedDims(dims, value->shape));
    return EmitReshape(trace, value, complete);
  });
}

Tensor ravel(const Operand& x) {
  return OnValue("ravel", x, [&](Trace& trace, TraceValue* value) -> ValueOr {
    return EmitReshape(trace, value, {value->shape.element_count()});
  });
}

Tensor transpose(const Operand& x, const std::vector<int64_t>& permutation) {
  return OnValue(
      "transpose", x, [&](Trace& trace, TraceValue* value) -> ValueOr {
        std::vector<int64_t> order = permutation;
        if (order.empty()) {
          order.resize(value->shape.rank());
          std::iota(order.rbegin(), order.rend(), 0);
        }
        RETURN_IF_ERROR(CheckCount("source", order, value->shape.rank()));
        ASSIGN_OR_RETURN(order, CheckedDims(order, value->shape.rank()));
        return EmitTranspose(trace, value, order);
      });
}

Tensor swapaxes(const Operand& x, int64_t a, int64_t b) {
  return OnValue("swapaxes", x,
                 [&](Trace& trace, TraceValue* value) -> ValueOr {
                   const int64_t rank = value->shape.rank();
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
                                    CheckedDim(dim, value->shape.rank() + 1));
                   Dims dims = DimsOf(value);
                   dims.insert(dims.begin() + at, 1);
                   return EmitReshape(trace, value, dims);
                 });
}

Tensor squeeze(const Operand& x, int64_t dim) {
  return OnValue("squeeze", x, [&](Trace& trace, TraceValue* value) -> ValueOr {
    ASSIGN_OR_RETURN(const int64_t at, CheckedDim(dim, value->shape.rank()));
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
        const Shape target(value->shape.element_type(), dims);
        TraceValue goal;
        goal.shape = target;
        ASSIGN_OR_RETURN(const Dims common, BroadcastDims({value, &goal}));
        if (absl::MakeConstSpan(common) != target.dims()) {
          return Invalid(absl::StrCat(value->shape.ToString(),
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
        RETURN_IF_ERROR(CheckCount("place", dims, value->shape.rank()));
        ASSIGN_OR_RETURN(
            const auto places,
            CheckedDims(dims, static_cast<int64_t>(result_dims.size())));
        for (size_t i = 0; i < places.size(); ++i) {
          const int64_t size = value->shape.dim(i);
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
  const int64_t rank = x->shape.rank();
  if (strides.empty()) strides.assign(rank, 1);
  RETURN_IF_ERROR(CheckCount("start", starts, rank));
  RETURN_IF_ERROR(CheckCount("limit", limits, rank));
  RETURN_IF_ERROR(CheckCount("stride", strides, rank));
  Dims dims;
  std::vector<std::string> ranges;
  for (int64_t i = 0; i < rank; ++i) {
    if (starts[i] < 0 || starts[i] > limits[i] || strides[i] < 1 ||
        limits[i] > x->shape.dim(i)) {
      return Invalid(absl::StrCat("dimension ", i, " of size ", x->shape.dim(i),
                                  " has no slice ", starts[i], ":", limits[i],
                                  ":", strides[i]));
    }
    dims.push_back((limits[i] - starts[i] + strides[i] - 1) / strides[i]);
    ranges.push_back(absl::StrCat(starts[i], ":", limits[i]));
    if (strides[i] != 1) absl::StrAppend(&ranges.back(), ":", strides[i]);
  }
  const Shape result(x->shape.element_type(), dims);
  return trace.AddValue(
      {.text = absl::StrCat("stablehlo.slice $0 [", absl::StrJoin(ranges, ", "),
                            "] : ", FunctionType({x}, {result})),
       .operands = {x},
       .results = {result}});
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
                                    CheckedDim(dim, value->shape.rank()));
                   std::vector<int64_t> starts(value->shape.rank(), 0);
                   std::vector<int64_t> limits(value->shape.dims().begin(),
                                               value->shape.dims().end());
                   starts[at] = start;
                   limits[at] = limit;
                   return Slice(trace, value, starts, limits, {});
                 });
}

namespace {

absl::Status CheckJoinable(const std::vector<TraceValue*>& values,
                           int64_t dim) {
  for (const TraceValue* value : values) {
    bool fits = value->shape.rank() == values[0]->shape.rank();
    for (int64_t i = 0; fits && i < value->shape.rank(); ++i) {
      fits = i == dim || value->shape.dim(i) == values[0]->shape.dim(i);
    }
    if (fits) continue;
    return Invalid(absl::StrCat(values[0]->shape.ToString(), " and ",
                                value->shape.ToString(),
                                " differ outside dimension ", dim));
  }
  return absl::OkStatus();
}

}  // namespace

Tensor concatenate(const std::vector<Operand>& parts, int64_t dim) {
  return TraceOperationOn(
      "concatenate", PlaceOf(parts), Pointers(parts),
      [&](Trace& trace) -> ValueOr {
        if (parts.empty()) return Invalid("needs at least one tensor");
        ASSIGN_OR_RETURN(auto values, ResolveAll(trace, parts));
        ASSIGN_OR_RETURN(values, Promote(trace, std::move(values)));
        ASSIGN_OR_RETURN(const int64_t at,
                         CheckedDim(dim, values[0]->shape.rank()));
        RETURN_IF_ERROR(CheckJoinable(values, at));
        return EmitConcatenate(trace, values, at);
      });
}

Tensor stack(const std::vector<Operand>& parts, int64_t dim) {
  return TraceOperationOn(
      "stack", PlaceOf(parts), Pointers(parts), [&](Trace& trace) -> ValueOr {
        if (parts.empty()) return Invalid("needs at least one tensor");
        ASSIGN_OR_RETURN(auto values, ResolveAll(trace, parts));
        ASSIGN_OR_RETURN(values, Promote(trace, std::move(values)));
        RETURN_IF_ERROR(CheckJoinable(values, -1));
        ASSIGN_OR_RETURN(const int64_t at,
                         CheckedDim(dim, values[0]->shape.rank() + 1));
        Dims dims = DimsOf(values[0]);
        dims.insert(dims.begin() + at, 1);
        for (TraceValue*& value : values) {
          value = EmitReshape(trace, value, dims);
        }
        return EmitConcatenate(trace, values, at);
      });
}

namespace {

ValueOr Pad(Trace& trace, TraceValue* x, TraceValue* value,
            std::vector<int64_t> low, std::vector<int64_t> high,
            std::vector<int64_t> interior) {
  const int64_t rank = x->shape.rank();
  for (auto* list : {&low, &high, &interior}) {
    if (list->empty()) list->assign(rank, 0);
    RETURN_IF_ERROR(CheckCount("padding", *list, rank));
  }
  if (value->shape.rank() != 0) {
    return Invalid(absl::StrCat("the padding value must be a scalar, found ",
                                value->shape.ToString()));
  }
  Dims dims;
  for (int64_t i = 0; i < rank; ++i) {
    const int64_t size = x->shape.dim(i);
    const int64_t padded =
        low[i] + high[i] + size + std::max<int64_t>(size - 1, 0) * interior[i];
    if (interior[i] < 0 || padded < 0) {
      return Invalid(absl::StrCat("dimension ", i, " of size ", size,
                                  " cannot have padding ", low[i], ", ",
                                  high[i], ", ", interior[i]));
    }
    dims.push_back(padded);
  }
  const Shape result(x->shape.element_type(), dims);
  return trace.AddValue(
      {.text = absl::StrCat("stablehlo.pad $0, $1, low = [", Joined(low),
                            "], high = [", Joined(high), "], interior = [",
                            Joined(interior),
                            "] : ", FunctionType({x, value}, {result})),
       .operands = {x, value},
       .results = {result}});
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
        const int64_t rank = value->shape.rank();
        RETURN_IF_ERROR(CheckCount("size", sizes, rank));
        for (int64_t i = 0; i < rank; ++i) {
          if (sizes[i] >= 0 && sizes[i] <= value->shape.dim(i)) continue;
          return Invalid(absl::StrCat("dimension ", i, " of size ",
                                      value->shape.dim(i), " has no slice of ",
                                      sizes[i]));
        }
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
        const int64_t rank = value->shape.rank();
        bool fits = piece->shape.rank() == rank;
        for (int64_t i = 0; fits && i < rank; ++i) {
          fits = piece->shape.dim(i) <= value->shape.dim(i);
        }
        if (!fits) {
          return Invalid(absl::StrCat("the update ", piece->shape.ToString(),
                                      " does not fit into ",
                                      value->shape.ToString()));
        }
        piece = EmitConvert(trace, piece, value->shape.element_type());
        ASSIGN_OR_RETURN(const auto places, ResolveStarts(trace, starts, rank));
        std::vector<TraceValue*> operands = {value, piece};
        std::string names = "$0, $1";
        for (TraceValue* place : places) {
          absl::StrAppend(&names, ", $", operands.size());
          operands.push_back(place);
        }
        return trace.AddValue(
            {.text =
                 absl::StrCat("stablehlo.dynamic_update_slice ", names, " : ",
                              FunctionType(operands, {value->shape})),
             .operands = operands,
             .results = {value->shape}});
      });
}

}  // namespace lockstep
