#ifndef LOCKSTEP_RUNTIME_OPS_ELEMENTWISE_H_
#define LOCKSTEP_RUNTIME_OPS_ELEMENTWISE_H_

#include <string>
#include <type_traits>
#include <utility>

#include "runtime/ir/op_def.h"
#include "runtime/ops/assembly/assembly_forms.h"
#include "runtime/ops/checks/operand_checks.h"
#include "runtime/ops/element_types.h"
#include "runtime/ops/evaluation/evaluation.h"
#include "runtime/ops/scalar_builder.h"
#include "runtime/ops/sharding/pointwise_sharding.h"

namespace lockstep::internal {

// The result has the type of the operands, which are `operand_count` of one
// type, of `types`.
OpDef::InferFn InferSameType(int operand_count, ElementTypes types);
// As InferSameType with one operand; the result's elements are the real type of
// the operand's (abs), or `element_type` (is_finite).
OpDef::InferFn InferRealType(ElementTypes types);
OpDef::InferFn InferElementType(ElementTypes types, ElementType element_type);

// Calls f with the native type of `type`, which must be in kTypes.
template <ElementTypes kTypes, typename F>
absl::Status DispatchTypes(const Op& op, ElementType type, F&& f) {
  return DispatchElementType(
      type, [&]<typename T>(std::type_identity<T> native) -> absl::Status {
        if constexpr (kTypes.Contains(ElementTypeOf<T>::value)) {
          f(native);
          return absl::OkStatus();
        } else {
          return op.Unimplemented(
              absl::StrCat("no evaluation for ", StablehloName(type)));
        }
      });
}

// Whether F takes integers of fewer than 8 bits as they are (SmallInt), since
// their width matters: a wider one does not give the same low bits.
template <typename F>
inline constexpr bool kKnowsSmallIntegers =
    requires { typename F::KnowsSmallIntegers; };

// y[i] = f(x[i]), in the compute type, for operands of kTypes. The result's
// element type is f's, or the operand's where f returns the compute type.
// Depends on the views' shapes only, never on the op's types, so that bodies
// run on vectors too.
template <ElementTypes kTypes, typename F>
OpDef::EvaluateFn EvaluateUnary(F f) {
  return [f](EvaluationContext&, const Op& op,
             absl::Span<const LiteralView> operands,
             absl::Span<const MutableLiteralView> results) {
    const LiteralView& operand = operands[0];
    return DispatchTypes<kTypes>(
        op, operand.shape().element_type(),
        [&]<typename T>(std::type_identity<T>) {
          using C = ComputeType<T>;
          using R = decltype(f(std::declval<C>()));
          using Y = std::conditional_t<std::is_same_v<R, C>, T, R>;
          const T* x = operand.data<T>().data();
          Y* y = results[0].data<Y>().data();
          const int64_t n = operand.shape().element_count();
          for (int64_t i = 0; i < n; ++i) {
            if constexpr (kIsSmallInt<T> && kKnowsSmallIntegers<F>) {
              y[i] = f(x[i]);
            } else {
              y[i] = static_cast<Y>(f(static_cast<C>(x[i])));
            }
          }
        });
  };
}

// z[i] = f(x[i], y[i]); as EvaluateUnary.
template <ElementTypes kTypes, typename F>
OpDef::EvaluateFn EvaluateBinary(F f) {
  return [f](EvaluationContext&, const Op& op,
             absl::Span<const LiteralView> operands,
             absl::Span<const MutableLiteralView> results) {
    return DispatchTypes<kTypes>(
        op, operands[0].shape().element_type(),
        [&]<typename T>(std::type_identity<T>) {
          using C = ComputeType<T>;
          const T* x = operands[0].data<T>().data();
          const T* y = operands[1].data<T>().data();
          T* z = results[0].data<T>().data();
          const int64_t n = operands[0].shape().element_count();
          for (int64_t i = 0; i < n; ++i) {
            if constexpr (kIsSmallInt<T> && kKnowsSmallIntegers<F>) {
              z[i] = f(x[i], y[i]);
            } else {
              z[i] =
                  static_cast<T>(f(static_cast<C>(x[i]), static_cast<C>(y[i])));
            }
          }
        });
  };
}

// An op of one operand whose result has the operand's type.
template <ElementTypes kTypes, typename F>
OpDef UnaryOp(std::string name, F f) {
  return OpDef(std::move(name), OpKind::kElementwise)
      .Assembly(OperandsForm(1))
      .Infer(InferSameType(1, kTypes))
      .Evaluate(EvaluateUnary<kTypes>(f))
      .Sharding(PointwiseSharding());
}

// An op of two operands of one type, which is the result's too.
template <ElementTypes kTypes, typename F>
OpDef BinaryOp(std::string name, F f) {
  return OpDef(std::move(name), OpKind::kElementwise)
      .Assembly(OperandsForm(2))
      .Infer(InferSameType(2, kTypes))
      .Evaluate(EvaluateBinary<kTypes>(f))
      .Sharding(PointwiseSharding());
}

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_OPS_ELEMENTWISE_H_
