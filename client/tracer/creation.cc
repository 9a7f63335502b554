#include "client/tracer/creation.h"

#include "absl/strings/str_cat.h"
#include "client/tracer/emit.h"
#include "client/tracer/trace.h"
#include "runtime/base/status.h"

namespace lockstep {

using internal::CheckedDim;
using internal::DimsOf;
using internal::EmitBroadcastInDim;
using internal::EmitBroadcastTo;
using internal::EmitCompare;
using internal::EmitConstant;
using internal::EmitConvert;
using internal::EmitIota;
using internal::EmitNumber;
using internal::EmitSplat;
using internal::Trace;
using internal::TraceOperation;
using internal::TraceValue;
using internal::ValueOr;

namespace {

Tensor Fill(absl::string_view name, const SourceLocation& location,
            const std::vector<int64_t>& dims, ElementType type, double number) {
  return TraceOperation(name, location, {}, [&](Trace& trace) -> ValueOr {
    ASSIGN_OR_RETURN(const Shape shape, Shape::Create(type, dims));
    return EmitNumber(trace, shape, number);
  });
}

}  // namespace

Tensor constant(const Literal& value, SourceLocation location) {
  return TraceOperation("constant", location, {}, [&](Trace& trace) -> ValueOr {
    return EmitConstant(trace, value);
  });
}

Tensor asarray(const Operand& x) {
  return TraceOperation("asarray", x.location(), {&x},
                        [&](Trace& trace) { return trace.Resolve(x); });
}

Tensor full(const std::vector<int64_t>& dims, const Operand& value,
            ElementType type) {
  return TraceOperation(
      "full", value.location(), {&value}, [&](Trace& trace) -> ValueOr {
        ASSIGN_OR_RETURN(const Shape shape, Shape::Create(type, dims));
        ASSIGN_OR_RETURN(TraceValue * scalar, trace.Resolve(value));
        if (scalar->shape().rank() != 0) {
          return absl::InvalidArgumentError(
              absl::StrCat("the value must be a scalar, found ",
                           scalar->shape().ToString()));
        }
        if (scalar->splat != nullptr) {
          return EmitSplat(trace, shape, *scalar->splat);
        }
        return EmitBroadcastTo(trace, EmitConvert(trace, scalar, type), dims);
      });
}

Tensor zeros(const std::vector<int64_t>& dims, ElementType type,
             SourceLocation location) {
  return Fill("zeros", location, dims, type, 0);
}

Tensor ones(const std::vector<int64_t>& dims, ElementType type,
            SourceLocation location) {
  return Fill("ones", location, dims, type, 1);
}

Tensor zeros_like(const Operand& x) {
  return TraceOperation(
      "zeros_like", x.location(), {&x}, [&](Trace& trace) -> ValueOr {
        ASSIGN_OR_RETURN(TraceValue * value, trace.Resolve(x));
        return EmitNumber(trace, value->shape(), 0);
      });
}

Tensor ones_like(const Operand& x) {
  return TraceOperation(
      "ones_like", x.location(), {&x}, [&](Trace& trace) -> ValueOr {
        ASSIGN_OR_RETURN(TraceValue * value, trace.Resolve(x));
        return EmitNumber(trace, value->shape(), 1);
      });
}

Tensor iota(const std::vector<int64_t>& dims, int64_t dim, ElementType type,
            SourceLocation location) {
  return TraceOperation("iota", location, {}, [&](Trace& trace) -> ValueOr {
    ASSIGN_OR_RETURN(const Shape shape, Shape::Create(type, dims));
    ASSIGN_OR_RETURN(const int64_t along, CheckedDim(dim, shape.rank()));
    if (type == ElementType::kPred) {
      return absl::InvalidArgumentError("is not defined on bool");
    }
    return EmitIota(trace, shape, along);
  });
}

Tensor arange(int64_t size, ElementType type, SourceLocation location) {
  return iota({size}, 0, type, location);
}

Tensor one_hot(const Operand& labels, int64_t classes, ElementType type) {
  return TraceOperation(
      "one_hot", labels.location(), {&labels}, [&](Trace& trace) -> ValueOr {
        ASSIGN_OR_RETURN(TraceValue * label, trace.Resolve(labels));
        if (!IsInteger(label->shape().element_type())) {
          return absl::InvalidArgumentError(absl::StrCat(
              "labels must be integers, found ", label->shape().ToString()));
        }
        Dims dims = DimsOf(label);
        const int64_t rank = label->shape().rank();
        std::vector<int64_t> kept;
        for (int64_t i = 0; i < rank; ++i) kept.push_back(i);
        dims.push_back(classes);
        ASSIGN_OR_RETURN(const Shape shape,
                         Shape::Create(label->shape().element_type(), dims));
        ASSIGN_OR_RETURN(TraceValue * spread,
                         EmitBroadcastInDim(trace, label, kept, dims));
        ASSIGN_OR_RETURN(TraceValue * index, EmitIota(trace, shape, rank));
        return EmitConvert(trace, EmitCompare(trace, "EQ", spread, index),
                           type);
      });
}

}  // namespace lockstep
