#include "client/tracer/emit.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "client/tracer/dense_text.h"
#include "client/tracer/element_promotion.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

std::string TypeText(const TraceValue* value) {
  return value->shape.ToString();
}

TraceValue* AddConstant(Trace& trace, const Shape& shape, std::string dense) {
  const bool is_integer = IsInteger(shape.element_type()) ||
                          shape.element_type() == ElementType::kPred;
  return trace.AddValue({.text = absl::StrCat("stablehlo.constant ", dense),
                         .operands = {},
                         .results = {shape},
                         .name_hint = is_integer ? "c" : "cst"});
}

absl::string_view ComparisonType(ElementType type) {
  if (IsSignedInteger(type)) return "SIGNED";
  return IsInteger(type) || type == ElementType::kPred ? "UNSIGNED" : "FLOAT";
}

// A shape-changing op on a value whose elements are all equal.
TraceValue* ReshapedSplat(Trace& trace, const TraceValue* x,
                          absl::Span<const int64_t> dims) {
  TraceValue* value =
      EmitSplat(trace, Shape(x->shape.element_type(), dims), *x->splat);
  value->splat = x->splat;
  value->is_weak = x->is_weak;
  return value;
}

}  // namespace

TraceValue* EmitSplat(Trace& trace, const Shape& shape, const Literal& scalar) {
  const Literal typed = ConvertScalar(scalar, shape.element_type());
  TraceValue* value = AddConstant(trace, shape, SplatText(typed, shape));
  value->splat = std::make_shared<const Literal>(typed);
  return value;
}

TraceValue* EmitNumber(Trace& trace, const Shape& shape, double number) {
  return EmitSplat(trace, shape, Literal::Scalar(number));
}

TraceValue* EmitConstant(Trace& trace, const Literal& literal) {
  TraceValue* value = AddConstant(trace, literal.shape(), DenseText(literal));
  if (literal.shape().rank() == 0) {
    value->splat = std::make_shared<const Literal>(literal);
  }
  return value;
}

TraceValue* EmitWeakScalar(Trace& trace, const Literal& scalar) {
  TraceValue* value =
      EmitSplat(trace, Shape(DefaultTypeOf(scalar), {}), scalar);
  // Keeps all digits until it meets a type.
  value->splat = std::make_shared<const Literal>(scalar);
  value->is_weak = true;
  return value;
}

TraceValue* EmitUnary(Trace& trace, absl::string_view op, TraceValue* x) {
  TraceValue* value =
      trace.AddValue({.text = absl::StrCat(op, " $0 : ", TypeText(x)),
                      .operands = {x},
                      .results = {x->shape}});
  value->is_weak = x->is_weak;
  return value;
}

TraceValue* EmitBinary(Trace& trace, absl::string_view op, TraceValue* a,
                       TraceValue* b) {
  TraceValue* value =
      trace.AddValue({.text = absl::StrCat(op, " $0, $1 : ", TypeText(a)),
                      .operands = {a, b},
                      .results = {a->shape}});
  value->is_weak = a->is_weak && b->is_weak;
  return value;
}

TraceValue* EmitCompare(Trace& trace, absl::string_view direction,
                        TraceValue* a, TraceValue* b) {
  const Shape result(ElementType::kPred, a->shape.dims());
  return trace.AddValue(
      {.text = absl::StrCat("stablehlo.compare ", direction, ", $0, $1, ",
                            ComparisonType(a->shape.element_type()), " : ",
                            FunctionType({a, b}, {result})),
       .operands = {a, b},
       .results = {result}});
}

TraceValue* EmitSelect(Trace& trace, TraceValue* predicate, TraceValue* a,
                       TraceValue* b) {
  TraceValue* value = trace.AddValue(
      {.text = absl::StrCat("stablehlo.select $0, $1, $2 : ",
                            TypeText(predicate), ", ", TypeText(a)),
       .operands = {predicate, a, b},
       .results = {a->shape}});
  value->is_weak = a->is_weak && b->is_weak;
  return value;
}

TraceValue* EmitConvert(Trace& trace, TraceValue* x, ElementType type) {
  if (x->shape.element_type() == type) return x;
  const Shape result(type, x->shape.dims());
  if (x->splat != nullptr) {
    return EmitSplat(trace, result, ConvertScalar(*x->splat, type));
  }
  return trace.AddValue({.text = absl::StrCat("stablehlo.convert $0 : ",
                                              FunctionType({x}, {result})),
                         .operands = {x},
                         .results = {result}});
}

TraceValue* EmitBroadcastInDim(Trace& trace, TraceValue* x,
                               absl::Span<const int64_t> dims,
                               absl::Span<const int64_t> result_dims) {
  if (x->shape.dims() == result_dims) return x;
  if (x->splat != nullptr) return ReshapedSplat(trace, x, result_dims);
  const Shape result(x->shape.element_type(), result_dims);
  TraceValue* value = trace.AddValue(
      {.text = absl::StrCat("stablehlo.broadcast_in_dim $0, dims = [",
                            Joined(dims), "] : ", FunctionType({x}, {result})),
       .operands = {x},
       .results = {result}});
  value->is_weak = x->is_weak;
  return value;
}

TraceValue* EmitBroadcastTo(Trace& trace, TraceValue* x,
                            absl::Span<const int64_t> result_dims) {
  std::vector<int64_t> dims;
  const int64_t rank = static_cast<int64_t>(result_dims.size());
  for (int64_t i = rank - x->shape.rank(); i < rank; ++i) dims.push_back(i);
  return EmitBroadcastInDim(trace, x, dims, result_dims);
}

TraceValue* EmitReshape(Trace& trace, TraceValue* x,
                        absl::Span<const int64_t> result_dims) {
  if (x->shape.dims() == result_dims) return x;
  if (x->splat != nullptr) return ReshapedSplat(trace, x, result_dims);
  const Shape result(x->shape.element_type(), result_dims);
  TraceValue* value =
      trace.AddValue({.text = absl::StrCat("stablehlo.reshape $0 : ",
                                           FunctionType({x}, {result})),
                      .operands = {x},
                      .results = {result}});
  value->is_weak = x->is_weak;
  return value;
}

TraceValue* EmitTranspose(Trace& trace, TraceValue* x,
                          absl::Span<const int64_t> permutation) {
  Dims dims;
  for (int64_t from : permutation) dims.push_back(x->shape.dim(from));
  if (std::is_sorted(permutation.begin(), permutation.end())) return x;
  if (x->splat != nullptr) return ReshapedSplat(trace, x, dims);
  const Shape result(x->shape.element_type(), dims);
  TraceValue* value =
      trace.AddValue({.text = absl::StrCat("stablehlo.transpose $0, dims = [",
                                           Joined(permutation),
                                           "] : ", FunctionType({x}, {result})),
                      .operands = {x},
                      .results = {result}});
  value->is_weak = x->is_weak;
  return value;
}

TraceValue* EmitConcatenate(Trace& trace, absl::Span<TraceValue* const> parts,
                            int64_t dim) {
  if (parts.size() == 1) return parts[0];
  Dims dims = DimsOf(parts[0]);
  dims[dim] = 0;
  std::vector<std::string> names;
  for (const TraceValue* part : parts) {
    dims[dim] += part->shape.dim(dim);
    names.push_back(absl::StrCat("$", names.size()));
  }
  const Shape result(parts[0]->shape.element_type(), dims);
  TraceValue* value = trace.AddValue(
      {.text =
           absl::StrCat("stablehlo.concatenate ", absl::StrJoin(names, ", "),
                        ", dim = ", dim, " : ", FunctionType(parts, {result})),
       .operands = {parts.begin(), parts.end()},
       .results = {result}});
  value->is_weak = std::all_of(parts.begin(), parts.end(),
                               [](const auto* part) { return part->is_weak; });
  return value;
}

TraceValue* EmitDynamicSlice(Trace& trace, TraceValue* x,
                             absl::Span<TraceValue* const> starts,
                             absl::Span<const int64_t> sizes) {
  std::vector<TraceValue*> operands = {x};
  std::string names = "$0";
  for (TraceValue* start : starts) {
    absl::StrAppend(&names, ", $", operands.size());
    operands.push_back(start);
  }
  const Shape result(x->shape.element_type(), sizes);
  return trace.AddValue(
      {.text = absl::StrCat("stablehlo.dynamic_slice ", names, ", sizes = [",
                            Joined(sizes),
                            "] : ", FunctionType(operands, {result})),
       .operands = operands,
       .results = {result}});
}

TraceValue* EmitIota(Trace& trace, const Shape& shape, int64_t dim) {
  return trace.AddValue({.text = absl::StrCat("stablehlo.iota dim = ", dim,
                                              " : ", shape.ToString()),
                         .operands = {},
                         .results = {shape}});
}

TraceValue* EmitReduce(Trace& trace, TraceValue* x, TraceValue* initial,
                       absl::string_view op, absl::Span<const int64_t> dims) {
  if (dims.empty()) return x;
  Dims kept;
  for (int64_t i = 0; i < x->shape.rank(); ++i) {
    if (std::find(dims.begin(), dims.end(), i) == dims.end()) {
      kept.push_back(x->shape.dim(i));
    }
  }
  const Shape result(x->shape.element_type(), kept);
  return trace.AddValue(
      {.text = absl::StrCat("stablehlo.reduce($0 init: $1) applies ", op,
                            " across dimensions = [", Joined(dims),
                            "] : ", FunctionType({x, initial}, {result})),
       .operands = {x, initial},
       .results = {result}});
}

std::string FunctionType(absl::Span<TraceValue* const> operands,
                         absl::Span<const Shape> results) {
  const auto append_shape = [](std::string* out, const Shape& shape) {
    *out += shape.ToString();
  };
  const auto append_value = [](std::string* out, const TraceValue* value) {
    *out += value->shape.ToString();
  };
  const std::string types = absl::StrJoin(results, ", ", append_shape);
  return absl::StrCat(
      "(", absl::StrJoin(operands, ", ", append_value), ") -> ",
      results.size() == 1 ? types : absl::StrCat("(", types, ")"));
}

std::string Joined(absl::Span<const int64_t> values) {
  return absl::StrJoin(values, ", ");
}

Dims DimsOf(const TraceValue* value) {
  return Dims(value->shape.dims().begin(), value->shape.dims().end());
}

absl::StatusOr<int64_t> CheckedDim(int64_t dim, int64_t rank) {
  if (dim >= -rank && dim < rank) return dim < 0 ? dim + rank : dim;
  return absl::InvalidArgumentError(
      absl::StrCat("dimension ", dim, " is out of range for rank ", rank));
}

absl::StatusOr<std::vector<int64_t>> CheckedDims(absl::Span<const int64_t> dims,
                                                 int64_t rank) {
  std::vector<int64_t> checked;
  for (int64_t dim : dims) {
    ASSIGN_OR_RETURN(const int64_t position, CheckedDim(dim, rank));
    if (std::find(checked.begin(), checked.end(), position) != checked.end()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "dimension ", dim, " occurs twice in [", Joined(dims), "]"));
    }
    checked.push_back(position);
  }
  return checked;
}

}  // namespace lockstep::internal
