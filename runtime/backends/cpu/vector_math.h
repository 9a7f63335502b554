#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_VECTOR_MATH_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_VECTOR_MATH_H_

#include "absl/strings/string_view.h"
#include "llvm/IR/IRBuilder.h"

namespace lockstep {

// Elementary functions of f32 as branch-free code that vectorises; of f64 as
// calls of the C library. Special cases as in C99. Errors that the f32
// functions are designed for, in units in the last place of the result:
//
//   exp 1   log 1   tanh 3   logistic 3   expm1 2   log1p 2   sin, cos 2
//
// The others call the C library. The differential tests of the backend compare
// all of them with the oracle, on samples.
class VectorMath {
 public:
  explicit VectorMath(llvm::IRBuilder<>& builder) : b_(builder) {}

  llvm::Value* Atan2(llvm::Value* y, llvm::Value* x) const;
  llvm::Value* Cosine(llvm::Value* x) const;
  llvm::Value* CubeRoot(llvm::Value* x) const;
  llvm::Value* Erf(llvm::Value* x) const;
  llvm::Value* Erfc(llvm::Value* x) const;
  llvm::Value* Exponential(llvm::Value* x) const;
  llvm::Value* ExponentialMinusOne(llvm::Value* x) const;
  llvm::Value* Hypotenuse(llvm::Value* x, llvm::Value* y) const;
  llvm::Value* Log(llvm::Value* x) const;
  llvm::Value* LogPlusOne(llvm::Value* x) const;
  llvm::Value* Logistic(llvm::Value* x) const;
  llvm::Value* Power(llvm::Value* x, llvm::Value* y) const;
  llvm::Value* Sine(llvm::Value* x) const;
  llvm::Value* Tangent(llvm::Value* x) const;
  llvm::Value* Tanh(llvm::Value* x) const;

 private:
  // x = n ln(2) + rest, |rest| <= ln(2) / 2.
  struct ReducedExponent {
    llvm::Value* n;  // i32
    llvm::Value* rest;
  };
  ReducedExponent ReduceExponent(llvm::Value* x) const;
  // 2^n for -126 <= n <= 127.
  llvm::Value* PowerOfTwo(llvm::Value* n) const;
  // x = quadrant pi/2 + rest, |rest| <= pi/4.
  struct ReducedAngle {
    llvm::Value* quadrant;  // i32, of which the low two bits count
    llvm::Value* rest;
  };
  ReducedAngle ReduceAngle(llvm::Value* x) const;
  // sin(x) for quadrant 0.
  llvm::Value* SineOf(const ReducedAngle& angle) const;

  bool IsFloat(llvm::Value* x) const { return x->getType()->isFloatTy(); }
  llvm::Value* F(double value) const;
  llvm::Value* I(uint32_t value) const { return b_.getInt32(value); }
  llvm::Value* Fma(llvm::Value* x, llvm::Value* y, llvm::Value* z) const;
  // Coefficients from the highest power down.
  llvm::Value* Polynomial(llvm::Value* x,
                          std::initializer_list<double> coefficients) const;
  llvm::Value* Bits(llvm::Value* x) const;
  llvm::Value* FromBits(llvm::Value* bits) const;
  // name(x..) of the C library; with an f behind it for f32.
  llvm::Value* Call(absl::string_view name,
                    llvm::ArrayRef<llvm::Value*> arguments) const;

  llvm::IRBuilder<>& b_;
};

}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_VECTOR_MATH_H_
