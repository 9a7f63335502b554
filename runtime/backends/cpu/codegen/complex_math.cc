#include "runtime/backends/cpu/codegen/complex_math.h"

#include <limits>

#include "llvm/IR/MDBuilder.h"
#include "runtime/backends/cpu/codegen/vector_library.h"

namespace lockstep::internal {

using Number = ComplexMath::Number;
using llvm::Value;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

Value* ComplexMath::Constant(Value* like, double value) const {
  return llvm::ConstantFP::get(like->getType(), value);
}

Value* ComplexMath::Call(const char* name, Value* x) const {
  return VectorLibrary(b_).Call(name, {x});
}

Value* ComplexMath::Call(const char* name, Value* x, Value* y) const {
  return VectorLibrary(b_).Call(name, {x, y});
}

Value* ComplexMath::Fma(Value* x, Value* y, Value* z) const {
  return b_.CreateIntrinsic(llvm::Intrinsic::fma, {x->getType()}, {x, y, z});
}

Value* ComplexMath::Magnitude(Value* x) const {
  return b_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x);
}

Value* ComplexMath::Root(Value* x) const {
  return b_.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, x);
}

Value* ComplexMath::WithSign(Value* x, Value* sign) const {
  return b_.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, x, sign);
}

Value* ComplexMath::IsNan(Value* x) const { return b_.CreateFCmpUNO(x, x); }
Value* ComplexMath::IsInfinite(Value* x) const {
  return b_.CreateFCmpOEQ(Magnitude(x), Constant(x, kInfinity));
}

Value* ComplexMath::IsFinite(Value* x) const {
  return b_.CreateFCmpOLT(Magnitude(x), Constant(x, kInfinity));
}

Value* ComplexMath::IsZero(Value* x) const {
  return b_.CreateFCmpOEQ(x, Constant(x, 0));
}

Value* ComplexMath::BoxInfinity(Value* x) const {
  return WithSign(
      b_.CreateSelect(IsInfinite(x), Constant(x, 1), Constant(x, 0)), x);
}

Value* ComplexMath::NanToZero(Value* x) const {
  return b_.CreateSelect(IsNan(x), WithSign(Constant(x, 0), x), x);
}

Number ComplexMath::Choose(Value* condition, Number x, Number y) const {
  return {b_.CreateSelect(condition, x.real, y.real),
          b_.CreateSelect(condition, x.imaginary, y.imaginary)};
}

Value* ComplexMath::PowerOfTwo(Value* n) const {
  return b_.CreateBitCast(b_.CreateShl(b_.CreateAdd(n, b_.getInt64(1023)), 52),
                          b_.getDoubleTy());
}

Value* ComplexMath::LargerExponent(Value* x, Value* y) const {
  Value* larger = b_.CreateBinaryIntrinsic(llvm::Intrinsic::maxnum,
                                           Magnitude(x), Magnitude(y));
  Value* bits = b_.CreateBitCast(larger, b_.getInt64Ty());
  Value* exponent = b_.CreateSub(b_.CreateLShr(bits, 52), b_.getInt64(1023));
  exponent = b_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, exponent,
                                      b_.getInt64(1021));
  return b_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, exponent,
                                  b_.getInt64(static_cast<uint64_t>(-1021)));
}

Number ComplexMath::WhereLost(Number plain,
                              const std::function<Number()>& repair) const {
  Value* is_lost = b_.CreateAnd(IsNan(plain.real), IsNan(plain.imaginary));
  llvm::LLVMContext& context = b_.getContext();
  llvm::BasicBlock* before = b_.GetInsertBlock();
  llvm::Function* function = before->getParent();
  auto* rare = llvm::BasicBlock::Create(context, "lost", function);
  auto* after = llvm::BasicBlock::Create(context, "found", function);
  b_.CreateCondBr(is_lost, rare, after,
                  llvm::MDBuilder(context).createBranchWeights(1, 100000));
  b_.SetInsertPoint(rare);
  const Number repaired = repair();
  llvm::BasicBlock* end = b_.GetInsertBlock();
  b_.CreateBr(after);
  b_.SetInsertPoint(after);
  const auto either = [&](Value* usual, Value* other) {
    llvm::PHINode* phi = b_.CreatePHI(usual->getType(), 2);
    phi->addIncoming(usual, before);
    phi->addIncoming(other, end);
    return phi;
  };
  Value* real = either(plain.real, repaired.real);
  return {real, either(plain.imaginary, repaired.imaginary)};
}

Number ComplexMath::Multiply(Number x, Number y) const {
  Value* a = x.real;
  Value* b = x.imaginary;
  Value* c = y.real;
  Value* d = y.imaginary;
  Value* ac = b_.CreateFMul(a, c);
  Value* bd = b_.CreateFMul(b, d);
  Value* ad = b_.CreateFMul(a, d);
  Value* bc = b_.CreateFMul(b, c);
  const Number plain = {b_.CreateFSub(ac, bd), b_.CreateFAdd(ad, bc)};
  return WhereLost(plain, [&] {
    return RepairedProduct(
        x, y, plain,
        b_.CreateOr(b_.CreateOr(IsInfinite(ac), IsInfinite(bd)),
                    b_.CreateOr(IsInfinite(ad), IsInfinite(bc))));
  });
}

Number ComplexMath::RepairedProduct(Number x, Number y, Number plain,
                                    Value* overflows) const {
  Value* a = x.real;
  Value* b = x.imaginary;
  Value* c = y.real;
  Value* d = y.imaginary;
  // An infinity times what is not zero is an infinity though both parts of the
  // plain product are NaN.
  Value* is_x_infinite = b_.CreateOr(IsInfinite(a), IsInfinite(b));
  Value* is_y_infinite = b_.CreateOr(IsInfinite(c), IsInfinite(d));
  Value* is_infinite =
      b_.CreateOr(b_.CreateOr(is_x_infinite, is_y_infinite), overflows);
  const auto boxed = [&](Value* is_own, Value* part) {
    return b_.CreateSelect(is_own, BoxInfinity(part), NanToZero(part));
  };
  a = boxed(is_x_infinite, a);
  b = boxed(is_x_infinite, b);
  c = boxed(is_y_infinite, c);
  d = boxed(is_y_infinite, d);
  Value* infinity = Constant(a, kInfinity);
  const Number infinite = {
      b_.CreateFMul(infinity,
                    b_.CreateFSub(b_.CreateFMul(a, c), b_.CreateFMul(b, d))),
      b_.CreateFMul(infinity,
                    b_.CreateFAdd(b_.CreateFMul(a, d), b_.CreateFMul(b, c)))};
  return Choose(is_infinite, infinite, plain);
}

Number ComplexMath::WideDivide(Number x, Number y) const {
  // Both to near 1, so that no square overflows.
  Value* x_exponent = LargerExponent(x.real, x.imaginary);
  Value* y_exponent = LargerExponent(y.real, y.imaginary);
  Value* exponent = b_.CreateSub(x_exponent, y_exponent);
  Value* half = b_.CreateAShr(exponent, 1);
  Value* first_scale = PowerOfTwo(half);
  Value* second_scale = PowerOfTwo(b_.CreateSub(exponent, half));
  const auto scaled = [&](Number z, Value* scale) {
    return Number{b_.CreateFMul(z.real, scale),
                  b_.CreateFMul(z.imaginary, scale)};
  };
  const Number quotient =
      PlainDivide(scaled(x, PowerOfTwo(b_.CreateNeg(x_exponent))),
                  scaled(y, PowerOfTwo(b_.CreateNeg(y_exponent))));
  const Number plain = scaled(scaled(quotient, first_scale), second_scale);
  return WhereLost(plain, [&] { return RepairedQuotient(x, y, plain); });
}

Number ComplexMath::PlainDivide(Number x, Number y) const {
  Value* square = b_.CreateFAdd(b_.CreateFMul(y.real, y.real),
                                b_.CreateFMul(y.imaginary, y.imaginary));
  Value* real = b_.CreateFAdd(b_.CreateFMul(x.real, y.real),
                              b_.CreateFMul(x.imaginary, y.imaginary));
  Value* imaginary = b_.CreateFSub(b_.CreateFMul(x.imaginary, y.real),
                                   b_.CreateFMul(x.real, y.imaginary));
  return {b_.CreateFDiv(real, square), b_.CreateFDiv(imaginary, square)};
}

Number ComplexMath::RepairedQuotient(Number x, Number y, Number plain) const {
  Value* a = x.real;
  Value* b = x.imaginary;
  Value* c = y.real;
  Value* d = y.imaginary;
  const auto dot = [&](Value* a, Value* b, Value* c, Value* d) {
    return b_.CreateFAdd(b_.CreateFMul(a, c), b_.CreateFMul(b, d));
  };
  const auto cross = [&](Value* a, Value* b, Value* c, Value* d) {
    return b_.CreateFSub(b_.CreateFMul(b, c), b_.CreateFMul(a, d));
  };
  Value* infinity = Constant(a, kInfinity);
  Value* zero = Constant(a, 0);
  Value* pole = WithSign(infinity, c);
  const Number by_zero = {b_.CreateFMul(pole, a), b_.CreateFMul(pole, b)};
  Value* is_by_zero =
      b_.CreateAnd(b_.CreateAnd(IsZero(c), IsZero(d)),
                   b_.CreateNot(b_.CreateAnd(IsNan(a), IsNan(b))));
  Value* xa = BoxInfinity(a);
  Value* xb = BoxInfinity(b);
  const Number infinite = {b_.CreateFMul(infinity, dot(xa, xb, c, d)),
                           b_.CreateFMul(infinity, cross(xa, xb, c, d))};
  Value* is_infinite = b_.CreateAnd(b_.CreateOr(IsInfinite(a), IsInfinite(b)),
                                    b_.CreateAnd(IsFinite(c), IsFinite(d)));
  Value* yc = BoxInfinity(c);
  Value* yd = BoxInfinity(d);
  const Number vanishing = {b_.CreateFMul(zero, dot(a, b, yc, yd)),
                            b_.CreateFMul(zero, cross(a, b, yc, yd))};
  Value* is_vanishing = b_.CreateAnd(b_.CreateOr(IsInfinite(c), IsInfinite(d)),
                                     b_.CreateAnd(IsFinite(a), IsFinite(b)));
  Number result = Choose(is_vanishing, vanishing, plain);
  result = Choose(is_infinite, infinite, result);
  return Choose(is_by_zero, by_zero, result);
}

Number ComplexMath::Divide(Number x, Number y) const {
  if (x.real->getType()->isDoubleTy()) return WideDivide(x, y);
  // Of f32 nothing overflows in f64.
  return Wide(x, y, [this](Number x, Number y) {
    const Number plain = PlainDivide(x, y);
    return WhereLost(plain, [&] { return RepairedQuotient(x, y, plain); });
  });
}

Value* ComplexMath::IsLess(Number x, Number y) const {
  return b_.CreateOr(b_.CreateFCmpOLT(x.real, y.real),
                     b_.CreateAnd(b_.CreateFCmpOEQ(x.real, y.real),
                                  b_.CreateFCmpOLT(x.imaginary, y.imaginary)));
}

Number ComplexMath::Winner(Number x, Number y, Value* is_second) const {
  const auto has_nan = [&](Number z) {
    return b_.CreateFCmpUNO(z.real, z.imaginary);
  };
  is_second = b_.CreateOr(is_second, has_nan(y));
  return Choose(b_.CreateAnd(is_second, b_.CreateNot(has_nan(x))), y, x);
}

Number ComplexMath::Maximum(Number x, Number y) const {
  return Winner(x, y, IsLess(x, y));
}

Number ComplexMath::Minimum(Number x, Number y) const {
  return Winner(x, y, IsLess(y, x));
}

Value* ComplexMath::Abs(Number z) const {
  if (z.real->getType()->isDoubleTy()) {
    return Call("hypot", z.real, z.imaginary);
  }
  // Squares of f32 are exact in f64, and neither overflow nor vanish there.
  Value* x = b_.CreateFPExt(z.real, b_.getDoubleTy());
  Value* y = b_.CreateFPExt(z.imaginary, b_.getDoubleTy());
  Value* squares = b_.CreateFAdd(b_.CreateFMul(x, x), b_.CreateFMul(y, y));
  Value* root = b_.CreateFPTrunc(Root(squares), b_.getFloatTy());
  Value* is_infinite = b_.CreateOr(IsInfinite(z.real), IsInfinite(z.imaginary));
  return b_.CreateSelect(is_infinite, Constant(z.real, kInfinity), root);
}

Number ComplexMath::Sign(Number z) const {
  Value* absolute = Abs(z);
  Value* zero = Constant(z.real, 0);
  return Choose(
      IsZero(absolute), {zero, zero},
      {b_.CreateFDiv(z.real, absolute), b_.CreateFDiv(z.imaginary, absolute)});
}

}  // namespace lockstep::internal
