#include "client/tracer/elementwise.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "client/tracer/broadcasting.h"
#include "client/tracer/element_promotion.h"
#include "client/tracer/emit.h"
#include "client/tracer/trace.h"
#include "runtime/base/status.h"

namespace lockstep {

using internal::BroadcastDims;
using internal::EmitBinary;
using internal::EmitBroadcastTo;
using internal::EmitCompare;
using internal::EmitConvert;
using internal::EmitNumber;
using internal::EmitSelect;
using internal::EmitSplat;
using internal::EmitUnary;
using internal::InexactType;
using internal::Trace;
using internal::TraceOperation;
using internal::TraceValue;
using internal::Unify;
using internal::ValueOr;

namespace {

// Which element types an operation takes as they are.
enum class Accepts {
  kAny,
  kNumbers,  // not bool
  kFloats,   // floats and complex; integers and bool become floats
};

absl::Status Check(ElementType type, Accepts accepts) {
  if (accepts != Accepts::kNumbers || type != ElementType::kPred) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat("is not defined on ", NumpyName(type)));
}

// An integer as the float that functions of real analysis take.
ValueOr AsFloat(Trace& trace, TraceValue* x) {
  const bool is_weak = x->is_weak;
  ASSIGN_OR_RETURN(
      x, EmitConvert(trace, x, InexactType(x->shape().element_type())));
  x->is_weak = is_weak;
  return x;
}

Tensor Unary(absl::string_view name, absl::string_view op, Accepts accepts,
             const Operand& x) {
  return TraceOperation(name, x.location(), {&x}, [&](Trace& trace) -> ValueOr {
    ASSIGN_OR_RETURN(TraceValue * value, trace.Resolve(x));
    RETURN_IF_ERROR(Check(value->shape().element_type(), accepts));
    if (accepts == Accepts::kFloats) {
      ASSIGN_OR_RETURN(value, AsFloat(trace, value));
    }
    return EmitUnary(trace, op, value);
  });
}

Tensor Binary(absl::string_view name, absl::string_view op, Accepts accepts,
              const Operand& a, const Operand& b) {
  return TraceOperation(
      name, a.location(), {&a, &b}, [&](Trace& trace) -> ValueOr {
        ASSIGN_OR_RETURN(auto values, Unify(trace, {&a, &b}));
        RETURN_IF_ERROR(Check(values[0]->shape().element_type(), accepts));
        if (accepts == Accepts::kFloats) {
          for (TraceValue*& value : values) {
            ASSIGN_OR_RETURN(value, AsFloat(trace, value));
          }
        }
        return EmitBinary(trace, op, values[0], values[1]);
      });
}

// By the real parts, and the imaginary ones where those are equal.
ValueOr CompareComplex(Trace& trace, absl::string_view direction, TraceValue* a,
                       TraceValue* b) {
  ASSIGN_OR_RETURN(TraceValue * real_a, EmitUnary(trace, "stablehlo.real", a));
  ASSIGN_OR_RETURN(TraceValue * real_b, EmitUnary(trace, "stablehlo.real", b));
  ASSIGN_OR_RETURN(TraceValue * are_equal,
                   EmitCompare(trace, "EQ", real_a, real_b));
  ASSIGN_OR_RETURN(TraceValue * imag_a, EmitUnary(trace, "stablehlo.imag", a));
  ASSIGN_OR_RETURN(TraceValue * imag_b, EmitUnary(trace, "stablehlo.imag", b));
  ASSIGN_OR_RETURN(TraceValue * by_imag,
                   EmitCompare(trace, direction, imag_a, imag_b));
  ASSIGN_OR_RETURN(TraceValue * by_real,
                   EmitCompare(trace, direction, real_a, real_b));
  return EmitSelect(trace, are_equal, by_imag, by_real);
}

Tensor Compare(absl::string_view name, absl::string_view direction,
               const Operand& a, const Operand& b) {
  const bool is_equality = direction == "EQ" || direction == "NE";
  return TraceOperation(
      name, a.location(), {&a, &b}, [&](Trace& trace) -> ValueOr {
        ASSIGN_OR_RETURN(auto values, Unify(trace, {&a, &b}));
        if (!is_equality && IsComplex(values[0]->shape().element_type())) {
          return CompareComplex(trace, direction, values[0], values[1]);
        }
        return EmitCompare(trace, direction, values[0], values[1]);
      });
}

ValueOr AsPredicate(Trace& trace, TraceValue* x) {
  if (x->shape().element_type() == ElementType::kPred) return x;
  return EmitCompare(trace, "NE", x, EmitNumber(trace, x->shape(), 0));
}

Tensor Logical(absl::string_view name, absl::string_view op, const Operand& a,
               const Operand& b) {
  return TraceOperation(
      name, a.location(), {&a, &b}, [&](Trace& trace) -> ValueOr {
        ASSIGN_OR_RETURN(auto values, Unify(trace, {&a, &b}));
        ASSIGN_OR_RETURN(TraceValue * lhs, AsPredicate(trace, values[0]));
        ASSIGN_OR_RETURN(TraceValue * rhs, AsPredicate(trace, values[1]));
        return EmitBinary(trace, op, lhs, rhs);
      });
}

Tensor Where(absl::string_view name, const Operand& predicate, const Operand& a,
             const Operand& b) {
  return TraceOperation(
      name, predicate.location(), {&predicate, &a, &b},
      [&](Trace& trace) -> ValueOr {
        ASSIGN_OR_RETURN(TraceValue * p, trace.Resolve(predicate));
        ASSIGN_OR_RETURN(p, AsPredicate(trace, p));
        ASSIGN_OR_RETURN(auto values, Unify(trace, {&a, &b}));
        ASSIGN_OR_RETURN(const Dims dims,
                         BroadcastDims({p->shape(), values[0]->shape(),
                                        values[1]->shape()}));
        for (TraceValue*& value : values) {
          ASSIGN_OR_RETURN(value, EmitBroadcastTo(trace, value, dims));
        }
        if (p->shape().rank() > 0) {
          ASSIGN_OR_RETURN(p, EmitBroadcastTo(trace, p, dims));
        }
        return EmitSelect(trace, p, values[0], values[1]);
      });
}

}  // namespace

Tensor add(const Operand& a, const Operand& b) {
  return Binary("add", "stablehlo.add", Accepts::kAny, a, b);
}
Tensor subtract(const Operand& a, const Operand& b) {
  return Binary("subtract", "stablehlo.subtract", Accepts::kNumbers, a, b);
}
Tensor multiply(const Operand& a, const Operand& b) {
  return Binary("multiply", "stablehlo.multiply", Accepts::kAny, a, b);
}
Tensor divide(const Operand& a, const Operand& b) {
  return Binary("divide", "stablehlo.divide", Accepts::kFloats, a, b);
}
Tensor div(const Operand& a, const Operand& b) {
  return Binary("div", "stablehlo.divide", Accepts::kNumbers, a, b);
}
Tensor maximum(const Operand& a, const Operand& b) {
  return Binary("maximum", "stablehlo.maximum", Accepts::kAny, a, b);
}
Tensor minimum(const Operand& a, const Operand& b) {
  return Binary("minimum", "stablehlo.minimum", Accepts::kAny, a, b);
}
Tensor power(const Operand& a, const Operand& b) {
  return TraceOperation(
      "power", a.location(), {&a, &b}, [&](Trace& trace) -> ValueOr {
        ASSIGN_OR_RETURN(auto values, Unify(trace, {&a, &b}));
        for (TraceValue*& value : values) {
          if (value->shape().element_type() != ElementType::kPred) continue;
          ASSIGN_OR_RETURN(value, EmitConvert(trace, value, ElementType::kS32));
        }
        return EmitBinary(trace, "stablehlo.power", values[0], values[1]);
      });
}

Tensor operator+(const Operand& a, const Operand& b) { return add(a, b); }
Tensor operator-(const Operand& a, const Operand& b) { return subtract(a, b); }
Tensor operator*(const Operand& a, const Operand& b) { return multiply(a, b); }
Tensor operator/(const Operand& a, const Operand& b) { return divide(a, b); }
Tensor operator-(const Operand& x) { return negative(x); }

Tensor& Tensor::operator+=(const Operand& other) {
  return *this = add(Operand(*this, other.location()), other);
}
Tensor& Tensor::operator-=(const Operand& other) {
  return *this = subtract(Operand(*this, other.location()), other);
}
Tensor& Tensor::operator*=(const Operand& other) {
  return *this = multiply(Operand(*this, other.location()), other);
}
Tensor& Tensor::operator/=(const Operand& other) {
  return *this = divide(Operand(*this, other.location()), other);
}

Tensor negative(const Operand& x) {
  return Unary("negative", "stablehlo.negate", Accepts::kNumbers, x);
}
Tensor abs(const Operand& x) {
  return TraceOperation("abs", x.location(), {&x}, [&](Trace& t) -> ValueOr {
    ASSIGN_OR_RETURN(TraceValue * value, t.Resolve(x));
    const ElementType type = value->shape().element_type();
    if (type == ElementType::kPred || IsUnsignedInteger(type)) return value;
    return EmitUnary(t, "stablehlo.abs", value);
  });
}
Tensor sign(const Operand& x) {
  return TraceOperation("sign", x.location(), {&x}, [&](Trace& t) -> ValueOr {
    ASSIGN_OR_RETURN(TraceValue * value, t.Resolve(x));
    const ElementType type = value->shape().element_type();
    RETURN_IF_ERROR(Check(type, Accepts::kNumbers));
    if (!IsUnsignedInteger(type)) return EmitUnary(t, "stablehlo.sign", value);
    return EmitBinary(t, "stablehlo.minimum", value,
                      EmitNumber(t, value->shape(), 1));
  });
}
Tensor exp(const Operand& x) {
  return Unary("exp", "stablehlo.exponential", Accepts::kFloats, x);
}
Tensor log(const Operand& x) {
  return Unary("log", "stablehlo.log", Accepts::kFloats, x);
}
Tensor tanh(const Operand& x) {
  return Unary("tanh", "stablehlo.tanh", Accepts::kFloats, x);
}
Tensor logistic(const Operand& x) {
  return Unary("logistic", "stablehlo.logistic", Accepts::kFloats, x);
}
Tensor sqrt(const Operand& x) {
  return Unary("sqrt", "stablehlo.sqrt", Accepts::kFloats, x);
}
Tensor rsqrt(const Operand& x) {
  return Unary("rsqrt", "stablehlo.rsqrt", Accepts::kFloats, x);
}
Tensor expm1(const Operand& x) {
  return Unary("expm1", "stablehlo.exponential_minus_one", Accepts::kFloats, x);
}
Tensor log1p(const Operand& x) {
  return Unary("log1p", "stablehlo.log_plus_one", Accepts::kFloats, x);
}
Tensor sin(const Operand& x) {
  return Unary("sin", "stablehlo.sine", Accepts::kFloats, x);
}
Tensor cos(const Operand& x) {
  return Unary("cos", "stablehlo.cosine", Accepts::kFloats, x);
}
Tensor tan(const Operand& x) {
  return Unary("tan", "stablehlo.tan", Accepts::kFloats, x);
}
Tensor cbrt(const Operand& x) {
  return Unary("cbrt", "stablehlo.cbrt", Accepts::kFloats, x);
}
Tensor floor(const Operand& x) {
  return Unary("floor", "stablehlo.floor", Accepts::kFloats, x);
}
Tensor ceil(const Operand& x) {
  return Unary("ceil", "stablehlo.ceil", Accepts::kFloats, x);
}
Tensor round(const Operand& x) {
  return Unary("round", "stablehlo.round_nearest_even", Accepts::kFloats, x);
}
Tensor square(const Operand& x) {
  return Binary("square", "stablehlo.multiply", Accepts::kAny, x, x);
}
Tensor isfinite(const Operand& x) {
  constexpr absl::string_view kIsFinite = "stablehlo.is_finite";
  return TraceOperation(
      "isfinite", x.location(), {&x}, [&](Trace& trace) -> ValueOr {
        ASSIGN_OR_RETURN(TraceValue * value, trace.Resolve(x));
        const ElementType type = value->shape().element_type();
        if (IsComplex(type)) {
          ASSIGN_OR_RETURN(TraceValue * real,
                           EmitUnary(trace, "stablehlo.real", value));
          ASSIGN_OR_RETURN(TraceValue * imag,
                           EmitUnary(trace, "stablehlo.imag", value));
          ASSIGN_OR_RETURN(real, EmitUnary(trace, kIsFinite, real));
          return EmitBinary(trace, "stablehlo.and", real,
                            EmitUnary(trace, kIsFinite, imag));
        }
        if (IsFloat(type)) return EmitUnary(trace, kIsFinite, value);
        return EmitNumber(trace,
                          Shape(ElementType::kPred, value->shape().dims()), 1);
      });
}

Tensor equal(const Operand& a, const Operand& b) {
  return Compare("equal", "EQ", a, b);
}
Tensor not_equal(const Operand& a, const Operand& b) {
  return Compare("not_equal", "NE", a, b);
}
Tensor less(const Operand& a, const Operand& b) {
  return Compare("less", "LT", a, b);
}
Tensor less_equal(const Operand& a, const Operand& b) {
  return Compare("less_equal", "LE", a, b);
}
Tensor greater(const Operand& a, const Operand& b) {
  return Compare("greater", "GT", a, b);
}
Tensor greater_equal(const Operand& a, const Operand& b) {
  return Compare("greater_equal", "GE", a, b);
}
Tensor operator==(const Operand& a, const Operand& b) { return equal(a, b); }
Tensor operator!=(const Operand& a, const Operand& b) {
  return not_equal(a, b);
}
Tensor operator<(const Operand& a, const Operand& b) { return less(a, b); }
Tensor operator<=(const Operand& a, const Operand& b) {
  return less_equal(a, b);
}
Tensor operator>(const Operand& a, const Operand& b) { return greater(a, b); }
Tensor operator>=(const Operand& a, const Operand& b) {
  return greater_equal(a, b);
}

Tensor logical_and(const Operand& a, const Operand& b) {
  return Logical("logical_and", "stablehlo.and", a, b);
}
Tensor logical_or(const Operand& a, const Operand& b) {
  return Logical("logical_or", "stablehlo.or", a, b);
}
Tensor logical_not(const Operand& x) {
  return TraceOperation(
      "logical_not", x.location(), {&x}, [&](Trace& trace) -> ValueOr {
        ASSIGN_OR_RETURN(TraceValue * value, trace.Resolve(x));
        return EmitUnary(trace, "stablehlo.not", AsPredicate(trace, value));
      });
}

Tensor where(const Operand& predicate, const Operand& a, const Operand& b) {
  return Where("where", predicate, a, b);
}
Tensor select(const Operand& predicate, const Operand& a, const Operand& b) {
  return Where("select", predicate, a, b);
}
Tensor clip(const Operand& x, const Operand& low, const Operand& high) {
  return minimum(Operand(maximum(x, low), x.location()), high);
}

Tensor astype(const Operand& x, ElementType type) {
  return TraceOperation(
      "astype", x.location(), {&x}, [&](Trace& trace) -> ValueOr {
        ASSIGN_OR_RETURN(TraceValue * value, trace.Resolve(x));
        if (value->is_weak && value->splat != nullptr) {
          return EmitSplat(trace, Shape(type, value->shape().dims()),
                           *value->splat);
        }
        return EmitConvert(trace, value, type);
      });
}

}  // namespace lockstep
