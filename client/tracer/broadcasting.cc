#include "client/tracer/broadcasting.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "client/tracer/element_promotion.h"
#include "client/tracer/emit.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

absl::Status DoNotBroadcast(absl::Span<const Shape> shapes) {
  return absl::InvalidArgumentError(absl::StrCat(
      "shapes do not broadcast: ",
      absl::StrJoin(shapes, ", ", [](std::string* out, const Shape& shape) {
        *out += shape.ToString();
      })));
}

}  // namespace

absl::StatusOr<Dims> BroadcastDims(absl::Span<const Shape> shapes) {
  int64_t rank = 0;
  for (const Shape& shape : shapes) rank = std::max(rank, shape.rank());
  Dims dims(rank, 1);
  for (const Shape& shape : shapes) {
    const int64_t offset = rank - shape.rank();
    for (int64_t i = 0; i < shape.rank(); ++i) {
      const int64_t size = shape.dim(i);
      int64_t& common = dims[offset + i];
      if (size == common || size == 1) continue;
      if (common != 1) return DoNotBroadcast(shapes);
      common = size;
    }
  }
  return dims;
}

absl::StatusOr<std::vector<TraceValue*>> Promote(
    Trace& trace, std::vector<TraceValue*> values) {
  std::vector<PromotedType> types;
  for (const TraceValue* value : values) {
    types.push_back({value->shape().element_type(), value->is_weak});
  }
  ASSIGN_OR_RETURN(const PromotedType common, CommonType(types));
  const bool are_numbers =
      std::all_of(values.begin(), values.end(),
                  [](const TraceValue* value) { return value->is_weak; });
  for (TraceValue*& value : values) {
    if (value->is_weak && value->splat != nullptr && !are_numbers) {
      ASSIGN_OR_RETURN(const Literal fitted,
                       FitScalar(*value->splat, common.type));
      ASSIGN_OR_RETURN(
          value,
          EmitSplat(trace, Shape(common.type, value->shape().dims()), fitted));
      value->is_weak = common.is_weak;
      continue;
    }
    if (value->shape().element_type() == common.type) continue;
    if (value->exact != nullptr) value = value->exact;
    ASSIGN_OR_RETURN(value, EmitConvert(trace, value, common.type));
    value->is_weak = common.is_weak;
  }
  return values;
}

absl::StatusOr<std::vector<TraceValue*>> Unify(
    Trace& trace, absl::Span<const Operand* const> operands) {
  std::vector<TraceValue*> values;
  for (const Operand* operand : operands) {
    ASSIGN_OR_RETURN(TraceValue * value, trace.Resolve(*operand));
    values.push_back(value);
  }
  ASSIGN_OR_RETURN(values, Promote(trace, std::move(values)));
  std::vector<Shape> shapes;
  for (const TraceValue* value : values) shapes.push_back(value->shape());
  ASSIGN_OR_RETURN(const Dims dims, BroadcastDims(shapes));
  for (TraceValue*& value : values) {
    ASSIGN_OR_RETURN(value, EmitBroadcastTo(trace, value, dims));
  }
  return values;
}

}  // namespace lockstep::internal
