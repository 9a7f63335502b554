#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_VECTOR_MATH_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_VECTOR_MATH_H_

#include <cstdint>
#include <initializer_list>

#include "llvm/IR/IRBuilder.h"

namespace lockstep::internal {

// The elementary functions that have code of their own: f32, branch-free, which
// the vectoriser takes into the loop around it. Of f64 they call VectorLibrary,
// as all other functions do. Special cases as in C99; errors:
// elementary_accuracy.h.
class VectorMath {
 public:
  explicit VectorMath(llvm::IRBuilder<>& builder) : b_(builder) {}

  llvm::Value* Erf(llvm::Value* x) const;
  llvm::Value* Exponential(llvm::Value* x) const;
  llvm::Value* ExponentialMinusOne(llvm::Value* x) const;
  llvm::Value* Log(llvm::Value* x) const;
  llvm::Value* LogPlusOne(llvm::Value* x) const;
  llvm::Value* Logistic(llvm::Value* x) const;
  llvm::Value* Tanh(llvm::Value* x) const;

 private:
  // x = n ln(2) + rest, |rest| <= ln(2) / 2.
  struct ReducedExponent {
    llvm::Value* shifted;  // i32 with n in its low 22 bits
    llvm::Value* rest;
  };
  ReducedExponent ReduceExponent(llvm::Value* x) const;
  llvm::Value* DoubleExponential(llvm::Value* x) const;

  bool IsFloat(llvm::Value* x) const { return x->getType()->isFloatTy(); }
  llvm::Value* F(double value) const;
  llvm::Value* I(uint32_t value) const { return b_.getInt32(value); }
  llvm::Value* Fma(llvm::Value* x, llvm::Value* y, llvm::Value* z) const;
  // Coefficients from the highest power down.
  llvm::Value* Polynomial(llvm::Value* x,
                          std::initializer_list<double> coefficients) const;
  llvm::Value* Bits(llvm::Value* x) const;
  llvm::Value* FromBits(llvm::Value* bits) const;

  llvm::IRBuilder<>& b_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_VECTOR_MATH_H_
