#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tests/generator/op_families.h"

namespace lockstep::internal {
namespace {

using Strings = std::vector<std::string>;

void Append(Strings& ops, const Strings& more) {
  ops.insert(ops.end(), more.begin(), more.end());
}

Strings BinaryOps(const GeneratedValue& a, const GeneratedValue& b) {
  const bool is_exact = a.is_exact && b.is_exact;
  Strings ops;
  if (!IsComplex(a.type())) ops = {"maximum", "minimum"};
  if (a.is_pred()) {
    Append(ops, {"and", "or", "xor", "add", "multiply"});
  } else if (IsInteger(a.type())) {
    Append(ops, {"add", "subtract", "multiply", "divide", "remainder", "and",
                 "or", "xor", "shift_left", "shift_right_logical",
                 "shift_right_arithmetic", "power"});
  } else {
    if (Fits(a.type(), a.bound + b.bound, is_exact)) {
      Append(ops, {"add", "subtract", "add"});
    }
    // Products of infinite complex numbers have no single meaning.
    const bool is_defined =
        !IsComplex(a.type()) || !(a.has_special || b.has_special);
    if (is_defined && Fits(a.type(), 2 * a.bound * b.bound, is_exact)) {
      ops.push_back("multiply");
    }
  }
  return ops;
}

Strings UnaryOps(const GeneratedValue& a) {
  const ElementType type = a.type();
  if (a.is_pred()) return {"not"};
  if (IsComplex(type)) return {"negate"};
  if (IsInteger(type)) {
    Strings ops = {"not", "popcnt", "count_leading_zeros", "negate"};
    if (IsSignedInteger(type)) Append(ops, {"abs", "sign"});
    return ops;
  }
  Strings ops = {"negate", "abs"};
  if (a.is_exact) {
    Append(ops, {"sign", "floor", "ceil", "round_nearest_even",
                 "round_nearest_afz"});
  }
  if (type == ElementType::kF32 || type == ElementType::kF64) {
    Append(ops, {"tanh", "logistic", "tanh", "logistic"});
    if (a.bound <= 8) {
      Append(ops, {"exponential", "sine", "cosine", "exponential_minus_one"});
    }
  }
  return ops;
}

}  // namespace

void AddBinary(ProgramBuilder& builder) {
  const GeneratedValue a = builder.Any();
  const GeneratedValue b = builder.Like(a.shape);
  const Strings ops = BinaryOps(a, b);
  if (ops.empty()) return;
  const std::string op = builder.entropy().Any(ops);
  GeneratedValue like = Merged(a, b);
  if (op == "multiply") {
    like.bound = (IsComplex(a.type()) ? 2 : 1) * a.bound * b.bound;
  } else if (op == "add" || op == "subtract") {
    like.bound = a.bound + b.bound;
  }
  builder.Define(a.shape, like,
                 absl::StrCat("stablehlo.", op, " ", a.name, ", ", b.name,
                              " : ", a.shape.ToString()));
}

void AddUnary(ProgramBuilder& builder) {
  const GeneratedValue a = builder.Any();
  const std::string op = builder.entropy().Any(UnaryOps(a));
  GeneratedValue like = a;
  if (op == "tanh" || op == "logistic" || op == "sine" || op == "cosine") {
    like.bound = 1;
    like.is_exact = false;
  } else if (op == "exponential" || op == "exponential_minus_one") {
    like.bound = std::exp(a.bound) + 1;
    like.is_exact = false;
  }
  builder.Define(
      a.shape, like,
      absl::StrCat("stablehlo.", op, " ", a.name, " : ", a.shape.ToString()));
}

void AddCompare(ProgramBuilder& builder) {
  const GeneratedValue a = builder.AnyExact();
  const GeneratedValue b = builder.ExactLike(a.shape);
  Strings directions = {"EQ", "NE"};
  if (!IsComplex(a.type())) Append(directions, {"LT", "LE", "GT", "GE"});
  const Shape result(ElementType::kPred, a.shape.dims());
  builder.Define(
      result, GeneratedValue(),
      absl::StrCat("stablehlo.compare ", builder.entropy().Any(directions),
                   ", ", Names({a, b}), Types({a, b}, result)));
}

void AddSelect(ProgramBuilder& builder) {
  const GeneratedValue a = builder.Any();
  const GeneratedValue b = builder.Like(a.shape);
  const Shape all(ElementType::kPred, a.shape.dims());
  const Shape one(ElementType::kPred, {});
  const GeneratedValue p = builder.Like(builder.OneIn(4) ? one : all);
  builder.Define(a.shape, Merged(a, b),
                 absl::StrCat("stablehlo.select ", Names({p, a, b}),
                              Types({p, a, b}, a.shape)));
}

void AddClamp(ProgramBuilder& builder) {
  const GeneratedValue x = builder.Any();
  if (x.is_pred() || IsComplex(x.type())) return;
  const Shape scalar(x.type(), {});
  const GeneratedValue low = builder.Like(builder.OneIn(2) ? scalar : x.shape);
  const GeneratedValue high = builder.Like(low.shape);
  builder.Define(x.shape, Merged(x, Merged(low, high)),
                 absl::StrCat("stablehlo.clamp ", Names({low, x, high}),
                              Types({low, x, high}, x.shape)));
}

void AddConvert(ProgramBuilder& builder) {
  const GeneratedValue a = builder.Any();
  const ElementType to = builder.DrawType();
  const ElementType from = a.type();
  if (IsComplex(from) || IsComplex(to)) return;
  GeneratedValue like = a;
  if (IsAnyFloat(from)) {
    // What does not fit the integer, or decides how it rounds, is left out.
    const double largest = IsSmall(to) ? 4 : 100;
    if (!IsAnyFloat(to) &&
        (!a.is_exact || a.has_special || a.bound > largest)) {
      return;
    }
    if (IsUnsignedInteger(to)) return;  // of negative numbers
    if (IsAnyFloat(to) && !Fits(to, a.bound, a.is_exact)) return;
    // Not all have the infinite.
    if (IsSmallFloat(to) && a.has_special) return;
    if (!a.is_exact && ByteSize(to) < 4) return;
  } else if (IsAnyFloat(to)) {
    if (!a.is_pred() && ByteSize(from) > 1) return;
    like.bound = a.is_pred() ? 1 : 256;
    if (!Fits(to, like.bound, true)) return;
  }
  const Shape result(to, a.shape.dims());
  builder.Define(
      result, like,
      absl::StrCat("stablehlo.convert ", a.name, Types({a}, result)));
}

// From parts, or to one of them.
void AddComplex(ProgramBuilder& builder) {
  const auto fits = [](const GeneratedValue& value) {
    return IsComplex(value.type()) || value.type() == ElementType::kF32 ||
           value.type() == ElementType::kF64;
  };
  const GeneratedValue a = builder.AnyThat(fits, Shape(ElementType::kC64, {3}));
  if (IsComplex(a.type())) {
    const Shape part(RealType(a.type()), a.shape.dims());
    builder.Define(
        part, a,
        absl::StrCat("stablehlo.", builder.OneIn(2) ? "real " : "imag ", a.name,
                     Types({a}, part)));
    return;
  }
  const GeneratedValue b = builder.Like(a.shape);
  const Shape whole(
      a.type() == ElementType::kF32 ? ElementType::kC64 : ElementType::kC128,
      a.shape.dims());
  builder.Define(
      whole, Merged(a, b),
      absl::StrCat("stablehlo.complex ", Names({a, b}), Types({a, b}, whole)));
}

}  // namespace lockstep::internal
