#include "client/tracer/reductions.h"

#include <algorithm>
#include <complex>
#include <limits>
#include <numeric>

#include "absl/strings/str_cat.h"
#include "client/tracer/element_promotion.h"
#include "client/tracer/emit.h"
#include "client/tracer/trace.h"
#include "runtime/base/status.h"

namespace lockstep {

using internal::CheckedDims;
using internal::ConvertScalar;
using internal::DimsOf;
using internal::EmitBinary;
using internal::EmitBroadcastInDim;
using internal::EmitCompare;
using internal::EmitConstant;
using internal::EmitConvert;
using internal::EmitIota;
using internal::EmitNumber;
using internal::EmitReduce;
using internal::EmitReshape;
using internal::EmitSelect;
using internal::InexactType;
using internal::Trace;
using internal::TraceOperation;
using internal::TraceValue;
using internal::ValueOr;

namespace {

absl::StatusOr<std::vector<int64_t>> Resolved(const ReducedDims& dims,
                                              int64_t rank) {
  if (!dims.dims().has_value()) {
    std::vector<int64_t> all(rank);
    std::iota(all.begin(), all.end(), 0);
    return all;
  }
  ASSIGN_OR_RETURN(auto checked, CheckedDims(*dims.dims(), rank));
  std::sort(checked.begin(), checked.end());
  return checked;
}

ElementType SumType(ElementType type) {
  if (type == ElementType::kPred) return ElementType::kS32;
  if (!IsInteger(type) || ByteSize(type) >= 4) return type;
  return IsSignedInteger(type) ? ElementType::kS32 : ElementType::kU32;
}

// The value that changes no maximum (minimum).
Literal Extreme(ElementType type, bool lowest) {
  return DispatchElementType(type, [&]<typename T>(std::type_identity<T>) {
    using Limits = std::numeric_limits<T>;
    if constexpr (std::is_integral_v<T>) {
      return Literal::Scalar(lowest ? Limits::min() : Limits::max());
    } else if constexpr (kIsSmallInt<T>) {
      return Literal::Scalar(T(lowest ? T::kMin : T::kMax));
    } else {
      const double infinity = std::numeric_limits<double>::infinity();
      return ConvertScalar(Literal::Scalar(lowest ? -infinity : infinity),
                           type);
    }
  });
}

Dims KeptDims(const TraceValue* x, const std::vector<int64_t>& reduced) {
  Dims dims = DimsOf(x);
  for (int64_t dim : reduced) dims[dim] = 1;
  return dims;
}

int64_t CountOf(const TraceValue* x, const std::vector<int64_t>& reduced) {
  int64_t count = 1;
  for (int64_t dim : reduced) count *= x->shape().dim(dim);
  return count;
}

Tensor OnDims(absl::string_view name, const Operand& x, const ReducedDims& dims,
              bool keep_dims,
              const std::function<ValueOr(Trace&, TraceValue*,
                                          const std::vector<int64_t>&)>& body) {
  return TraceOperation(name, x.location(), {&x}, [&](Trace& trace) -> ValueOr {
    ASSIGN_OR_RETURN(TraceValue * value, trace.Resolve(x));
    ASSIGN_OR_RETURN(const auto reduced, Resolved(dims, value->shape().rank()));
    ASSIGN_OR_RETURN(TraceValue * result, body(trace, value, reduced));
    if (!keep_dims) return result;
    return EmitReshape(trace, result, KeptDims(value, reduced));
  });
}

ValueOr Sum(Trace& trace, TraceValue* x, ElementType type,
            const std::vector<int64_t>& dims) {
  ASSIGN_OR_RETURN(TraceValue * zero, EmitNumber(trace, Shape(type, {}), 0));
  return EmitReduce(trace, EmitConvert(trace, x, type), zero, "stablehlo.add",
                    dims);
}

ValueOr Extremum(Trace& trace, TraceValue* x, bool is_max,
                 const std::vector<int64_t>& dims) {
  const ElementType type = x->shape().element_type();
  if (IsComplex(type)) {
    return absl::InvalidArgumentError(
        absl::StrCat("is not defined on ", NumpyName(type)));
  }
  return EmitReduce(trace, x, EmitConstant(trace, Extreme(type, is_max)),
                    is_max ? "stablehlo.maximum" : "stablehlo.minimum", dims);
}

Tensor Logical(absl::string_view name, absl::string_view op, bool initial,
               const Operand& x, const ReducedDims& dims) {
  return OnDims(
      name, x, dims, false,
      [&](Trace& trace, TraceValue* value, const auto& reduced) -> ValueOr {
        if (value->shape().element_type() != ElementType::kPred) {
          ASSIGN_OR_RETURN(value,
                           EmitCompare(trace, "NE", value,
                                       EmitNumber(trace, value->shape(), 0)));
        }
        return EmitReduce(trace, value,
                          EmitConstant(trace, Literal::Scalar(initial)), op,
                          reduced);
      });
}

}  // namespace

Tensor sum(const Operand& x, const ReducedDims& dims, bool keep_dims) {
  return OnDims("sum", x, dims, keep_dims,
                [](Trace& trace, TraceValue* value, const auto& reduced) {
                  return Sum(trace, value,
                             SumType(value->shape().element_type()), reduced);
                });
}

Tensor max(const Operand& x, const ReducedDims& dims, bool keep_dims) {
  return OnDims("max", x, dims, keep_dims,
                [](Trace& trace, TraceValue* value, const auto& reduced) {
                  return Extremum(trace, value, true, reduced);
                });
}

Tensor min(const Operand& x, const ReducedDims& dims, bool keep_dims) {
  return OnDims("min", x, dims, keep_dims,
                [](Trace& trace, TraceValue* value, const auto& reduced) {
                  return Extremum(trace, value, false, reduced);
                });
}

Tensor mean(const Operand& x, const ReducedDims& dims, bool keep_dims) {
  return OnDims(
      "mean", x, dims, keep_dims,
      [](Trace& trace, TraceValue* value, const auto& reduced) -> ValueOr {
        const ElementType type = InexactType(value->shape().element_type());
        ASSIGN_OR_RETURN(TraceValue * total, Sum(trace, value, type, reduced));
        return EmitBinary(
            trace, "stablehlo.divide", total,
            EmitNumber(trace, total->shape(),
                       static_cast<double>(CountOf(value, reduced))));
      });
}

Tensor any(const Operand& x, const ReducedDims& dims) {
  return Logical("any", "stablehlo.or", false, x, dims);
}

Tensor all(const Operand& x, const ReducedDims& dims) {
  return Logical("all", "stablehlo.and", true, x, dims);
}

Tensor argmax(const Operand& x, int64_t dim) {
  return OnDims(
      "argmax", x, dim, false,
      [](Trace& trace, TraceValue* value, const auto& reduced) -> ValueOr {
        const int64_t size = value->shape().dim(reduced[0]);
        if (size == 0) {
          return absl::InvalidArgumentError(
              absl::StrCat("dimension ", reduced[0], " has no elements"));
        }
        ASSIGN_OR_RETURN(TraceValue * top,
                         Extremum(trace, value, true, reduced));
        std::vector<int64_t> kept;
        for (int64_t i = 0; i < value->shape().rank(); ++i) {
          if (i != reduced[0]) kept.push_back(i);
        }
        ASSIGN_OR_RETURN(
            top, EmitBroadcastInDim(trace, top, kept, value->shape().dims()));
        ASSIGN_OR_RETURN(TraceValue * is_equal,
                         EmitCompare(trace, "EQ", value, top));
        ASSIGN_OR_RETURN(TraceValue * is_nan,
                         EmitCompare(trace, "NE", value, value));
        ASSIGN_OR_RETURN(TraceValue * is_top,
                         EmitBinary(trace, "stablehlo.or", is_equal, is_nan));
        const Shape indices(ElementType::kS32, value->shape().dims());
        ASSIGN_OR_RETURN(TraceValue * index,
                         EmitIota(trace, indices, reduced[0]));
        ASSIGN_OR_RETURN(
            index,
            EmitSelect(trace, is_top, index,
                       EmitNumber(trace, indices, static_cast<double>(size))));
        ValueOr last = EmitNumber(trace, Shape(ElementType::kS32, {}),
                                  static_cast<double>(size));
        return EmitReduce(trace, index, last, "stablehlo.minimum", reduced);
      });
}

}  // namespace lockstep
