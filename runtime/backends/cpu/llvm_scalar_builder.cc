#include "runtime/backends/cpu/llvm_scalar_builder.h"

#include <cstring>

#include "runtime/backends/cpu/vector_math.h"
#include "runtime/base/check.h"
#include "runtime/types/element_type.h"

namespace lockstep {
namespace {

using llvm::Intrinsic::ID;

bool IsHalf(ElementType type) {
  return type == ElementType::kF16 || type == ElementType::kBF16;
}

int BitsOf(ElementType type) { return static_cast<int>(8 * ByteSize(type)); }

}  // namespace

int LlvmScalarBuilder::Add(ScalarValue value) {
  scalars_.push_back(value);
  return static_cast<int>(scalars_.size()) - 1;
}

llvm::Type* LlvmScalarBuilder::MemoryType(ElementType type) const {
  switch (RealType(type)) {
    case ElementType::kF16:
      return b_.getHalfTy();
    case ElementType::kF32:
      return b_.getFloatTy();
    case ElementType::kF64:
      return b_.getDoubleTy();
    default:
      return b_.getIntNTy(BitsOf(RealType(type)));
  }
}

ScalarValue LlvmScalarBuilder::FromMemory(ElementType type, llvm::Value* value,
                                          llvm::Value* imaginary) {
  switch (type) {
    case ElementType::kPred:
      return {type, b_.CreateICmpNE(value, b_.getInt8(0))};
    case ElementType::kF16:
      return {type, b_.CreateFPExt(value, b_.getFloatTy())};
    case ElementType::kBF16: {
      llvm::Value* bits =
          b_.CreateShl(b_.CreateZExt(value, b_.getInt32Ty()), 16);
      return {type, b_.CreateBitCast(bits, b_.getFloatTy())};
    }
    default:
      return {type, value, imaginary};
  }
}

llvm::Value* LlvmScalarBuilder::ToMemory(ElementType type, llvm::Value* value) {
  switch (type) {
    case ElementType::kPred:
      return b_.CreateZExt(value, b_.getInt8Ty());
    case ElementType::kF16:
      return b_.CreateFPTrunc(value, b_.getHalfTy());
    case ElementType::kBF16: {
      llvm::Value* bits = b_.CreateBitCast(value, b_.getInt32Ty());
      return b_.CreateTrunc(b_.CreateLShr(bits, 16), b_.getInt16Ty());
    }
    default:
      return value;
  }
}

ScalarValue LlvmScalarBuilder::Literal(ElementType type,
                                       const std::byte* bytes) {
  const auto part = [&](const std::byte* at) -> llvm::Value* {
    uint64_t bits = 0;
    std::memcpy(&bits, at, static_cast<size_t>(ByteSize(RealType(type))));
    llvm::Type* memory = MemoryType(type);
    llvm::Constant* integer = b_.getIntN(memory->getScalarSizeInBits(), bits);
    return b_.CreateBitCast(integer, memory);
  };
  if (!IsComplex(type)) return FromMemory(type, part(bytes));
  return {type, part(bytes), part(bytes + ByteSize(RealType(type)))};
}

llvm::Value* LlvmScalarBuilder::RealConstant(ElementType type, double value) {
  switch (type) {
    case ElementType::kPred:
      return b_.getInt1(value != 0);
    case ElementType::kF16:
      return llvm::ConstantFP::get(
          b_.getFloatTy(), static_cast<double>(static_cast<float>(F16(value))));
    case ElementType::kBF16:
      return llvm::ConstantFP::get(
          b_.getFloatTy(),
          static_cast<double>(static_cast<float>(BF16(value))));
    case ElementType::kF32:
      return llvm::ConstantFP::get(b_.getFloatTy(), value);
    case ElementType::kF64:
      return llvm::ConstantFP::get(b_.getDoubleTy(), value);
    default:
      return b_.getIntN(BitsOf(type),
                        value < 0
                            ? static_cast<uint64_t>(static_cast<int64_t>(value))
                            : static_cast<uint64_t>(value));
  }
}

int LlvmScalarBuilder::Constant(ElementType type, double value) {
  if (IsComplex(type)) {
    return Add({type, RealConstant(RealType(type), value),
                RealConstant(RealType(type), 0)});
  }
  return Add({type, RealConstant(type, value)});
}

llvm::Value* LlvmScalarBuilder::DoubleToFloatRoundingToOdd(llvm::Value* x) {
  llvm::Value* nearest = b_.CreateFPTrunc(x, b_.getFloatTy());
  llvm::Value* back = b_.CreateFPExt(nearest, b_.getDoubleTy());
  llvm::Value* is_inexact = b_.CreateFCmpONE(back, x);
  llvm::Value* is_above =
      b_.CreateFCmpOGT(b_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, back),
                       b_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x));
  llvm::Value* bits = b_.CreateBitCast(nearest, b_.getInt32Ty());
  bits = b_.CreateSub(bits, b_.CreateZExt(is_above, b_.getInt32Ty()));
  bits = b_.CreateOr(bits, b_.CreateZExt(is_inexact, b_.getInt32Ty()));
  return b_.CreateBitCast(bits, b_.getFloatTy());
}

llvm::Value* LlvmScalarBuilder::Round(ElementType type, llvm::Value* x) {
  if (type == ElementType::kF16) {
    return b_.CreateFPExt(b_.CreateFPTrunc(x, b_.getHalfTy()), b_.getFloatTy());
  }
  if (type != ElementType::kBF16) return x;
  llvm::Value* bits = b_.CreateBitCast(x, b_.getInt32Ty());
  llvm::Value* is_odd = b_.CreateAnd(b_.CreateLShr(bits, 16), 1);
  llvm::Value* rounded =
      b_.CreateAdd(bits, b_.CreateAdd(is_odd, b_.getInt32(0x7fff)));
  llvm::Value* quiet = b_.CreateOr(bits, b_.getInt32(0x400000));
  llvm::Value* is_nan = b_.CreateFCmpUNO(x, x);
  bits = b_.CreateAnd(b_.CreateSelect(is_nan, quiet, rounded),
                      b_.getInt32(0xffff0000u));
  return b_.CreateBitCast(bits, b_.getFloatTy());
}

llvm::Value* LlvmScalarBuilder::FloatUnary(UnaryScalarOp op, ElementType type,
                                           llvm::Value* x) {
  const VectorMath math(b_);
  const auto intrinsic = [&](ID id) { return b_.CreateUnaryIntrinsic(id, x); };
  llvm::Value* one = llvm::ConstantFP::get(x->getType(), 1.0);
  switch (op) {
    case UnaryScalarOp::kAbs:
      return intrinsic(llvm::Intrinsic::fabs);
    case UnaryScalarOp::kCeil:
      return intrinsic(llvm::Intrinsic::ceil);
    case UnaryScalarOp::kFloor:
      return intrinsic(llvm::Intrinsic::floor);
    case UnaryScalarOp::kRoundNearestAfz:
      return intrinsic(llvm::Intrinsic::round);
    case UnaryScalarOp::kRoundNearestEven:
      return intrinsic(llvm::Intrinsic::roundeven);
    case UnaryScalarOp::kNegate:
      return b_.CreateFNeg(x);
    case UnaryScalarOp::kSqrt:
      return intrinsic(llvm::Intrinsic::sqrt);
    case UnaryScalarOp::kRsqrt:
      return b_.CreateFDiv(one, intrinsic(llvm::Intrinsic::sqrt));
    case UnaryScalarOp::kSign: {
      llvm::Value* signed_one =
          b_.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, one, x);
      llvm::Value* zero = llvm::ConstantFP::get(x->getType(), 0.0);
      return b_.CreateSelect(b_.CreateFCmpUEQ(x, zero), x, signed_one);
    }
    case UnaryScalarOp::kIsFinite: {
      llvm::Value* infinity = llvm::ConstantFP::getInfinity(x->getType());
      return b_.CreateFCmpOLT(intrinsic(llvm::Intrinsic::fabs), infinity);
    }
    case UnaryScalarOp::kReal:
      return x;
    case UnaryScalarOp::kImag:
      return llvm::ConstantFP::get(x->getType(), 0.0);
    case UnaryScalarOp::kCbrt:
      return math.CubeRoot(x);
    case UnaryScalarOp::kErf:
      return math.Erf(x);
    case UnaryScalarOp::kErfc:
      return math.Erfc(x);
    case UnaryScalarOp::kTan:
      return math.Tangent(x);
    case UnaryScalarOp::kCosine:
      return math.Cosine(x);
    case UnaryScalarOp::kSine:
      return math.Sine(x);
    case UnaryScalarOp::kExponential:
      return math.Exponential(x);
    case UnaryScalarOp::kExponentialMinusOne:
      return math.ExponentialMinusOne(x);
    case UnaryScalarOp::kLog:
      return math.Log(x);
    case UnaryScalarOp::kLogPlusOne:
      return math.LogPlusOne(x);
    case UnaryScalarOp::kLogistic:
      return math.Logistic(x);
    case UnaryScalarOp::kTanh:
      return math.Tanh(x);
    default:
      LOCKSTEP_CHECK(false);
      return x;
  }
}

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

int LlvmScalarBuilder::ComplexUnary(UnaryScalarOp op, const ScalarValue& x) {
  const ElementType real = RealType(x.type);
  switch (op) {
    case UnaryScalarOp::kReal:
      return Add({real, x.value});
    case UnaryScalarOp::kImag:
      return Add({real, x.imaginary});
    case UnaryScalarOp::kAbs:
      return Add({real, VectorMath(b_).Hypotenuse(x.value, x.imaginary)});
    default:
      LOCKSTEP_CHECK(op == UnaryScalarOp::kNegate);
      return Add({x.type, b_.CreateFNeg(x.value), b_.CreateFNeg(x.imaginary)});
  }
}

int LlvmScalarBuilder::Unary(UnaryScalarOp op, int x) {
  const ScalarValue value = scalars_[x];
  if (IsComplex(value.type)) return ComplexUnary(op, value);
  if (!IsFloat(value.type)) {
    return Add({value.type, IntegerUnary(op, value.value)});
  }
  llvm::Value* result = FloatUnary(op, value.type, value.value);
  if (op == UnaryScalarOp::kIsFinite) {
    return Add({ElementType::kPred, result});
  }
  return Add({value.type, Round(value.type, result)});
}

llvm::Value* LlvmScalarBuilder::FloatBinary(BinaryScalarOp op, llvm::Value* x,
                                            llvm::Value* y) {
  llvm::IRBuilderBase::FastMathFlagGuard guard(b_);
  if (reassociates_) {
    llvm::FastMathFlags flags;
    flags.setAllowReassoc();
    b_.setFastMathFlags(flags);
  }
  switch (op) {
    case BinaryScalarOp::kAdd:
      return b_.CreateFAdd(x, y);
    case BinaryScalarOp::kSubtract:
      return b_.CreateFSub(x, y);
    case BinaryScalarOp::kMultiply:
      return b_.CreateFMul(x, y);
    case BinaryScalarOp::kDivide:
      return b_.CreateFDiv(x, y);
    case BinaryScalarOp::kMaximum:
      return b_.CreateBinaryIntrinsic(llvm::Intrinsic::maximum, x, y);
    case BinaryScalarOp::kMinimum:
      return b_.CreateBinaryIntrinsic(llvm::Intrinsic::minimum, x, y);
    case BinaryScalarOp::kRemainder:
      return b_.CreateFRem(x, y);
    case BinaryScalarOp::kAtan2:
      return VectorMath(b_).Atan2(x, y);
    case BinaryScalarOp::kPower:
      return VectorMath(b_).Power(x, y);
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

int LlvmScalarBuilder::Binary(BinaryScalarOp op, int x, int y) {
  const ScalarValue lhs = scalars_[x];
  const ScalarValue rhs = scalars_[y];
  const ElementType type = lhs.type;
  if (op == BinaryScalarOp::kComplex) {
    return Add(
        {type == ElementType::kF64 ? ElementType::kC128 : ElementType::kC64,
         lhs.value, rhs.value});
  }
  if (IsComplex(type)) {
    return Add({type, FloatBinary(op, lhs.value, rhs.value),
                FloatBinary(op, lhs.imaginary, rhs.imaginary)});
  }
  if (type == ElementType::kPred) {
    const bool is_or =
        op == BinaryScalarOp::kAdd || op == BinaryScalarOp::kMaximum;
    const bool is_and =
        op == BinaryScalarOp::kMultiply || op == BinaryScalarOp::kMinimum;
    if (is_or) op = BinaryScalarOp::kOr;
    if (is_and) op = BinaryScalarOp::kAnd;
  }
  if (!IsFloat(type)) {
    return Add(
        {type, IntegerBinary(op, IsSignedInteger(type), lhs.value, rhs.value)});
  }
  return Add({type, Round(type, FloatBinary(op, lhs.value, rhs.value))});
}

llvm::Value* LlvmScalarBuilder::TotalOrderKey(llvm::Value* x) {
  const unsigned bits = x->getType()->getScalarSizeInBits();
  llvm::Type* type = b_.getIntNTy(bits);
  llvm::Value* key = b_.CreateBitCast(x, type);
  llvm::Value* sign = b_.CreateAShr(key, bits - 1);
  return b_.CreateXor(key, b_.CreateLShr(sign, 1));
}

int LlvmScalarBuilder::Compare(ScalarComparison comparison, bool is_total_order,
                               int x, int y) {
  using Predicate = llvm::CmpInst::Predicate;
  struct Row {
    Predicate of_float, of_signed, of_unsigned;
  };
  static constexpr Row kRows[] = {
      {Predicate::FCMP_OEQ, Predicate::ICMP_EQ, Predicate::ICMP_EQ},
      {Predicate::FCMP_UNE, Predicate::ICMP_NE, Predicate::ICMP_NE},
      {Predicate::FCMP_OGE, Predicate::ICMP_SGE, Predicate::ICMP_UGE},
      {Predicate::FCMP_OGT, Predicate::ICMP_SGT, Predicate::ICMP_UGT},
      {Predicate::FCMP_OLE, Predicate::ICMP_SLE, Predicate::ICMP_ULE},
      {Predicate::FCMP_OLT, Predicate::ICMP_SLT, Predicate::ICMP_ULT},
  };
  const Row& row = kRows[static_cast<int>(comparison)];
  const ScalarValue lhs = scalars_[x];
  const ScalarValue rhs = scalars_[y];
  llvm::Value* result;
  if (IsComplex(lhs.type)) {
    result = b_.CreateAnd(b_.CreateFCmpOEQ(lhs.value, rhs.value),
                          b_.CreateFCmpOEQ(lhs.imaginary, rhs.imaginary));
    if (comparison == ScalarComparison::kNe) result = b_.CreateNot(result);
  } else if (IsFloat(lhs.type) && is_total_order) {
    result = b_.CreateICmp(row.of_signed, TotalOrderKey(lhs.value),
                           TotalOrderKey(rhs.value));
  } else if (IsFloat(lhs.type)) {
    result = b_.CreateFCmp(row.of_float, lhs.value, rhs.value);
  } else {
    result = b_.CreateICmp(
        IsSignedInteger(lhs.type) ? row.of_signed : row.of_unsigned, lhs.value,
        rhs.value);
  }
  return Add({ElementType::kPred, result});
}

int LlvmScalarBuilder::Select(int predicate, int on_true, int on_false) {
  llvm::Value* condition = scalars_[predicate].value;
  const ScalarValue a = scalars_[on_true];
  const ScalarValue b = scalars_[on_false];
  ScalarValue result = {a.type, b_.CreateSelect(condition, a.value, b.value)};
  if (a.imaginary != nullptr) {
    result.imaginary = b_.CreateSelect(condition, a.imaginary, b.imaginary);
  }
  return Add(result);
}

llvm::Value* LlvmScalarBuilder::ConvertIntegerToFloat(ElementType from,
                                                      ElementType to,
                                                      llvm::Value* x) {
  const bool is_signed = IsSignedInteger(from);
  llvm::Type* target =
      to == ElementType::kF64 ? b_.getDoubleTy() : b_.getFloatTy();
  if (IsHalf(to) && ByteSize(from) >= 4) {
    if (ByteSize(from) == 8) {
      // Bits that a double cannot hold are gathered in the lowest that it can,
      // so that the half is rounded as from the whole number.
      llvm::Value* low = b_.CreateAnd(x, b_.getInt64(0x7ff));
      llvm::Value* sticky =
          b_.CreateZExt(b_.CreateICmpNE(low, b_.getInt64(0)), b_.getInt64Ty());
      llvm::Value* high =
          is_signed ? b_.CreateAShr(x, 11) : b_.CreateLShr(x, 11);
      llvm::Value* shifted = b_.CreateShl(b_.CreateOr(high, sticky), 11);
      llvm::Value* magnitude =
          is_signed
              ? b_.CreateBinaryIntrinsic(llvm::Intrinsic::abs, x, b_.getFalse())
              : x;
      llvm::Value* is_small =
          b_.CreateICmpULT(magnitude, b_.getInt64(uint64_t{1} << 53));
      x = b_.CreateSelect(is_small, x, shifted);
    }
    llvm::Value* wide = is_signed ? b_.CreateSIToFP(x, b_.getDoubleTy())
                                  : b_.CreateUIToFP(x, b_.getDoubleTy());
    return Round(to, DoubleToFloatRoundingToOdd(wide));
  }
  return Round(
      to, is_signed ? b_.CreateSIToFP(x, target) : b_.CreateUIToFP(x, target));
}

llvm::Value* LlvmScalarBuilder::ConvertReal(ElementType from, ElementType to,
                                            llvm::Value* x) {
  if (from == to) return x;
  if (IsFloat(from)) {
    if (to == ElementType::kPred) {
      return b_.CreateFCmpUNE(x, llvm::ConstantFP::get(x->getType(), 0.0));
    }
    if (IsFloat(to)) {
      if (from != ElementType::kF64) {
        if (to == ElementType::kF64) return b_.CreateFPExt(x, b_.getDoubleTy());
        return Round(to, x);
      }
      if (to == ElementType::kF32) return b_.CreateFPTrunc(x, b_.getFloatTy());
      return Round(to, DoubleToFloatRoundingToOdd(x));
    }
    return b_.CreateIntrinsic(IsSignedInteger(to) ? llvm::Intrinsic::fptosi_sat
                                                  : llvm::Intrinsic::fptoui_sat,
                              {b_.getIntNTy(BitsOf(to)), x->getType()}, {x});
  }
  if (to == ElementType::kPred) {
    return b_.CreateICmpNE(x, llvm::ConstantInt::get(x->getType(), 0));
  }
  if (IsFloat(to)) return ConvertIntegerToFloat(from, to, x);
  llvm::Type* target = b_.getIntNTy(BitsOf(to));
  return IsSignedInteger(from) ? b_.CreateSExtOrTrunc(x, target)
                               : b_.CreateZExtOrTrunc(x, target);
}

int LlvmScalarBuilder::Convert(ElementType type, int x) {
  const ScalarValue value = scalars_[x];
  const ElementType from = RealType(value.type);
  const ElementType to = RealType(type);
  ScalarValue result = {type, ConvertReal(from, to, value.value)};
  if (IsComplex(type)) {
    result.imaginary = value.imaginary == nullptr
                           ? RealConstant(to, 0)
                           : ConvertReal(from, to, value.imaginary);
  }
  return Add(result);
}

int LlvmScalarBuilder::BitcastConvert(ElementType type, int x) {
  const ScalarValue value = scalars_[x];
  llvm::Value* bits = ToMemory(value.type, value.value);
  return Add(FromMemory(type, b_.CreateBitCast(bits, MemoryType(type))));
}

int LlvmScalarBuilder::ReducePrecision(int exponent_bits, int mantissa_bits,
                                       int x) {
  const ScalarValue value = scalars_[x];
  // As held in registers.
  const bool is_double = value.type == ElementType::kF64;
  const int held_mantissa = is_double ? 52 : 23;
  const int held_bias = is_double ? 1023 : 127;
  const int held_exponent = is_double ? 11 : 8;
  llvm::Type* type = b_.getIntNTy(is_double ? 64 : 32);
  const auto constant = [&](uint64_t bits) {
    return llvm::ConstantInt::get(type, bits);
  };
  llvm::Value* original = b_.CreateBitCast(value.value, type);
  llvm::Value* bits = original;
  const uint64_t sign_bit = uint64_t{1} << (is_double ? 63 : 31);
  const uint64_t infinity = static_cast<uint64_t>(2 * held_bias + 1)
                            << held_mantissa;
  if (mantissa_bits < held_mantissa) {
    const int dropped = held_mantissa - mantissa_bits;
    const uint64_t unit = uint64_t{1} << dropped;
    llvm::Value* is_odd = b_.CreateAnd(b_.CreateLShr(bits, dropped), 1);
    bits = b_.CreateAdd(bits, b_.CreateAdd(is_odd, constant(unit / 2 - 1)));
    bits = b_.CreateAnd(bits, constant(~(unit - 1)));
  }
  if (exponent_bits < held_exponent) {
    const uint64_t bias = (uint64_t{1} << (exponent_bits - 1)) - 1;
    llvm::Value* sign = b_.CreateAnd(bits, constant(sign_bit));
    llvm::Value* magnitude = b_.CreateAnd(bits, constant(~sign_bit));
    const uint64_t limit = (static_cast<uint64_t>(held_bias) + bias + 1)
                           << held_mantissa;
    const uint64_t smallest = (static_cast<uint64_t>(held_bias) - bias + 1)
                              << held_mantissa;
    llvm::Value* is_large = b_.CreateICmpUGE(magnitude, constant(limit));
    llvm::Value* is_small = b_.CreateICmpULT(magnitude, constant(smallest));
    magnitude = b_.CreateSelect(is_large, constant(infinity), magnitude);
    magnitude = b_.CreateSelect(is_small, constant(0), magnitude);
    bits = b_.CreateOr(sign, magnitude);
  }
  llvm::Value* is_nan = b_.CreateFCmpUNO(value.value, value.value);
  llvm::Value* of_nan = original;
  if (mantissa_bits == 0) {
    of_nan = b_.CreateOr(b_.CreateAnd(original, constant(sign_bit)),
                         constant(infinity));
  }
  bits = b_.CreateSelect(is_nan, of_nan, bits);
  return Add(
      {value.type,
       Round(value.type, b_.CreateBitCast(bits, value.value->getType()))});
}

}  // namespace lockstep
