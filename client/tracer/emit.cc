#include "client/tracer/emit.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "client/tracer/element_promotion.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

// The first element of a literal whose elements have all the same bits.
bool IsSplat(const Literal& literal) {
  const int64_t size = ByteSize(literal.shape().element_type());
  const int64_t bytes = literal.shape().byte_size();
  return bytes > 0 && std::memcmp(literal.bytes(), literal.bytes() + size,
                                  bytes - size) == 0;
}

Attribute SplatElements(const Shape& shape, Literal scalar) {
  if (shape.element_count() == 0) {
    return Attribute::FromLiteral(Literal(shape));
  }
  return Attribute::Elements{
      shape, std::make_shared<const Literal>(std::move(scalar)), true};
}

ValueOr AddConstant(Trace& trace, Attribute value) {
  return trace.Build({.name = "stablehlo.constant",
                      .operands = {},
                      .attributes = {{"value", std::move(value)}}});
}

absl::string_view ComparisonType(ElementType type) {
  if (IsSignedInteger(type)) return "SIGNED";
  return IsInteger(type) || type == ElementType::kPred ? "UNSIGNED" : "FLOAT";
}

// A shape-changing op on a value whose elements are all equal.
ValueOr ReshapedSplat(Trace& trace, const TraceValue* x,
                      absl::Span<const int64_t> dims) {
  ASSIGN_OR_RETURN(const Shape shape,
                   Shape::Create(x->shape().element_type(), dims));
  ASSIGN_OR_RETURN(TraceValue * value, EmitSplat(trace, shape, *x->splat));
  value->splat = x->splat;
  value->is_weak = x->is_weak;
  return value;
}

// A value made of `sources` is weakly typed when all of them are.
ValueOr WeakLike(ValueOr value, absl::Span<TraceValue* const> sources) {
  RETURN_IF_ERROR(value.status());
  (*value)->is_weak =
      std::all_of(sources.begin(), sources.end(),
                  [](const TraceValue* source) { return source->is_weak; });
  return value;
}

}  // namespace

ValueOr EmitSplat(Trace& trace, const Shape& shape, const Literal& scalar) {
  const Literal typed = ConvertScalar(scalar, shape.element_type());
  ASSIGN_OR_RETURN(TraceValue * value,
                   AddConstant(trace, SplatElements(shape, typed)));
  value->splat = std::make_shared<const Literal>(typed);
  return value;
}

ValueOr EmitNumber(Trace& trace, const Shape& shape, double number) {
  return EmitSplat(trace, shape, Literal::Scalar(number));
}

ValueOr EmitConstant(Trace& trace, const Literal& literal) {
  if (!IsSplat(literal)) {
    return AddConstant(trace, Attribute::FromLiteral(literal));
  }
  Literal first(Shape(literal.shape().element_type(), {}));
  std::memcpy(first.mutable_bytes(), literal.bytes(),
              static_cast<size_t>(first.shape().byte_size()));
  ASSIGN_OR_RETURN(TraceValue * value,
                   AddConstant(trace, SplatElements(literal.shape(), first)));
  if (literal.shape().rank() == 0) {
    value->splat = std::make_shared<const Literal>(literal);
  }
  return value;
}

ValueOr EmitWeakScalar(Trace& trace, const Literal& scalar) {
  ASSIGN_OR_RETURN(TraceValue * value,
                   EmitSplat(trace, Shape(DefaultTypeOf(scalar), {}), scalar));
  // Keeps all digits until it meets a type.
  value->splat = std::make_shared<const Literal>(scalar);
  value->is_weak = true;
  return value;
}

ValueOr EmitUnary(Trace& trace, absl::string_view op, ValueOr x) {
  RETURN_IF_ERROR(x.status());
  ASSIGN_OR_RETURN(TraceValue * value,
                   trace.Build({.name = op, .operands = {*x}}));
  value->is_weak = (*x)->is_weak && value->shape() == (*x)->shape();
  return value;
}

ValueOr EmitBinary(Trace& trace, absl::string_view op, ValueOr a, ValueOr b) {
  RETURN_IF_ERROR(a.status());
  RETURN_IF_ERROR(b.status());
  return WeakLike(trace.Build({.name = op, .operands = {*a, *b}}), {*a, *b});
}

ValueOr EmitCompare(Trace& trace, absl::string_view direction, ValueOr a,
                    ValueOr b) {
  RETURN_IF_ERROR(a.status());
  RETURN_IF_ERROR(b.status());
  const absl::string_view type = ComparisonType((*a)->shape().element_type());
  return trace.Build(
      {.name = "stablehlo.compare",
       .operands = {*a, *b},
       .attributes = {
           {"comparison_direction",
            Attribute::Enum{"comparison_direction", std::string(direction)}},
           {"compare_type",
            Attribute::Enum{"comparison_type", std::string(type)}}}});
}

ValueOr EmitSelect(Trace& trace, ValueOr predicate, ValueOr a, ValueOr b) {
  RETURN_IF_ERROR(predicate.status());
  RETURN_IF_ERROR(a.status());
  RETURN_IF_ERROR(b.status());
  return WeakLike(trace.Build({.name = "stablehlo.select",
                               .operands = {*predicate, *a, *b}}),
                  {*a, *b});
}

ValueOr EmitConvert(Trace& trace, ValueOr x, ElementType type) {
  RETURN_IF_ERROR(x.status());
  if ((*x)->shape().element_type() == type) return x;
  const Shape result(type, (*x)->shape().dims());
  if ((*x)->splat != nullptr) {
    return EmitSplat(trace, result, ConvertScalar(*(*x)->splat, type));
  }
  return trace.Build(
      {.name = "stablehlo.convert", .operands = {*x}, .result = result});
}

ValueOr EmitBroadcastInDim(Trace& trace, ValueOr x,
                           absl::Span<const int64_t> dims,
                           absl::Span<const int64_t> result_dims) {
  RETURN_IF_ERROR(x.status());
  if ((*x)->shape().dims() == result_dims &&
      std::is_sorted(dims.begin(), dims.end())) {
    return x;
  }
  if ((*x)->splat != nullptr) return ReshapedSplat(trace, *x, result_dims);
  ASSIGN_OR_RETURN(const Shape result,
                   Shape::Create((*x)->shape().element_type(), result_dims));
  return WeakLike(trace.Build({.name = "stablehlo.broadcast_in_dim",
                               .operands = {*x},
                               .attributes = {{"broadcast_dimensions",
                                               Attribute::I64Array(dims)}},
                               .result = result}),
                  {*x});
}

ValueOr EmitBroadcastTo(Trace& trace, ValueOr x,
                        absl::Span<const int64_t> result_dims) {
  RETURN_IF_ERROR(x.status());
  std::vector<int64_t> dims;
  const int64_t rank = static_cast<int64_t>(result_dims.size());
  for (int64_t i = rank - (*x)->shape().rank(); i < rank; ++i) {
    dims.push_back(i);
  }
  return EmitBroadcastInDim(trace, x, dims, result_dims);
}

ValueOr EmitReshape(Trace& trace, ValueOr x,
                    absl::Span<const int64_t> result_dims) {
  RETURN_IF_ERROR(x.status());
  if ((*x)->shape().dims() == result_dims) return x;
  if ((*x)->splat != nullptr) return ReshapedSplat(trace, *x, result_dims);
  ASSIGN_OR_RETURN(const Shape result,
                   Shape::Create((*x)->shape().element_type(), result_dims));
  return WeakLike(
      trace.Build(
          {.name = "stablehlo.reshape", .operands = {*x}, .result = result}),
      {*x});
}

ValueOr EmitTranspose(Trace& trace, ValueOr x,
                      absl::Span<const int64_t> permutation) {
  RETURN_IF_ERROR(x.status());
  if (std::is_sorted(permutation.begin(), permutation.end())) return x;
  if ((*x)->splat != nullptr) {
    Dims dims;
    for (int64_t from : permutation) dims.push_back((*x)->shape().dim(from));
    return ReshapedSplat(trace, *x, dims);
  }
  return WeakLike(
      trace.Build(
          {.name = "stablehlo.transpose",
           .operands = {*x},
           .attributes = {{"permutation", Attribute::I64Array(permutation)}}}),
      {*x});
}

ValueOr EmitConcatenate(Trace& trace, const std::vector<TraceValue*>& parts,
                        int64_t dim) {
  if (parts.size() == 1) return parts[0];
  return WeakLike(
      trace.Build({.name = "stablehlo.concatenate",
                   .operands = parts,
                   .attributes = {{"dimension", Attribute::I64(dim)}}}),
      parts);
}

ValueOr EmitDynamicSlice(Trace& trace, TraceValue* x,
                         const std::vector<TraceValue*>& starts,
                         absl::Span<const int64_t> sizes) {
  std::vector<TraceValue*> operands = {x};
  operands.insert(operands.end(), starts.begin(), starts.end());
  return trace.Build(
      {.name = "stablehlo.dynamic_slice",
       .operands = std::move(operands),
       .attributes = {{"slice_sizes", Attribute::I64Array(sizes)}}});
}

ValueOr EmitDynamicUpdateSlice(Trace& trace, TraceValue* x, TraceValue* update,
                               const std::vector<TraceValue*>& starts) {
  std::vector<TraceValue*> operands = {x, update};
  operands.insert(operands.end(), starts.begin(), starts.end());
  return trace.Build({.name = "stablehlo.dynamic_update_slice",
                      .operands = std::move(operands)});
}

ValueOr EmitIota(Trace& trace, const Shape& shape, int64_t dim) {
  return trace.Build({.name = "stablehlo.iota",
                      .operands = {},
                      .attributes = {{"iota_dimension", Attribute::I64(dim)}},
                      .result = shape});
}

ValueOr EmitReduce(Trace& trace, ValueOr x, ValueOr initial,
                   absl::string_view op, absl::Span<const int64_t> dims) {
  RETURN_IF_ERROR(x.status());
  RETURN_IF_ERROR(initial.status());
  if (dims.empty()) return x;
  ASSIGN_OR_RETURN(auto body,
                   ReductionBody(trace, op, (*x)->shape().element_type()));
  return trace.Build({.name = "stablehlo.reduce",
                      .operands = {*x, *initial},
                      .attributes = {{"dimensions", Attribute::I64Array(dims)}},
                      .regions = std::move(body)});
}

absl::StatusOr<std::vector<std::unique_ptr<Region>>> ReductionBody(
    Trace& trace, absl::string_view op, ElementType type) {
  const Shape scalar(type, {});
  ASSIGN_OR_RETURN(
      Trace::TracedRegion body,
      trace.BuildRegion({scalar, scalar},
                        [&](const std::vector<TraceValue*>& arguments)
                            -> absl::StatusOr<std::vector<TraceValue*>> {
                          ASSIGN_OR_RETURN(TraceValue * combined,
                                           EmitBinary(trace, op, arguments[0],
                                                      arguments[1]));
                          return std::vector<TraceValue*>{combined};
                        }));
  std::vector<std::unique_ptr<Region>> regions;
  regions.push_back(std::move(body.region));
  return regions;
}

std::string Joined(absl::Span<const int64_t> values) {
  return absl::StrJoin(values, ", ");
}

Dims DimsOf(const TraceValue* value) {
  return Dims(value->shape().dims().begin(), value->shape().dims().end());
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
