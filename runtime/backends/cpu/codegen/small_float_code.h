#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_SMALL_FLOAT_CODE_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_SMALL_FLOAT_CODE_H_

#include <cstdint>

#include "llvm/IR/IRBuilder.h"
#include "runtime/types/small_types.h"

namespace lockstep::internal {

// Conversions of floats of 8 bits and fewer, which are i8 in registers, as
// runtime/types/small_types.h defines them: branch-free, without denormal f32
// numbers on the way.
class SmallFloatCode {
 public:
  SmallFloatCode(llvm::IRBuilder<>& builder, const SmallFloatFormat& format)
      : b_(builder), format_(format) {}

  // i8 to the f32 of the same value.
  llvm::Value* Widen(llvm::Value* bits) const;
  // f32 to the nearest i8, ties to even.
  llvm::Value* Narrow(llvm::Value* x) const;

 private:
  bool is_scale() const {
    return format_.special == SmallFloatFormat::Special::kScale;
  }
  llvm::Value* WidenScale(llvm::Value* bits) const;
  llvm::Value* NarrowScale(llvm::Value* x) const;
  llvm::Value* RoundMagnitude(llvm::Value* magnitude) const;
  // What stands for a magnitude, where that is too large.
  llvm::Value* Saturate(llvm::Value* magnitude) const;

  llvm::Value* I(uint32_t value) const { return b_.getInt32(value); }
  llvm::Value* Bits(llvm::Value* x) const {
    return b_.CreateBitCast(x, b_.getInt32Ty());
  }
  llvm::Value* FromBits(llvm::Value* bits) const {
    return b_.CreateBitCast(bits, b_.getFloatTy());
  }

  llvm::IRBuilder<>& b_;
  const SmallFloatFormat format_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_SMALL_FLOAT_CODE_H_
