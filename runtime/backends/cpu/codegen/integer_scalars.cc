// LlvmScalarBuilder: arithmetic of integers.

#include "runtime/backends/cpu/codegen/llvm_scalar_builder.h"
#include "runtime/base/check.h"

namespace lockstep::internal {

llvm::Value* LlvmScalarBuilder::IntegerUnary(UnaryScalarOp op, llvm::Value* x) {
  llvm::Type* type = x->getType();
  switch (op) {
    case UnaryScalarOp::kAbs:
      return b_.CreateBinaryIntrinsic(llvm::Intrinsic::abs, x, b_.getFalse());
    case UnaryScalarOp::kNegate:
      return b_.CreateNeg(x);
    case UnaryScalarOp::kNot:
      return b_.CreateNot(x);
    case UnaryScalarOp::kPopcnt:
      return b_.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, x);
    case UnaryScalarOp::kCountLeadingZeros:
      return b_.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, x, b_.getFalse());
    case UnaryScalarOp::kSign: {
      llvm::Value* zero = llvm::ConstantInt::get(type, 0);
      return b_.CreateSub(b_.CreateZExt(b_.CreateICmpSGT(x, zero), type),
                          b_.CreateZExt(b_.CreateICmpSLT(x, zero), type));
    }
    default:
      LOCKSTEP_CHECK(false);
      return x;
  }
}

llvm::Value* LlvmScalarBuilder::IntegerDivision(bool is_remainder,
                                                bool is_signed, llvm::Value* x,
                                                llvm::Value* y) {
  llvm::Type* type = x->getType();
  llvm::Value* zero = llvm::ConstantInt::get(type, 0);
  llvm::Value* one = llvm::ConstantInt::get(type, 1);
  llvm::Value* all_ones = llvm::Constant::getAllOnesValue(type);
  llvm::Value* is_zero = b_.CreateICmpEQ(y, zero);
  llvm::Value* traps = is_zero;
  if (is_signed) traps = b_.CreateOr(traps, b_.CreateICmpEQ(y, all_ones));
  llvm::Value* divisor = b_.CreateSelect(traps, one, y);
  if (is_remainder) {
    llvm::Value* rest =
        is_signed ? b_.CreateSRem(x, divisor) : b_.CreateURem(x, divisor);
    return b_.CreateSelect(is_zero, x, rest);
  }
  llvm::Value* quotient =
      is_signed ? b_.CreateSDiv(x, divisor) : b_.CreateUDiv(x, divisor);
  if (is_signed) quotient = b_.CreateSelect(traps, b_.CreateNeg(x), quotient);
  return b_.CreateSelect(is_zero, all_ones, quotient);
}

llvm::Value* LlvmScalarBuilder::IntegerPower(bool is_signed, llvm::Value* x,
                                             llvm::Value* y) {
  llvm::Type* type = x->getType();
  const unsigned bits = type->getIntegerBitWidth();
  llvm::Value* zero = llvm::ConstantInt::get(type, 0);
  llvm::Value* one = llvm::ConstantInt::get(type, 1);
  llvm::Value* result = one;
  llvm::Value* base = x;
  for (unsigned bit = 0; bit < bits; ++bit) {
    llvm::Value* is_set = b_.CreateICmpNE(
        b_.CreateAnd(y, llvm::ConstantInt::get(type, uint64_t{1} << bit)),
        zero);
    result = b_.CreateSelect(is_set, b_.CreateMul(result, base), result);
    base = b_.CreateMul(base, base);
  }
  if (!is_signed) return result;
  // A negative exponent: 0, but 1 for 1, and 1 or -1 for -1.
  llvm::Value* all_ones = llvm::Constant::getAllOnesValue(type);
  llvm::Value* is_odd = b_.CreateTrunc(y, b_.getInt1Ty());
  llvm::Value* of_one = b_.CreateSelect(
      b_.CreateICmpEQ(x, all_ones), b_.CreateSelect(is_odd, all_ones, one),
      b_.CreateSelect(b_.CreateICmpEQ(x, one), one, zero));
  return b_.CreateSelect(b_.CreateICmpSLT(y, zero), of_one, result);
}

llvm::Value* LlvmScalarBuilder::Shift(BinaryScalarOp op, llvm::Value* x,
                                      llvm::Value* y) {
  llvm::Type* type = x->getType();
  const unsigned bits = type->getIntegerBitWidth();
  llvm::Value* zero = llvm::ConstantInt::get(type, 0);
  llvm::Value* fits = b_.CreateICmpULT(y, llvm::ConstantInt::get(type, bits));
  llvm::Value* amount = b_.CreateSelect(fits, y, zero);
  if (op == BinaryScalarOp::kShiftRightArithmetic) {
    amount = b_.CreateSelect(fits, y, llvm::ConstantInt::get(type, bits - 1));
    return b_.CreateAShr(x, amount);
  }
  llvm::Value* shifted = op == BinaryScalarOp::kShiftLeft
                             ? b_.CreateShl(x, amount)
                             : b_.CreateLShr(x, amount);
  return b_.CreateSelect(fits, shifted, zero);
}

llvm::Value* LlvmScalarBuilder::IntegerBinary(BinaryScalarOp op, bool is_signed,
                                              llvm::Value* x, llvm::Value* y) {
  switch (op) {
    case BinaryScalarOp::kAdd:
      return b_.CreateAdd(x, y);
    case BinaryScalarOp::kSubtract:
      return b_.CreateSub(x, y);
    case BinaryScalarOp::kMultiply:
      return b_.CreateMul(x, y);
    case BinaryScalarOp::kDivide:
      return IntegerDivision(false, is_signed, x, y);
    case BinaryScalarOp::kRemainder:
      return IntegerDivision(true, is_signed, x, y);
    case BinaryScalarOp::kMaximum:
      return b_.CreateBinaryIntrinsic(
          is_signed ? llvm::Intrinsic::smax : llvm::Intrinsic::umax, x, y);
    case BinaryScalarOp::kMinimum:
      return b_.CreateBinaryIntrinsic(
          is_signed ? llvm::Intrinsic::smin : llvm::Intrinsic::umin, x, y);
    case BinaryScalarOp::kAnd:
      return b_.CreateAnd(x, y);
    case BinaryScalarOp::kOr:
      return b_.CreateOr(x, y);
    case BinaryScalarOp::kXor:
      return b_.CreateXor(x, y);
    case BinaryScalarOp::kPower:
      return IntegerPower(is_signed, x, y);
    case BinaryScalarOp::kShiftLeft:
    case BinaryScalarOp::kShiftRightArithmetic:
    case BinaryScalarOp::kShiftRightLogical:
      return Shift(op, x, y);
    default:
      LOCKSTEP_CHECK(false);
      return x;
  }
}

}  // namespace lockstep::internal
