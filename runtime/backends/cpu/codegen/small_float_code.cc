#include "runtime/backends/cpu/codegen/small_float_code.h"

#include <cmath>

#include "runtime/types/small_float_format.h"

namespace lockstep::internal {
namespace {

using Special = SmallFloatFormat::Special;

// Of f32.
constexpr int kMantissaBits = 23;
constexpr int kBias = 127;
constexpr uint32_t kSign = 0x80000000;
constexpr uint32_t kInfinity = 0x7f800000;
constexpr uint32_t kNan = 0x7fc00000;

}  // namespace

llvm::Value* SmallFloatCode::WidenScale(llvm::Value* bits) const {
  llvm::Value* wide = b_.CreateZExt(bits, b_.getInt32Ty());
  llvm::Value* exponent = b_.CreateShl(wide, kMantissaBits);
  // The least power of two is a denormal number.
  llvm::Value* scale = b_.CreateSelect(b_.CreateICmpEQ(wide, I(0)),
                                       I(1u << (kMantissaBits - 1)), exponent);
  return FromBits(
      b_.CreateSelect(b_.CreateICmpEQ(wide, I(0xFF)), I(kNan), scale));
}

llvm::Value* SmallFloatCode::Widen(llvm::Value* bits) const {
  if (is_scale()) return WidenScale(bits);
  const auto sign_bit = static_cast<uint32_t>(SignBit(format_));
  const auto largest = static_cast<uint32_t>(LargestBits(format_));
  const int width = format_.exponent_bits + format_.mantissa_bits;
  llvm::Value* wide = b_.CreateZExt(bits, b_.getInt32Ty());
  llvm::Value* magnitude = b_.CreateAnd(wide, I(sign_bit - 1));
  llvm::Value* sign = b_.CreateShl(b_.CreateAnd(wide, I(sign_bit)), 31 - width);
  llvm::Value* normal = b_.CreateAdd(
      b_.CreateShl(magnitude, kMantissaBits - format_.mantissa_bits),
      I(static_cast<uint32_t>(kBias - format_.bias) << kMantissaBits));
  llvm::Value* unit = llvm::ConstantFP::get(
      b_.getFloatTy(),
      std::ldexp(1.0, 1 - format_.bias - format_.mantissa_bits));
  llvm::Value* subnormal =
      Bits(b_.CreateFMul(b_.CreateSIToFP(magnitude, b_.getFloatTy()), unit));
  llvm::Value* result = b_.CreateSelect(
      b_.CreateICmpULT(magnitude, I(1u << format_.mantissa_bits)), subnormal,
      normal);
  if (format_.special == Special::kIeee || format_.special == Special::kNan) {
    llvm::Value* special = I(kNan);
    if (format_.special == Special::kIeee) {
      special = b_.CreateSelect(b_.CreateICmpEQ(magnitude, I(largest + 1)),
                                I(kInfinity), special);
    }
    result = b_.CreateSelect(b_.CreateICmpUGT(magnitude, I(largest)), special,
                             result);
  }
  result = b_.CreateOr(result, sign);
  if (format_.special == Special::kNegative) {
    result =
        b_.CreateSelect(b_.CreateICmpEQ(wide, I(sign_bit)), I(kNan), result);
  }
  return FromBits(result);
}

llvm::Value* SmallFloatCode::NarrowScale(llvm::Value* x) const {
  llvm::Value* bits = Bits(x);
  llvm::Value* exponent = b_.CreateLShr(bits, kMantissaBits);
  llvm::Value* mantissa = b_.CreateAnd(bits, I((1u << kMantissaBits) - 1));
  // Halfway goes up; denormal numbers below the least scale become that.
  llvm::Value* is_denormal = b_.CreateICmpEQ(exponent, I(0));
  llvm::Value* halfway = b_.CreateSelect(is_denormal, I(0x600000), I(0x400000));
  llvm::Value* is_up = b_.CreateICmpUGE(mantissa, halfway);
  llvm::Value* rounded =
      b_.CreateAdd(exponent, b_.CreateZExt(is_up, b_.getInt32Ty()));
  // NaN, infinity, zero and what is negative.
  llvm::Value* is_positive =
      b_.CreateFCmpOGT(x, llvm::ConstantFP::get(x->getType(), 0.0));
  return b_.CreateTrunc(b_.CreateSelect(is_positive, rounded, I(0xFF)),
                        b_.getInt8Ty());
}

llvm::Value* SmallFloatCode::RoundMagnitude(llvm::Value* magnitude) const {
  const int dropped = kMantissaBits - format_.mantissa_bits;
  llvm::Value* is_odd = b_.CreateAnd(b_.CreateLShr(magnitude, dropped), 1);
  llvm::Value* rounded = b_.CreateAdd(
      magnitude, b_.CreateAdd(is_odd, I((1u << (dropped - 1)) - 1)));
  llvm::Value* normal = b_.CreateSub(
      b_.CreateLShr(rounded, dropped),
      I(static_cast<uint32_t>(kBias - format_.bias) << format_.mantissa_bits));
  // The sum with a number whose unit is that of the denormal ones is rounded to
  // it.
  const double unit = std::ldexp(1.0, 1 - format_.bias - format_.mantissa_bits);
  llvm::Value* large =
      llvm::ConstantFP::get(b_.getFloatTy(), std::ldexp(unit, kMantissaBits));
  llvm::Value* subnormal = b_.CreateSub(
      Bits(b_.CreateFAdd(FromBits(magnitude), large)), Bits(large));
  const uint32_t smallest_normal =
      static_cast<uint32_t>((kBias + 1 - format_.bias) << kMantissaBits);
  return b_.CreateSelect(b_.CreateICmpULT(magnitude, I(smallest_normal)),
                         subnormal, normal);
}

llvm::Value* SmallFloatCode::Saturate(llvm::Value* magnitude) const {
  const auto largest = static_cast<uint32_t>(LargestBits(format_));
  // Infinity or NaN comes after the largest number, where there is one.
  const uint32_t beyond = format_.special == Special::kFinite ? largest
                          : format_.special == Special::kNegative
                              ? NanBits(format_)
                              : largest + 1;
  return b_.CreateSelect(b_.CreateICmpUGT(magnitude, I(largest)), I(beyond),
                         magnitude);
}

llvm::Value* SmallFloatCode::Narrow(llvm::Value* x) const {
  if (is_scale()) return NarrowScale(x);
  const int width = format_.exponent_bits + format_.mantissa_bits;
  const auto sign_bit = static_cast<uint32_t>(SignBit(format_));
  llvm::Value* bits = Bits(x);
  llvm::Value* magnitude = b_.CreateAnd(bits, I(~kSign));
  llvm::Value* sign =
      b_.CreateAnd(b_.CreateLShr(bits, 31 - width), I(sign_bit));
  llvm::Value* rounded = Saturate(RoundMagnitude(magnitude));
  llvm::Value* is_nan = b_.CreateICmpUGT(magnitude, I(kInfinity));
  const bool has_signed_nan =
      format_.special == Special::kIeee || format_.special == Special::kNan;
  rounded = b_.CreateSelect(is_nan, I(NanBits(format_)), rounded);
  if (format_.special == Special::kNegative) {
    // One zero, and one NaN, which has its bit already.
    sign = b_.CreateSelect(b_.CreateICmpEQ(rounded, I(0)), I(0), sign);
  } else if (!has_signed_nan) {
    sign = b_.CreateSelect(is_nan, I(0), sign);
  }
  return b_.CreateTrunc(b_.CreateOr(rounded, sign), b_.getInt8Ty());
}

}  // namespace lockstep::internal
