// LlvmScalarBuilder: operations on complex numbers.

#include "runtime/backends/cpu/codegen/complex_math.h"
#include "runtime/backends/cpu/codegen/llvm_scalar_builder.h"
#include "runtime/base/check.h"
#include "runtime/types/element_type.h"

namespace lockstep::internal {

int LlvmScalarBuilder::ComplexUnary(UnaryScalarOp op, const ScalarValue& x) {
  const ElementType real = RealType(x.type);
  const ComplexMath math(b_);
  const ComplexMath::Number z = {x.value, x.imaginary};
  const auto add = [&](ComplexMath::Number result) {
    return Add({x.type, result.real, result.imaginary});
  };
  switch (op) {
    case UnaryScalarOp::kReal:
      return Add({real, x.value});
    case UnaryScalarOp::kImag:
      return Add({real, x.imaginary});
    case UnaryScalarOp::kAbs:
      return Add({real, math.Abs(z)});
    case UnaryScalarOp::kNegate:
      return add({b_.CreateFNeg(x.value), b_.CreateFNeg(x.imaginary)});
    case UnaryScalarOp::kCbrt:
      return add(math.CubeRoot(z));
    case UnaryScalarOp::kCosine:
      return add(math.Cosine(z));
    case UnaryScalarOp::kExponential:
      return add(math.Exponential(z));
    case UnaryScalarOp::kExponentialMinusOne:
      return add(math.ExponentialMinusOne(z));
    case UnaryScalarOp::kLog:
      return add(math.Log(z));
    case UnaryScalarOp::kLogPlusOne:
      return add(math.LogPlusOne(z));
    case UnaryScalarOp::kLogistic:
      return add(math.Logistic(z));
    case UnaryScalarOp::kRsqrt:
      return add(math.ReciprocalSquareRoot(z));
    case UnaryScalarOp::kSign:
      return add(math.Sign(z));
    case UnaryScalarOp::kSine:
      return add(math.Sine(z));
    case UnaryScalarOp::kSqrt:
      return add(math.SquareRoot(z));
    case UnaryScalarOp::kTan:
      return add(math.Tangent(z));
    default:
      LOCKSTEP_CHECK(op == UnaryScalarOp::kTanh);
      return add(math.Tanh(z));
  }
}

int LlvmScalarBuilder::ComplexBinary(BinaryScalarOp op, const ScalarValue& x,
                                     const ScalarValue& y) {
  const ComplexMath math(b_);
  const ComplexMath::Number lhs = {x.value, x.imaginary};
  const ComplexMath::Number rhs = {y.value, y.imaginary};
  const auto add = [&](ComplexMath::Number result) {
    return Add({x.type, result.real, result.imaginary});
  };
  switch (op) {
    case BinaryScalarOp::kDivide:
      return add(math.Divide(lhs, rhs));
    case BinaryScalarOp::kMaximum:
      return add(math.Maximum(lhs, rhs));
    case BinaryScalarOp::kMinimum:
      return add(math.Minimum(lhs, rhs));
    case BinaryScalarOp::kMultiply:
      return add(math.Multiply(lhs, rhs));
    default:
      return add({FloatBinary(op, x.value, y.value),
                  FloatBinary(op, x.imaginary, y.imaginary)});
  }
}

}  // namespace lockstep::internal
