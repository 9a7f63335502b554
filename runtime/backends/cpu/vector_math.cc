#include "runtime/backends/cpu/vector_math.h"

#include <limits>
#include <string>

#include "llvm/IR/Module.h"

namespace lockstep {
namespace {

constexpr double kLn2High = 0.693359375;
constexpr double kLn2Low = -2.12194440e-4;
constexpr double kLog2E = 1.44269504088896341;
// Adding and subtracting it rounds to an integer, which then stands in the low
// bits of the sum.
constexpr float kRounder = 12582912.0f;
constexpr uint32_t kRounderBits = 0x4b400000;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// 2/pi / 4, most significant word first.
constexpr uint32_t kTwoOverPi[] = {0x28be60db, 0x9391054a, 0x7f09d5f4,
                                   0x7d4d3770, 0x36d8a566, 0x4f10e410};

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

llvm::Value* VectorMath::Call(absl::string_view name,
                              llvm::ArrayRef<llvm::Value*> arguments) const {
  llvm::Type* type = arguments[0]->getType();
  std::string symbol(name);
  if (type->isFloatTy()) symbol += "f";
  llvm::SmallVector<llvm::Type*, 2> types(arguments.size(), type);
  llvm::Module* module = b_.GetInsertBlock()->getModule();
  llvm::FunctionCallee callee = module->getOrInsertFunction(
      symbol, llvm::FunctionType::get(type, types, false));
  auto* function = llvm::cast<llvm::Function>(callee.getCallee());
  function->setDoesNotAccessMemory();
  function->setDoesNotThrow();
  function->setWillReturn();
  return b_.CreateCall(callee, arguments);
}

VectorMath::ReducedExponent VectorMath::ReduceExponent(llvm::Value* x) const {
  llvm::Value* shifted = Fma(x, F(kLog2E), F(kRounder));
  llvm::Value* n = b_.CreateFSub(shifted, F(kRounder));
  llvm::Value* rest = Fma(n, F(-kLn2High), x);
  rest = Fma(n, F(-kLn2Low), rest);
  return {b_.CreateSub(Bits(shifted), I(kRounderBits)), rest};
}

llvm::Value* VectorMath::PowerOfTwo(llvm::Value* n) const {
  return FromBits(b_.CreateShl(b_.CreateAdd(n, I(127)), 23));
}

llvm::Value* VectorMath::Exponential(llvm::Value* x) const {
  if (!IsFloat(x)) return Call("exp", {x});
  llvm::Value* low = F(-104.0);
  llvm::Value* high = F(89.0);
  llvm::Value* clamped = b_.CreateSelect(b_.CreateFCmpOLT(x, low), low, x);
  clamped = b_.CreateSelect(b_.CreateFCmpOGT(clamped, high), high, clamped);
  const ReducedExponent e = ReduceExponent(clamped);
  llvm::Value* p =
      Polynomial(e.rest, {1.9875691500e-4, 1.3981999507e-3, 8.3334519073e-3,
                          4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1});
  p = b_.CreateFAdd(Fma(p, b_.CreateFMul(e.rest, e.rest), e.rest), F(1.0));
  // In two steps, so that results that are denormal are rounded once.
  llvm::Value* half = b_.CreateAShr(e.n, 1);
  p = b_.CreateFMul(p, PowerOfTwo(half));
  return b_.CreateFMul(p, PowerOfTwo(b_.CreateSub(e.n, half)));
}

llvm::Value* VectorMath::ExponentialMinusOne(llvm::Value* x) const {
  if (!IsFloat(x)) return Call("expm1", {x});
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
  llvm::Value* half_scale = PowerOfTwo(b_.CreateSub(e.n, I(1)));
  llvm::Value* scaled = Fma(p, half_scale, b_.CreateFSub(half_scale, F(0.5)));
  llvm::Value* result = b_.CreateFMul(scaled, F(2.0));
  // Keeps the sign of zero and denormals.
  llvm::Value* is_tiny = b_.CreateFCmpOLT(
      b_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x), F(1e-10));
  return b_.CreateSelect(is_tiny, x, result);
}

llvm::Value* VectorMath::Log(llvm::Value* x) const {
  if (!IsFloat(x)) return Call("log", {x});
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
  if (!IsFloat(x)) return Call("log1p", {x});
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

llvm::Value* VectorMath::Logistic(llvm::Value* x) const {
  llvm::Value* one = llvm::ConstantFP::get(x->getType(), 1.0);
  return b_.CreateFDiv(one, b_.CreateFAdd(one, Exponential(b_.CreateFNeg(x))));
}

llvm::Value* VectorMath::Tanh(llvm::Value* x) const {
  if (!IsFloat(x)) return Call("tanh", {x});
  llvm::Value* magnitude = b_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x);
  llvm::Value* clamped =
      b_.CreateSelect(b_.CreateFCmpOGT(magnitude, F(10.0)), F(10.0), magnitude);
  llvm::Value* e = ExponentialMinusOne(b_.CreateFMul(clamped, F(2.0)));
  llvm::Value* result = b_.CreateFDiv(e, b_.CreateFAdd(e, F(2.0)));
  return b_.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, result, x);
}

llvm::Value* VectorMath::Atan2(llvm::Value* y, llvm::Value* x) const {
  return Call("atan2", {y, x});
}
llvm::Value* VectorMath::CubeRoot(llvm::Value* x) const {
  return Call("cbrt", {x});
}
llvm::Value* VectorMath::Erf(llvm::Value* x) const { return Call("erf", {x}); }
llvm::Value* VectorMath::Erfc(llvm::Value* x) const {
  return Call("erfc", {x});
}
llvm::Value* VectorMath::Hypotenuse(llvm::Value* x, llvm::Value* y) const {
  return Call("hypot", {x, y});
}
llvm::Value* VectorMath::Tangent(llvm::Value* x) const {
  return Call("tan", {x});
}

llvm::Value* VectorMath::Power(llvm::Value* x, llvm::Value* y) const {
  return Call("pow", {x, y});
}

// The product of the mantissa and those 96 bits of 2/pi that matter at its
// exponent: exact for every float (Payne and Hanek).
VectorMath::ReducedAngle VectorMath::ReduceAngle(llvm::Value* x) const {
  llvm::Module* module = b_.GetInsertBlock()->getModule();
  llvm::GlobalVariable* table = module->getNamedGlobal("two_over_pi");
  if (table == nullptr) {
    llvm::SmallVector<uint32_t, 8> words = {0};
    words.append(std::begin(kTwoOverPi), std::end(kTwoOverPi));
    words.push_back(0);
    llvm::Constant* data = llvm::ConstantDataArray::get(b_.getContext(), words);
    table = new llvm::GlobalVariable(*module, data->getType(), true,
                                     llvm::GlobalValue::PrivateLinkage, data,
                                     "two_over_pi");
  }
  llvm::Type* i32 = b_.getInt32Ty();
  llvm::Type* i64 = b_.getInt64Ty();
  llvm::Value* bits = Bits(x);
  llvm::Value* mantissa = b_.CreateShl(
      b_.CreateOr(b_.CreateAnd(bits, I(0x007fffff)), I(0x00800000)), 8);
  llvm::Value* exponent =
      b_.CreateSub(b_.CreateAnd(b_.CreateLShr(bits, 23), I(0xff)), I(126));
  exponent = b_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, exponent, I(0));
  llvm::Value* word = b_.CreateLShr(exponent, 5);
  word = b_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, word, I(4));
  llvm::Value* shift = b_.CreateAnd(exponent, I(31));
  llvm::Value* words[4];
  for (int i = 0; i < 4; ++i) {
    llvm::Value* index = b_.CreateZExt(b_.CreateAdd(word, I(i)), i64);
    words[i] = b_.CreateLoad(i32, b_.CreateInBoundsGEP(i32, table, {index}));
  }
  llvm::Value* aligned[3];
  for (int i = 0; i < 3; ++i) {
    aligned[i] =
        b_.CreateZExt(b_.CreateIntrinsic(llvm::Intrinsic::fshl, {i32},
                                         {words[i], words[i + 1], shift}),
                      i64);
  }
  mantissa = b_.CreateZExt(mantissa, i64);
  llvm::Value* product = b_.CreateLShr(b_.CreateMul(mantissa, aligned[2]), 32);
  product = b_.CreateAdd(product, b_.CreateMul(mantissa, aligned[1]));
  product = b_.CreateAdd(product,
                         b_.CreateShl(b_.CreateMul(mantissa, aligned[0]), 32));
  // Two integer bits, then 62 of the fraction; the nearest integer is split
  // off.
  llvm::Value* rounded = b_.CreateAdd(product, b_.getInt64(uint64_t{1} << 61));
  llvm::Value* quadrant = b_.CreateTrunc(b_.CreateLShr(rounded, 62), i32);
  llvm::Value* fraction = b_.CreateShl(product, 2);
  llvm::Value* rest = b_.CreateSIToFP(fraction, b_.getDoubleTy());
  rest = b_.CreateFMul(
      rest,
      llvm::ConstantFP::get(b_.getDoubleTy(), 1.5707963267948966 * 0x1p-64));
  rest = b_.CreateFPTrunc(rest, b_.getFloatTy());
  llvm::Value* is_negative = b_.CreateICmpSLT(bits, I(0));
  quadrant = b_.CreateSelect(is_negative, b_.CreateNeg(quadrant), quadrant);
  rest = b_.CreateSelect(is_negative, b_.CreateFNeg(rest), rest);
  llvm::Value* magnitude = b_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x);
  llvm::Value* is_small = b_.CreateFCmpOLE(magnitude, F(0.785398163));
  quadrant = b_.CreateSelect(is_small, I(0), quadrant);
  rest = b_.CreateSelect(is_small, x, rest);
  llvm::Value* is_finite = b_.CreateFCmpOLT(magnitude, F(kInfinity));
  rest = b_.CreateSelect(is_finite, rest,
                         llvm::ConstantFP::getNaN(b_.getFloatTy()));
  return {quadrant, rest};
}

llvm::Value* VectorMath::SineOf(const ReducedAngle& angle) const {
  llvm::Value* x = angle.rest;
  llvm::Value* square = b_.CreateFMul(x, x);
  llvm::Value* sine = Polynomial(
      square, {2.6083159809786593541503e-06, -0.0001981069071916863322258,
               0.00833307858556509017944336, -0.166666597127914428710938});
  sine = Fma(b_.CreateFMul(sine, square), x, x);
  sine = b_.CreateSelect(b_.CreateFCmpOEQ(x, F(0.0)), x, sine);  // keeps -0
  llvm::Value* cosine =
      Polynomial(square, {2.44331571e-5, -1.38873162e-3, 4.16666456e-2, -0.5});
  cosine = Fma(cosine, square, F(1.0));
  llvm::Value* is_odd = b_.CreateTrunc(angle.quadrant, b_.getInt1Ty());
  llvm::Value* result = b_.CreateSelect(is_odd, cosine, sine);
  llvm::Value* sign = b_.CreateShl(b_.CreateAnd(angle.quadrant, I(2)), 30);
  return FromBits(b_.CreateXor(Bits(result), sign));
}

llvm::Value* VectorMath::Sine(llvm::Value* x) const {
  if (!IsFloat(x)) return Call("sin", {x});
  return SineOf(ReduceAngle(x));
}

llvm::Value* VectorMath::Cosine(llvm::Value* x) const {
  if (!IsFloat(x)) return Call("cos", {x});
  ReducedAngle angle = ReduceAngle(x);
  angle.quadrant = b_.CreateAdd(angle.quadrant, I(1));
  return SineOf(angle);
}

}  // namespace lockstep
