#ifndef LOCKSTEP_RUNTIME_OPS_CHLO_FORMS_H_
#define LOCKSTEP_RUNTIME_OPS_CHLO_FORMS_H_

#include <complex>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>

#include "runtime/ops/elementwise.h"
#include "runtime/types/scalar_math.h"

namespace lockstep::internal {

// What the ops of the chlo dialect share: mathematical functions above
// StableHLO, with a pretty form of their own.

// "%a, %b : T, T -> U"; also "(T, T) -> U".
AssemblyForm ArrowForm(int operand_count);

// A function of double (or of complex<double>) for narrower types too: rounded
// once to the type.
template <typename F>
struct ThroughDouble {
  F f;

  template <typename... T>
  auto operator()(T... x) const {
    using First = std::tuple_element_t<0, std::tuple<T...>>;
    if constexpr (std::is_same_v<First, std::complex<float>>) {
      return First(f(std::complex<double>(x)...));
    } else if constexpr (std::is_same_v<First, float>) {
      return static_cast<float>(f(static_cast<double>(x)...));
    } else {
      return f(x...);
    }
  }
};

// An elementwise op of one (two) operands of kTypes, with a result of their
// type; `f` takes double and, when kTypes has complex types, complex<double>.
template <ElementTypes kTypes, typename F>
OpDef ChloUnary(std::string name, F f) {
  return OpDef(std::move(name), OpKind::kElementwise)
      .Assembly(ArrowForm(1))
      .Infer(InferSameType(1, kTypes))
      .Evaluate(EvaluateUnary<kTypes>(ThroughDouble<F>{f}))
      .Sharding(PointwiseSharding());
}
template <ElementTypes kTypes, typename F>
OpDef ChloBinary(std::string name, F f) {
  return OpDef(std::move(name), OpKind::kElementwise)
      .Assembly(ArrowForm(2))
      .Infer(InferSameType(2, kTypes))
      .Evaluate(EvaluateBinary<kTypes>(ThroughDouble<F>{f}))
      .Sharding(PointwiseSharding());
}

// An emission of one operand that is made of several scalar operations: f16 and
// bf16 go through f32 and are rounded once. `emit` gets an f32 or an f64.
OpDef::EmitFn EmitComposed(std::function<int(ScalarBuilder&, int)> emit);
// For EmitWhen: the first operand is a float, not a complex number.
bool HasFloatOperand(const Op& op);

// Scalar operations in the way they are written, for composed emissions. All
// operands of a ScalarTerm belong to one builder.
class ScalarTerm {
 public:
  ScalarTerm(ScalarBuilder& builder, int scalar)
      : builder_(&builder), scalar_(scalar) {}

  int scalar() const { return scalar_; }
  ScalarBuilder& builder() const { return *builder_; }
  ElementType type() const { return builder_->TypeOf(scalar_); }
  // A constant of this term's type.
  ScalarTerm Number(double value) const {
    return {*builder_, builder_->Constant(type(), value)};
  }
  ScalarTerm Apply(UnaryScalarOp op) const {
    return {*builder_, builder_->Unary(op, scalar_)};
  }
  ScalarTerm Apply(BinaryScalarOp op, const ScalarTerm& y) const {
    return {*builder_, builder_->Binary(op, scalar_, y.scalar_)};
  }
  ScalarTerm Is(ScalarComparison comparison, const ScalarTerm& y) const {
    return {*builder_,
            builder_->Compare(comparison, false, scalar_, y.scalar_)};
  }
  ScalarTerm Is(ScalarComparison comparison, double y) const {
    return Is(comparison, Number(y));
  }
  // This term, a predicate, chooses.
  ScalarTerm Choose(const ScalarTerm& on_true,
                    const ScalarTerm& on_false) const {
    return {*builder_,
            builder_->Select(scalar_, on_true.scalar_, on_false.scalar_)};
  }

  friend ScalarTerm operator+(const ScalarTerm& x, const ScalarTerm& y) {
    return x.Apply(BinaryScalarOp::kAdd, y);
  }
  friend ScalarTerm operator-(const ScalarTerm& x, const ScalarTerm& y) {
    return x.Apply(BinaryScalarOp::kSubtract, y);
  }
  friend ScalarTerm operator*(const ScalarTerm& x, const ScalarTerm& y) {
    return x.Apply(BinaryScalarOp::kMultiply, y);
  }
  friend ScalarTerm operator/(const ScalarTerm& x, const ScalarTerm& y) {
    return x.Apply(BinaryScalarOp::kDivide, y);
  }
  friend ScalarTerm operator+(const ScalarTerm& x, double y) {
    return x + x.Number(y);
  }
  friend ScalarTerm operator-(const ScalarTerm& x, double y) {
    return x - x.Number(y);
  }
  friend ScalarTerm operator*(double x, const ScalarTerm& y) {
    return y.Number(x) * y;
  }
  friend ScalarTerm operator-(double x, const ScalarTerm& y) {
    return y.Number(x) - y;
  }
  friend ScalarTerm operator/(double x, const ScalarTerm& y) {
    return y.Number(x) / y;
  }
  ScalarTerm operator-() const { return Apply(UnaryScalarOp::kNegate); }

 private:
  ScalarBuilder* builder_;
  int scalar_;
};

inline ScalarTerm Sqrt(const ScalarTerm& x) {
  return x.Apply(UnaryScalarOp::kSqrt);
}
inline ScalarTerm Exp(const ScalarTerm& x) {
  return x.Apply(UnaryScalarOp::kExponential);
}
inline ScalarTerm Expm1(const ScalarTerm& x) {
  return x.Apply(UnaryScalarOp::kExponentialMinusOne);
}
inline ScalarTerm Log(const ScalarTerm& x) {
  return x.Apply(UnaryScalarOp::kLog);
}
inline ScalarTerm Log1p(const ScalarTerm& x) {
  return x.Apply(UnaryScalarOp::kLogPlusOne);
}
inline ScalarTerm Abs(const ScalarTerm& x) {
  return x.Apply(UnaryScalarOp::kAbs);
}
inline ScalarTerm Sign(const ScalarTerm& x) {
  return x.Apply(UnaryScalarOp::kSign);
}
inline ScalarTerm Floor(const ScalarTerm& x) {
  return x.Apply(UnaryScalarOp::kFloor);
}
inline ScalarTerm Atan2(const ScalarTerm& y, const ScalarTerm& x) {
  return y.Apply(BinaryScalarOp::kAtan2, x);
}

// EmitComposed for a function of a term.
template <typename F>
OpDef::EmitFn EmitTerm(F f) {
  return EmitComposed([f](ScalarBuilder& builder, int x) {
    return f(ScalarTerm(builder, x)).scalar();
  });
}

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_OPS_CHLO_FORMS_H_
