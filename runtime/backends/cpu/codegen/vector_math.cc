#include "runtime/backends/cpu/codegen/vector_math.h"

#include <limits>
#include <numbers>

#include "runtime/backends/cpu/codegen/vector_library.h"

namespace lockstep::internal {
namespace {

constexpr double kLn2High = 0.693359375;
constexpr double kLn2Low = -2.12194440e-4;
constexpr double kLog2E = 1.44269504088896341;
// Adding and subtracting it rounds to an integer, which then stands in the low
// bits of the sum.
constexpr float kRounder = 12582912.0f;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

llvm::Value* VectorMath::F(double value) const {
  return llvm::ConstantFP::get(b_.getFloatTy(), value);
}

llvm::Value* VectorMath::Fma(llvm::Value* x, llvm::Value* y,
                             llvm::Value* z) const {
  return b_.CreateIntrinsic(llvm::Intrinsic::fma, {x->getType()}, {x, y, z});
}

llvm::Value* VectorMath::Polynomial(
    llvm::Value* x, std::initializer_list<double> coefficients) const {
  llvm::Value* sum = nullptr;
  for (double coefficient : coefficients) {
    sum = sum == nullptr ? F(coefficient) : Fma(sum, x, F(coefficient));
  }
  return sum;
}

llvm::Value* VectorMath::Bits(llvm::Value* x) const {
  return b_.CreateBitCast(x, b_.getInt32Ty());
}
llvm::Value* VectorMath::FromBits(llvm::Value* bits) const {
  return b_.CreateBitCast(bits, b_.getFloatTy());
}

VectorMath::ReducedExponent VectorMath::ReduceExponent(llvm::Value* x) const {
  llvm::Value* shifted = Fma(x, F(kLog2E), F(kRounder));
  llvm::Value* n = b_.CreateFSub(shifted, F(kRounder));
  llvm::Value* rest = Fma(n, F(-kLn2High), x);
  rest = Fma(n, F(-kLn2Low), rest);
  return {Bits(shifted), rest};
}

llvm::Value* VectorMath::Exponential(llvm::Value* x) const {
  if (!IsFloat(x)) return DoubleExponential(x);
  llvm::Value* low = F(-104.0);
  llvm::Value* high = F(89.0);
  llvm::Value* clamped = b_.CreateSelect(b_.CreateFCmpOLT(x, low), low, x);
  clamped = b_.CreateSelect(b_.CreateFCmpOGT(clamped, high), high, clamped);
  const ReducedExponent e = ReduceExponent(clamped);
  llvm::Value* p =
      Polynomial(e.rest, {1.9875691500e-4, 1.3981999507e-3, 8.3334519073e-3,
                          4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1});
  p = b_.CreateFAdd(Fma(p, b_.CreateFMul(e.rest, e.rest), e.rest), F(1.0));
  // In two steps, since 2^n may be too large or too small for a float; the
  // second one is exact or rounds to a denormal. The shift leaves of the
  // rounded sum only n, where the exponent stands.
  llvm::Value* is_small = b_.CreateFCmpOLT(clamped, F(-86.0));
  llvm::Value* bias =
      b_.CreateSelect(is_small, I((127 + 64) << 23), I((127 - 1) << 23));
  llvm::Value* scale =
      FromBits(b_.CreateAdd(b_.CreateShl(e.shifted, 23), bias));
  return b_.CreateFMul(b_.CreateFMul(p, scale),
                       b_.CreateSelect(is_small, F(0x1p-64), F(2.0)));
}

llvm::Value* VectorMath::DoubleExponential(llvm::Value* x) const {
  const auto constant = [&](double value) {
    return llvm::ConstantFP::get(x->getType(), value);
  };
  // SLEEF's overflows a little early: beyond 709, exp(709) exp(x - 709), with
  // exp(709) in two parts.
  llvm::Value* is_large = b_.CreateFCmpOGT(x, constant(709));
  llvm::Value* rest =
      b_.CreateSelect(is_large, b_.CreateFSub(x, constant(709)), x);
  llvm::Value* exponential = VectorLibrary(b_).Call("exp", {rest});
  llvm::Value* scaled =
      Fma(exponential, constant(0x1.d422d2be5dc9ap+1022),
          b_.CreateFMul(exponential, constant(0x1.9ba556174dcbep+969)));
  return b_.CreateSelect(is_large, scaled, exponential);
}

llvm::Value* VectorMath::ExponentialMinusOne(llvm::Value* x) const {
  if (!IsFloat(x)) return VectorLibrary(b_).Call("expm1", {x});
  llvm::Value* low = F(-30.0);
  llvm::Value* high = F(89.0);
  llvm::Value* clamped = b_.CreateSelect(b_.CreateFCmpOLT(x, low), low, x);
  clamped = b_.CreateSelect(b_.CreateFCmpOGT(clamped, high), high, clamped);
  const ReducedExponent e = ReduceExponent(clamped);
  llvm::Value* p =
      Polynomial(e.rest, {1.9875691500e-4, 1.3981999507e-3, 8.3334519073e-3,
                          4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1});
  p = Fma(p, b_.CreateFMul(e.rest, e.rest), e.rest);
  // 2^n p + (2^n - 1), at half the scale since 2^128 is no float.
  llvm::Value* half_scale =
      FromBits(b_.CreateAdd(b_.CreateShl(e.shifted, 23), I((127 - 1) << 23)));
  llvm::Value* scaled = Fma(p, half_scale, b_.CreateFSub(half_scale, F(0.5)));
  llvm::Value* result = b_.CreateFMul(scaled, F(2.0));
  // Keeps the sign of zero and denormals.
  llvm::Value* is_tiny = b_.CreateFCmpOLT(
      b_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x), F(1e-10));
  return b_.CreateSelect(is_tiny, x, result);
}

llvm::Value* VectorMath::Log(llvm::Value* x) const {
  if (!IsFloat(x)) return VectorLibrary(b_).Call("log", {x});
  llvm::Value* is_denormal = b_.CreateFCmpOLT(x, F(1.17549435e-38));
  llvm::Value* scaled =
      b_.CreateSelect(is_denormal, b_.CreateFMul(x, F(8388608.0)), x);
  // Mantissa in [sqrt(1/2), sqrt(2)).
  llvm::Value* bits = b_.CreateSub(Bits(scaled), I(0x3f3504f3));
  llvm::Value* exponent = b_.CreateAShr(bits, 23);
  llvm::Value* mantissa =
      FromBits(b_.CreateAdd(b_.CreateAnd(bits, I(0x007fffff)), I(0x3f3504f3)));
  exponent = b_.CreateSub(exponent, b_.CreateSelect(is_denormal, I(23), I(0)));
  llvm::Value* e = b_.CreateSIToFP(exponent, b_.getFloatTy());
  llvm::Value* f = b_.CreateFSub(mantissa, F(1.0));
  llvm::Value* square = b_.CreateFMul(f, f);
  llvm::Value* p =
      Polynomial(f, {7.0376836292e-2, -1.1514610310e-1, 1.1676998740e-1,
                     -1.2420140846e-1, 1.4249322787e-1, -1.6668057665e-1,
                     2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1});
  llvm::Value* tail = b_.CreateFMul(b_.CreateFMul(p, square), f);
  tail = Fma(e, F(kLn2Low), tail);
  tail = Fma(square, F(-0.5), tail);
  llvm::Value* result = Fma(e, F(kLn2High), b_.CreateFAdd(f, tail));
  result = b_.CreateSelect(b_.CreateFCmpUEQ(x, F(kInfinity)), x, result);
  result = b_.CreateSelect(b_.CreateFCmpOLT(x, F(0.0)),
                           llvm::ConstantFP::getNaN(b_.getFloatTy()), result);
  return b_.CreateSelect(b_.CreateFCmpOEQ(x, F(0.0)), F(-kInfinity), result);
}

llvm::Value* VectorMath::LogPlusOne(llvm::Value* x) const {
  if (!IsFloat(x)) {
    // SLEEF's overflows near the largest double.
    llvm::Value* huge = llvm::ConstantFP::get(x->getType(), 1e300);
    llvm::Value* is_huge = b_.CreateFCmpOGT(x, huge);
    llvm::Value* scaled =
        b_.CreateFMul(x, llvm::ConstantFP::get(x->getType(), 0x1p-512));
    llvm::Value* log =
        VectorLibrary(b_).Call("log1p", {b_.CreateSelect(is_huge, scaled, x)});
    llvm::Value* of_scale =
        llvm::ConstantFP::get(x->getType(), 512 * std::numbers::ln2);
    return b_.CreateSelect(is_huge, b_.CreateFAdd(log, of_scale), log);
  }
  llvm::Value* sum = b_.CreateFAdd(x, F(1.0));
  llvm::Value* log = Log(sum);
  // What rounding the sum lost, to first order.
  llvm::Value* lost = b_.CreateFSub(x, b_.CreateFSub(sum, F(1.0)));
  llvm::Value* corrected = b_.CreateFAdd(log, b_.CreateFDiv(lost, sum));
  llvm::Value* is_special = b_.CreateOr(b_.CreateFCmpUEQ(sum, F(kInfinity)),
                                        b_.CreateFCmpOLE(sum, F(0.0)));
  llvm::Value* result = b_.CreateSelect(is_special, log, corrected);
  llvm::Value* is_tiny = b_.CreateFCmpOLT(
      b_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x), F(1e-10));
  return b_.CreateSelect(is_tiny, x, result);
}

// Of the side on which the exponential does not overflow:
// 1 / (1 + exp(-x)) = exp(x) / (1 + exp(x)).
llvm::Value* VectorMath::Logistic(llvm::Value* x) const {
  llvm::Value* one = llvm::ConstantFP::get(x->getType(), 1.0);
  llvm::Value* zero = llvm::ConstantFP::get(x->getType(), 0.0);
  llvm::Value* e = Exponential(
      b_.CreateFNeg(b_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x)));
  llvm::Value* dividend = b_.CreateSelect(b_.CreateFCmpOLT(x, zero), e, one);
  return b_.CreateFDiv(dividend, b_.CreateFAdd(one, e));
}

llvm::Value* VectorMath::Tanh(llvm::Value* x) const {
  if (!IsFloat(x)) return VectorLibrary(b_).Call("tanh", {x});
  llvm::Value* magnitude = b_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x);
  llvm::Value* clamped =
      b_.CreateSelect(b_.CreateFCmpOGT(magnitude, F(10.0)), F(10.0), magnitude);
  llvm::Value* e = ExponentialMinusOne(b_.CreateFMul(clamped, F(2.0)));
  llvm::Value* result = b_.CreateFDiv(e, b_.CreateFAdd(e, F(2.0)));
  return b_.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, result, x);
}

// Below 1: x + x q(x^2). Above: 1 - 2^g(x), where 2^g is so small that a few of
// its last digits do not count. q, g and 2^x are minimax polynomials nearly.
llvm::Value* VectorMath::Erf(llvm::Value* x) const {
  if (!IsFloat(x)) return VectorLibrary(b_).Call("erf", {x});
  llvm::Value* magnitude = b_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x);
  llvm::Value* square = b_.CreateFMul(x, x);
  llvm::Value* small = Polynomial(
      square, {7.875875062685488e-05, -0.000801686428716587,
               0.005189087423433974, -0.026854212010626412, 0.11283594715160218,
               -0.37612626666720334, 0.12837916584835093});
  small = Fma(x, small, x);
  // Where erf is 1 to the last digit.
  llvm::Value* clamped =
      b_.CreateSelect(b_.CreateFCmpOGT(magnitude, F(4.0)), F(4.0), magnitude);
  llvm::Value* power = Polynomial(
      clamped,
      {2.361910227018601e-06, -6.644770978074627e-05, 0.000861008516515442,
       -0.006866645968928733, 0.03811764189002414, -0.1588119897709087,
       -0.911532311288859, -1.630582171493444, 0.0004618615766698807});
  llvm::Value* shifted = b_.CreateFAdd(power, F(kRounder));
  llvm::Value* rest = b_.CreateFSub(power, b_.CreateFSub(shifted, F(kRounder)));
  llvm::Value* mantissa = Polynomial(
      rest, {0.0013390863364671234, 0.009676031918322054, 0.05550357114219078,
             0.2402210748530834, 0.6931471880262288, 1.0000000754548972});
  llvm::Value* scale =
      FromBits(b_.CreateAdd(b_.CreateShl(Bits(shifted), 23), I(127 << 23)));
  llvm::Value* large = Fma(b_.CreateFNeg(mantissa), scale, F(1.0));
  large = b_.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, large, x);
  return b_.CreateSelect(b_.CreateFCmpOLT(magnitude, F(1.0)), small, large);
}

}  // namespace lockstep::internal
