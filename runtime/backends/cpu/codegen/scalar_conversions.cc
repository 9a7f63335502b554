// LlvmScalarBuilder: conversions between types, and rounding.

#include "runtime/backends/cpu/codegen/llvm_scalar_builder.h"
#include "runtime/backends/cpu/codegen/small_float_code.h"
#include "runtime/types/element_type.h"
#include "runtime/types/small_float_format.h"

namespace lockstep::internal {
namespace {

bool IsHalf(ElementType type) {
  return type == ElementType::kF16 || type == ElementType::kBF16;
}

int BitsOf(ElementType type) { return static_cast<int>(8 * ByteSize(type)); }

}  // namespace

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

llvm::Value* LlvmScalarBuilder::IntegerToRoundedFloat(ElementType from,
                                                      llvm::Value* x) {
  const bool is_signed = IsSignedInteger(from);
  const auto converted = [&](llvm::Type* type) {
    return is_signed ? b_.CreateSIToFP(x, type) : b_.CreateUIToFP(x, type);
  };
  if (ByteSize(from) < 4) return converted(b_.getFloatTy());
  if (ByteSize(from) == 8) {
    // Bits that a double cannot hold are gathered in the lowest that it can, so
    // that the result is rounded as from the whole number.
    llvm::Value* low = b_.CreateAnd(x, b_.getInt64(0x7ff));
    llvm::Value* sticky =
        b_.CreateZExt(b_.CreateICmpNE(low, b_.getInt64(0)), b_.getInt64Ty());
    llvm::Value* high = is_signed ? b_.CreateAShr(x, 11) : b_.CreateLShr(x, 11);
    llvm::Value* shifted = b_.CreateShl(b_.CreateOr(high, sticky), 11);
    llvm::Value* magnitude =
        is_signed
            ? b_.CreateBinaryIntrinsic(llvm::Intrinsic::abs, x, b_.getFalse())
            : x;
    llvm::Value* is_small =
        b_.CreateICmpULT(magnitude, b_.getInt64(uint64_t{1} << 53));
    x = b_.CreateSelect(is_small, x, shifted);
  }
  return DoubleToFloatRoundingToOdd(converted(b_.getDoubleTy()));
}

llvm::Value* LlvmScalarBuilder::ConvertIntegerToFloat(ElementType from,
                                                      ElementType to,
                                                      llvm::Value* x) {
  if (IsHalf(to)) return Round(to, IntegerToRoundedFloat(from, x));
  llvm::Type* target =
      to == ElementType::kF64 ? b_.getDoubleTy() : b_.getFloatTy();
  return IsSignedInteger(from) ? b_.CreateSIToFP(x, target)
                               : b_.CreateUIToFP(x, target);
}

llvm::Value* LlvmScalarBuilder::ConvertReal(ElementType from, ElementType to,
                                            llvm::Value* x) {
  if (from == to) return x;
  if (IsSmallFloat(from)) {
    return ConvertReal(ElementType::kF32, to,
                       SmallFloatCode(b_, FormatOf(from)).Widen(x));
  }
  if (IsSmallFloat(to)) {
    const SmallFloatCode code(b_, FormatOf(to));
    if (!IsFloat(from)) return code.Narrow(IntegerToRoundedFloat(from, x));
    return code.Narrow(from == ElementType::kF64 ? DoubleToFloatRoundingToOdd(x)
                                                 : x);
  }
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

}  // namespace lockstep::internal
