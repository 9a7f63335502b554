// ComplexMath: the elementary functions.

#include <cmath>
#include <limits>
#include <numbers>

#include "runtime/backends/cpu/codegen/complex_math.h"
#include "runtime/backends/cpu/codegen/vector_library.h"

namespace lockstep::internal {

using Number = ComplexMath::Number;
using llvm::Value;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

std::pair<Value*, Value*> ComplexMath::SplitExponential(Value* x) const {
  constexpr double kStep = 700;
  Value* is_large = b_.CreateFCmpOGT(x, Constant(x, kStep));
  Value* rest =
      b_.CreateSelect(is_large, b_.CreateFSub(x, Constant(x, kStep)), x);
  return {
      Call("exp", rest),
      b_.CreateSelect(is_large, Constant(x, std::exp(kStep)), Constant(x, 1))};
}

Number ComplexMath::WideExponential(Number z) const {
  const auto [exponential, scale] = SplitExponential(z.real);
  const auto times = [&](Value* x) {
    return b_.CreateFMul(b_.CreateFMul(exponential, x), scale);
  };
  Value* sine = Call("sin", z.imaginary);
  Number result = {times(Call("cos", z.imaginary)), times(sine)};
  // exp(-inf + i inf) is 0, exp(+inf + i inf) is (inf, NaN).
  Value* is_lost =
      b_.CreateAnd(IsInfinite(z.real), b_.CreateNot(IsFinite(z.imaginary)));
  Value* is_small = b_.CreateFCmpOLT(z.real, Constant(z.real, 0));
  Value* zero = Constant(z.real, 0);
  const Number limit = {
      b_.CreateSelect(is_small, zero, Constant(z.real, kInfinity)),
      b_.CreateSelect(is_small, WithSign(zero, z.imaginary), sine)};
  result = Choose(is_lost, limit, result);
  // The imaginary part stays zero though the real part is no number.
  Value* is_real = IsZero(z.imaginary);
  result.imaginary = b_.CreateSelect(is_real, z.imaginary, result.imaginary);
  return result;
}

Number ComplexMath::Exponential(Number z) const {
  return Wide(z, [this](Number z) {
    // Without a direction both parts are NaN, whatever the magnitude.
    Value* nan = Constant(z.real, std::numeric_limits<double>::quiet_NaN());
    return Choose(IsFinite(z.imaginary), WideExponential(z), {nan, nan});
  });
}

Number ComplexMath::ExponentialMinusOne(Number z) const {
  return Wide(z, [this](Number z) -> Number {
    // exp(a) cos(b) - 1 = expm1(a) cos(b) - 2 sin^2(b/2).
    Value* half =
        Call("sin", b_.CreateFMul(z.imaginary, Constant(z.imaginary, 0.5)));
    Value* twice = b_.CreateFMul(half, Constant(half, 2));
    return {b_.CreateFSub(
                b_.CreateFMul(Call("expm1", z.real), Call("cos", z.imaginary)),
                b_.CreateFMul(twice, half)),
            b_.CreateFMul(Call("exp", z.real), Call("sin", z.imaginary))};
  });
}

Value* ComplexMath::LogOfAbs(Number z) const {
  Value* a = Magnitude(z.real);
  Value* b = Magnitude(z.imaginary);
  Value* is_swapped = b_.CreateFCmpOLT(a, b);
  Value* large = b_.CreateSelect(is_swapped, b, a);
  Value* small = b_.CreateSelect(is_swapped, a, b);
  Value* one = Constant(a, 1);
  // (large - 1) (large + 1) + small^2 with twice the digits.
  Value* below = b_.CreateFSub(large, one);
  Value* above = b_.CreateFAdd(large, one);
  Value* above_rest = b_.CreateFSub(large, b_.CreateFSub(above, one));
  Value* product = b_.CreateFMul(below, above);
  Value* rest =
      Fma(below, above_rest, Fma(below, above, b_.CreateFNeg(product)));
  Value* square = b_.CreateFMul(small, small);
  rest = b_.CreateFAdd(rest, Fma(small, small, b_.CreateFNeg(square)));
  Value* sum = b_.CreateFAdd(product, square);
  Value* added = b_.CreateFSub(sum, product);
  rest = b_.CreateFAdd(
      rest, b_.CreateFAdd(b_.CreateFSub(product, b_.CreateFSub(sum, added)),
                          b_.CreateFSub(square, added)));
  Value* near_one =
      b_.CreateFMul(Call("log1p", b_.CreateFAdd(sum, rest)), Constant(a, 0.5));
  // Elsewhere the logarithm of the absolute value, scaled away from overflow
  // and from denormals.
  Value* exponent = LargerExponent(a, b);
  Value* scale = PowerOfTwo(b_.CreateNeg(exponent));
  Value* absolute =
      Call("hypot", b_.CreateFMul(a, scale), b_.CreateFMul(b, scale));
  Value* far = Fma(b_.CreateSIToFP(exponent, b_.getDoubleTy()),
                   Constant(a, std::numbers::ln2), Call("log", absolute));
  Value* is_near = b_.CreateAnd(b_.CreateFCmpOGT(large, Constant(a, 0.5)),
                                b_.CreateFCmpOLT(large, Constant(a, 2)));
  Value* result = b_.CreateSelect(is_near, near_one, far);
  Value* is_infinite = b_.CreateOr(IsInfinite(a), IsInfinite(b));
  return b_.CreateSelect(is_infinite, Constant(a, kInfinity), result);
}

Number ComplexMath::WideLog(Number z) const {
  return {LogOfAbs(z), Call("atan2", z.imaginary, z.real)};
}

Number ComplexMath::Log(Number z) const {
  return Wide(z, [this](Number z) { return WideLog(z); });
}

Number ComplexMath::LogPlusOne(Number z) const {
  return Wide(z, [this](Number z) -> Number {
    Value* a = z.real;
    Value* b = z.imaginary;
    Value* sum = b_.CreateFAdd(a, Constant(a, 1));
    // |1 + z|^2 - 1 without the cancellation of 1 + a.
    Value* square =
        b_.CreateFAdd(b_.CreateFMul(a, b_.CreateFAdd(a, Constant(a, 2))),
                      b_.CreateFMul(b, b));
    Value* eight = Constant(a, 8);
    Value* is_near = b_.CreateAnd(b_.CreateFCmpOLT(Magnitude(a), eight),
                                  b_.CreateFCmpOLT(Magnitude(b), eight));
    Value* near = b_.CreateFMul(Call("log1p", square), Constant(a, 0.5));
    Value* far = LogOfAbs({sum, b});
    return {b_.CreateSelect(is_near, near, far), Call("atan2", b, sum)};
  });
}

Number ComplexMath::Logistic(Number z) const {
  return Wide(z, [this](Number z) {
    const Number exponential =
        WideExponential({b_.CreateFNeg(z.real), b_.CreateFNeg(z.imaginary)});
    Value* one = Constant(z.real, 1);
    return WideDivide(
        {one, Constant(z.real, 0)},
        {b_.CreateFAdd(one, exponential.real), exponential.imaginary});
  });
}

// The principal root. The absolute value is scaled, so that it is finite.
Number ComplexMath::CubeRoot(Number z) const {
  return Wide(z, [this](Number z) -> Number {
    Value* is_huge = b_.CreateFCmpOGT(
        b_.CreateBinaryIntrinsic(llvm::Intrinsic::maxnum, Magnitude(z.real),
                                 Magnitude(z.imaginary)),
        Constant(z.real, 0x1p1000));
    Value* one = Constant(z.real, 1);
    Value* scale = b_.CreateSelect(is_huge, Constant(z.real, 0x1p-30), one);
    Value* unscale = b_.CreateSelect(is_huge, Constant(z.real, 0x1p10), one);
    Value* root =
        b_.CreateFMul(Call("cbrt", Call("hypot", b_.CreateFMul(z.real, scale),
                                        b_.CreateFMul(z.imaginary, scale))),
                      unscale);
    Value* angle = b_.CreateFMul(Call("atan2", z.imaginary, z.real),
                                 Constant(z.real, 1.0 / 3));
    return {b_.CreateFMul(root, Call("cos", angle)),
            b_.CreateFMul(root, Call("sin", angle))};
  });
}

Number ComplexMath::WideSquareRoot(Number z) const {
  // Scaled by an even power of two, which is one of its root too.
  Value* half = b_.CreateAShr(LargerExponent(z.real, z.imaginary), 1);
  Value* scale = PowerOfTwo(b_.CreateNeg(b_.CreateShl(half, 1)));
  Value* unscale = PowerOfTwo(half);
  Value* a = b_.CreateFMul(z.real, scale);
  Value* b = b_.CreateFMul(z.imaginary, scale);
  Value* absolute = Call("hypot", a, b);
  Value* infinity = Constant(a, kInfinity);
  absolute = b_.CreateSelect(b_.CreateOr(IsInfinite(a), IsInfinite(b)),
                             infinity, absolute);
  Value* root =
      b_.CreateFMul(Root(b_.CreateFMul(b_.CreateFAdd(Magnitude(a), absolute),
                                       Constant(a, 0.5))),
                    unscale);
  // Of the number itself: scaled, the smaller part may vanish.
  Value* other =
      b_.CreateFDiv(z.imaginary, b_.CreateFMul(root, Constant(a, 2)));
  Value* is_right = b_.CreateFCmpOGE(a, Constant(a, 0));
  Number result =
      Choose(is_right, {root, other}, {Magnitude(other), WithSign(root, b)});
  result = Choose(IsZero(absolute), {Constant(a, 0), b}, result);
  result = Choose(IsInfinite(b), {infinity, b}, result);
  return result;
}

Number ComplexMath::SquareRoot(Number z) const {
  return Wide(z, [this](Number z) { return WideSquareRoot(z); });
}

Number ComplexMath::ReciprocalSquareRoot(Number z) const {
  return Wide(z, [this](Number z) {
    return WideDivide({Constant(z.real, 1), Constant(z.real, 0)},
                      WideSquareRoot(z));
  });
}

// sinh(a) cos(b) + i cosh(a) sin(b); beyond 20 both are exp(|a|) / 2.
Number ComplexMath::WideSinh(Number z) const {
  Value* magnitude = Magnitude(z.real);
  Value* is_large = b_.CreateFCmpOGT(magnitude, Constant(magnitude, 20));
  const auto [exponential, scale] = SplitExponential(magnitude);
  Value* half = b_.CreateFMul(exponential, Constant(magnitude, 0.5));
  Value* sinh =
      b_.CreateSelect(is_large, WithSign(half, z.real), Call("sinh", z.real));
  Value* cosh = b_.CreateSelect(is_large, half, Call("cosh", z.real));
  Value* unit = b_.CreateSelect(is_large, scale, Constant(scale, 1));
  Value* sine = Call("sin", z.imaginary);
  Number result = {
      b_.CreateFMul(b_.CreateFMul(sinh, Call("cos", z.imaginary)), unit),
      b_.CreateFMul(b_.CreateFMul(cosh, sine), unit)};
  // (0, inf) gives (0, NaN), (inf, inf) gives (inf, NaN).
  Value* is_lost =
      b_.CreateAnd(b_.CreateNot(IsFinite(z.imaginary)),
                   b_.CreateOr(IsZero(z.real), IsInfinite(z.real)));
  result.real = b_.CreateSelect(is_lost, z.real, result.real);
  result.imaginary =
      b_.CreateSelect(IsZero(z.imaginary), z.imaginary, result.imaginary);
  return result;
}

// cosh(a) cos(b) + i sinh(a) sin(b).
Number ComplexMath::WideCosh(Number z) const {
  Value* magnitude = Magnitude(z.real);
  Value* is_large = b_.CreateFCmpOGT(magnitude, Constant(magnitude, 20));
  const auto [exponential, scale] = SplitExponential(magnitude);
  Value* half = b_.CreateFMul(exponential, Constant(magnitude, 0.5));
  Value* sinh =
      b_.CreateSelect(is_large, WithSign(half, z.real), Call("sinh", z.real));
  Value* cosh = b_.CreateSelect(is_large, half, Call("cosh", z.real));
  Value* unit = b_.CreateSelect(is_large, scale, Constant(scale, 1));
  Value* sine = Call("sin", z.imaginary);
  Number result = {
      b_.CreateFMul(b_.CreateFMul(cosh, Call("cos", z.imaginary)), unit),
      b_.CreateFMul(b_.CreateFMul(sinh, sine), unit)};
  Value* is_infinite =
      b_.CreateAnd(IsInfinite(z.real), b_.CreateNot(IsFinite(z.imaginary)));
  result.real = b_.CreateSelect(is_infinite, magnitude, result.real);
  // A zero part makes the imaginary part zero, whatever the other one is.
  Value* is_zero =
      b_.CreateAnd(IsNan(result.imaginary),
                   b_.CreateOr(IsZero(z.real), IsZero(z.imaginary)));
  Value* zero = b_.CreateFMul(WithSign(Constant(magnitude, 0), z.real),
                              WithSign(Constant(magnitude, 1), z.imaginary));
  result.imaginary = b_.CreateSelect(is_zero, zero, result.imaginary);
  return result;
}

// sin(z) = -i sinh(iz), cos(z) = cosh(iz), tan(z) = -i tanh(iz).
Number ComplexMath::Sine(Number z) const {
  return Wide(z, [this](Number z) -> Number {
    const Number turned = WideSinh({b_.CreateFNeg(z.imaginary), z.real});
    return {turned.imaginary, b_.CreateFNeg(turned.real)};
  });
}

Number ComplexMath::Cosine(Number z) const {
  return Wide(z, [this](Number z) {
    return WideCosh({b_.CreateFNeg(z.imaginary), z.real});
  });
}

Number ComplexMath::Tangent(Number z) const {
  return Wide(z, [this](Number z) -> Number {
    const Number turned = WideTanh({b_.CreateFNeg(z.imaginary), z.real});
    return {turned.imaginary, b_.CreateFNeg(turned.real)};
  });
}

Number ComplexMath::Tanh(Number z) const {
  return Wide(z, [this](Number z) { return WideTanh(z); });
}

// With s = sinh(a), c = cos(b): s cosh(a) / (s^2 + c^2) and
// sin(b) c / (s^2 + c^2); for large a: 1 and 4 sin(b) c exp(-2a).
Number ComplexMath::WideTanh(Number z) const {
  Value* magnitude = Magnitude(z.real);
  Value* limit = Constant(magnitude, 20);
  Value* is_large = b_.CreateFCmpOGT(magnitude, limit);
  Value* clamped = b_.CreateSelect(is_large, WithSign(limit, z.real), z.real);
  Value* sinh = Call("sinh", clamped);
  Value* cosine = Call("cos", z.imaginary);
  Value* both = b_.CreateFMul(Call("sin", z.imaginary), cosine);
  Value* square =
      b_.CreateFAdd(b_.CreateFMul(sinh, sinh), b_.CreateFMul(cosine, cosine));
  const Number small = {
      b_.CreateFDiv(b_.CreateFMul(sinh, Call("cosh", clamped)), square),
      b_.CreateFDiv(both, square)};
  Value* one = WithSign(Constant(magnitude, 1), z.real);
  Value* decay = Call("exp", b_.CreateFMul(magnitude, Constant(magnitude, -2)));
  Value* is_finite = IsFinite(z.imaginary);
  Value* is_infinite = IsInfinite(z.real);
  const Number large = {
      b_.CreateSelect(b_.CreateOr(is_finite, is_infinite), one, both),
      b_.CreateFMul(b_.CreateFMul(both, Constant(both, 4)), decay)};
  Number result = Choose(is_large, large, small);
  result.imaginary = b_.CreateSelect(
      b_.CreateAnd(is_infinite, b_.CreateNot(is_finite)),
      WithSign(Constant(magnitude, 0), z.imaginary), result.imaginary);
  result.real =
      b_.CreateSelect(b_.CreateAnd(IsZero(z.real), b_.CreateNot(is_finite)),
                      z.real, result.real);
  result.imaginary =
      b_.CreateSelect(IsZero(z.imaginary), z.imaginary, result.imaginary);
  return result;
}

}  // namespace lockstep::internal
