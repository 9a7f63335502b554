#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_COMPLEX_MATH_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_COMPLEX_MATH_H_

#include <functional>
#include <utility>

#include "llvm/IR/IRBuilder.h"

namespace lockstep::internal {

// Arithmetic and elementary functions of complex numbers, without branches but
// for what is rare. Signs of zero, infinities and NaN as in annex G of C99.
// Functions of complex<f32> are evaluated in f64 and rounded once; errors:
// elementary_accuracy.h.
class ComplexMath {
 public:
  // Both f32 or both f64.
  struct Number {
    llvm::Value* real;
    llvm::Value* imaginary;
  };

  explicit ComplexMath(llvm::IRBuilder<>& builder) : b_(builder) {}

  llvm::Value* Abs(Number z) const;
  Number Cosine(Number z) const;
  Number CubeRoot(Number z) const;
  Number Divide(Number x, Number y) const;
  Number Exponential(Number z) const;
  Number ExponentialMinusOne(Number z) const;
  Number Log(Number z) const;
  Number LogPlusOne(Number z) const;
  Number Logistic(Number z) const;
  // By the real parts, then the imaginary parts; a NaN wins, the first of two.
  Number Maximum(Number x, Number y) const;
  Number Minimum(Number x, Number y) const;
  Number Multiply(Number x, Number y) const;
  Number ReciprocalSquareRoot(Number z) const;
  Number Sign(Number z) const;
  Number Sine(Number z) const;
  Number SquareRoot(Number z) const;
  Number Tangent(Number z) const;
  Number Tanh(Number z) const;

 private:
  // f of complex<f64> for complex<f32> too.
  template <typename F>
  Number Wide(Number z, F f) const;
  template <typename F>
  Number Wide(Number x, Number y, F f) const;

  // As the public ones, of f64.
  Number WideDivide(Number x, Number y) const;
  // By the formula; squares must not overflow or vanish.
  Number PlainDivide(Number x, Number y) const;
  // What x / y and x * y are where both parts of `plain` are NaN: that, or
  // something better. `overflows`: a product of two parts is infinite.
  Number RepairedQuotient(Number x, Number y, Number plain) const;
  Number RepairedProduct(Number x, Number y, Number plain,
                         llvm::Value* overflows) const;
  // `plain`; repair() where both its parts are NaN. A branch, which the
  // vectoriser makes a choice of.
  Number WhereLost(Number plain, const std::function<Number()>& repair) const;
  Number WideExponential(Number z) const;
  Number WideLog(Number z) const;
  Number WideSinh(Number z) const;
  Number WideCosh(Number z) const;
  Number WideSquareRoot(Number z) const;
  Number WideTanh(Number z) const;
  // log |z|, exact near |z| = 1.
  llvm::Value* LogOfAbs(Number z) const;
  // exp(x) as a product, of which only the whole overflows.
  std::pair<llvm::Value*, llvm::Value*> SplitExponential(llvm::Value* x) const;
  // The exponent of the larger of |x| and |y|, within what PowerOfTwo takes.
  llvm::Value* LargerExponent(llvm::Value* x, llvm::Value* y) const;
  llvm::Value* PowerOfTwo(llvm::Value* n) const;

  llvm::Value* Constant(llvm::Value* like, double value) const;
  llvm::Value* Call(const char* name, llvm::Value* x) const;
  llvm::Value* Call(const char* name, llvm::Value* x, llvm::Value* y) const;
  llvm::Value* Fma(llvm::Value* x, llvm::Value* y, llvm::Value* z) const;
  llvm::Value* Magnitude(llvm::Value* x) const;
  llvm::Value* Root(llvm::Value* x) const;
  llvm::Value* WithSign(llvm::Value* x, llvm::Value* sign) const;
  llvm::Value* IsNan(llvm::Value* x) const;
  llvm::Value* IsInfinite(llvm::Value* x) const;
  llvm::Value* IsFinite(llvm::Value* x) const;
  llvm::Value* IsZero(llvm::Value* x) const;
  // 1 for infinities, else 0; with the sign of x.
  llvm::Value* BoxInfinity(llvm::Value* x) const;
  // 0 with the sign of x for NaN, else x.
  llvm::Value* NanToZero(llvm::Value* x) const;
  Number Choose(llvm::Value* condition, Number x, Number y) const;
  llvm::Value* IsLess(Number x, Number y) const;
  // y where `is_second`, else x; but one with a NaN, the first of two.
  Number Winner(Number x, Number y, llvm::Value* is_second) const;

  llvm::IRBuilder<>& b_;
};

template <typename F>
ComplexMath::Number ComplexMath::Wide(Number z, F f) const {
  if (z.real->getType()->isDoubleTy()) return f(z);
  const Number wide = f(Number{b_.CreateFPExt(z.real, b_.getDoubleTy()),
                               b_.CreateFPExt(z.imaginary, b_.getDoubleTy())});
  return {b_.CreateFPTrunc(wide.real, b_.getFloatTy()),
          b_.CreateFPTrunc(wide.imaginary, b_.getFloatTy())};
}

template <typename F>
ComplexMath::Number ComplexMath::Wide(Number x, Number y, F f) const {
  if (x.real->getType()->isDoubleTy()) return f(x, y);
  const Number wide = {b_.CreateFPExt(y.real, b_.getDoubleTy()),
                       b_.CreateFPExt(y.imaginary, b_.getDoubleTy())};
  return Wide(x, [&](Number z) { return f(z, wide); });
}

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_COMPLEX_MATH_H_
