#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "runtime/ir/constant_value.h"
#include "runtime/ir/op_def.h"
#include "runtime/passes/optimize/passes.h"
#include "runtime/passes/rewriter.h"

namespace lockstep::internal {
namespace {

// Every rule keeps every bit of the result for every operand, infinities,
// signed zeros and NaN included. So x * 0 and x + 0 of floats stay (NaN, -0).

constexpr double kInfinity = std::numeric_limits<double>::infinity();

ElementType TypeOf(const Op& op) { return op.result()->shape().element_type(); }
bool IsWhole(const Op& op) {
  return IsInteger(TypeOf(op)) || TypeOf(op) == ElementType::kPred;
}
bool IsReal(const Op& op) { return IsWhole(op) || IsFloat(TypeOf(op)); }

Value* Splat(const Op& op, Rewriter& rewriter, double number) {
  return rewriter.CreateSplat(op.result()->shape(),
                              ScalarOf(TypeOf(op), number));
}

// The other operand when one of them is the splat `number`.
Value* OtherThan(const Op& op, double number) {
  if (IsSplat(op.operand(1), number)) return op.operand(0);
  return IsSplat(op.operand(0), number) ? op.operand(1) : nullptr;
}
Value* OtherThanOnes(const Op& op) {
  if (IsSplatOfOnes(op.operand(1))) return op.operand(0);
  return IsSplatOfOnes(op.operand(0)) ? op.operand(1) : nullptr;
}
bool HasSameOperands(const Op& op) { return op.operand(0) == op.operand(1); }

Value* SimplifyAdd(const Op& op, Rewriter&) {
  if (IsFloat(TypeOf(op))) return OtherThan(op, -0.0);
  return IsWhole(op) ? OtherThan(op, 0) : nullptr;
}

Value* SimplifySubtract(const Op& op, Rewriter& rewriter) {
  if (!IsReal(op)) return nullptr;
  if (IsSplat(op.operand(1), 0.0)) return op.operand(0);
  if (IsInteger(TypeOf(op)) && HasSameOperands(op)) {
    return Splat(op, rewriter, 0);
  }
  return nullptr;
}

Value* SimplifyMultiply(const Op& op, Rewriter& rewriter) {
  if (!IsReal(op)) return nullptr;
  if (Value* other = OtherThan(op, 1)) return other;
  if (IsWhole(op) && OtherThan(op, 0) != nullptr) {
    return Splat(op, rewriter, 0);
  }
  return nullptr;
}

// x / 2^k is x * 2^-k: both round the same number.
Value* SimplifyDivide(const Op& op, Rewriter& rewriter) {
  if (!IsReal(op)) return nullptr;
  if (IsSplat(op.operand(1), 1)) return op.operand(0);
  const std::optional<double> divisor = SplatNumber(op.operand(1));
  int exponent;
  if (!IsFloat(TypeOf(op)) || !divisor.has_value() || *divisor == 0 ||
      !std::isfinite(*divisor) ||
      std::abs(std::frexp(*divisor, &exponent)) != 0.5 ||
      std::abs(exponent) > 13) {
    return nullptr;
  }
  return rewriter.Create("stablehlo.multiply",
                         {op.operand(0), Splat(op, rewriter, 1.0 / *divisor)},
                         op.result()->type());
}

Value* SimplifyPower(const Op& op, Rewriter& rewriter) {
  if (!IsFloat(TypeOf(op))) return nullptr;
  if (IsSplat(op.operand(1), 1)) return op.operand(0);
  const bool is_zero = SplatNumber(op.operand(1)) == 0.0;
  return is_zero ? Splat(op, rewriter, 1) : nullptr;
}

Value* SimplifyAnd(const Op& op, Rewriter& rewriter) {
  if (HasSameOperands(op)) return op.operand(0);
  if (OtherThan(op, 0) != nullptr) return Splat(op, rewriter, 0);
  return OtherThanOnes(op);
}

Value* SimplifyOr(const Op& op, Rewriter&) {
  if (HasSameOperands(op)) return op.operand(0);
  if (OtherThanOnes(op) != nullptr) {
    return IsSplatOfOnes(op.operand(0)) ? op.operand(0) : op.operand(1);
  }
  return OtherThan(op, 0);
}

Value* SimplifyXor(const Op& op, Rewriter& rewriter) {
  if (HasSameOperands(op)) return Splat(op, rewriter, 0);
  return OtherThan(op, 0);
}

Value* SimplifyMaximum(const Op& op, Rewriter&) {
  if (IsWhole(op) && HasSameOperands(op)) return op.operand(0);
  return IsFloat(TypeOf(op)) ? OtherThan(op, -kInfinity) : nullptr;
}

Value* SimplifyMinimum(const Op& op, Rewriter&) {
  if (IsWhole(op) && HasSameOperands(op)) return op.operand(0);
  return IsFloat(TypeOf(op)) ? OtherThan(op, kInfinity) : nullptr;
}

// An op that undoes itself.
Value* SimplifyInvolution(const Op& op, Rewriter&) {
  const Op* inner = op.operand(0)->defining_op();
  return inner != nullptr && inner->name() == op.name() ? inner->operand(0)
                                                        : nullptr;
}

Value* SimplifySelect(const Op& op, Rewriter&) {
  if (op.operand(0)->type() == op.result()->type() &&
      IsSplat(op.operand(1), 1) && IsSplat(op.operand(2), 0)) {
    return op.operand(0);
  }
  if (op.operand(1) == op.operand(2)) return op.operand(1);
  if (IsSplat(op.operand(0), 1)) return op.operand(1);
  return IsSplat(op.operand(0), 0) ? op.operand(2) : nullptr;
}

// Whether every value of `from` is one of `to`.
bool Widens(ElementType from, ElementType to) {
  if (from == to || from == ElementType::kPred) return !IsSmallFloat(to);
  if (IsSmall(from) || IsSmall(to)) return false;
  if (IsFloat(from)) {
    return (to == ElementType::kF64 || to == ElementType::kF32) &&
           ByteSize(from) < ByteSize(to);
  }
  if (IsSignedInteger(from)) {
    return IsSignedInteger(to) && ByteSize(from) < ByteSize(to);
  }
  return IsInteger(from) && IsInteger(to) && ByteSize(from) < ByteSize(to);
}

Value* SimplifyConvert(const Op& op, Rewriter& rewriter) {
  Value* operand = op.operand(0);
  if (operand->type() == op.result()->type()) return operand;
  const Op* inner = operand->defining_op();
  if (inner == nullptr || inner->name() != "stablehlo.convert") return nullptr;
  const ElementType from = inner->operand(0)->shape().element_type();
  const ElementType middle = operand->shape().element_type();
  if (!Widens(from, middle)) return nullptr;
  if (from == TypeOf(op)) return inner->operand(0);
  // Through a wider type of the same kind, straight to the last.
  if (IsFloat(from) != IsFloat(TypeOf(op)) || IsComplex(TypeOf(op))) {
    return nullptr;
  }
  return rewriter.CreateLike(op, {inner->operand(0)}, op.result()->type());
}

// real(complex(x, y)) and imag(complex(x, y)).
Value* SimplifyPart(const Op& op, Rewriter&) {
  const Op* inner = op.operand(0)->defining_op();
  if (inner == nullptr || inner->name() != "stablehlo.complex") return nullptr;
  return inner->operand(op.name() == "stablehlo.real" ? 0 : 1);
}

Value* Simplify(const Op& op, Rewriter& rewriter) {
  static const auto& rules =
      *new absl::flat_hash_map<std::string, Rewriter::Rule>{
          {"stablehlo.add", SimplifyAdd},
          {"stablehlo.and", SimplifyAnd},
          {"stablehlo.convert", SimplifyConvert},
          {"stablehlo.divide", SimplifyDivide},
          {"stablehlo.imag", SimplifyPart},
          {"stablehlo.maximum", SimplifyMaximum},
          {"stablehlo.minimum", SimplifyMinimum},
          {"stablehlo.multiply", SimplifyMultiply},
          {"stablehlo.negate", SimplifyInvolution},
          {"stablehlo.not", SimplifyInvolution},
          {"stablehlo.or", SimplifyOr},
          {"stablehlo.power", SimplifyPower},
          {"stablehlo.real", SimplifyPart},
          {"stablehlo.select", SimplifySelect},
          {"stablehlo.subtract", SimplifySubtract},
          {"stablehlo.xor", SimplifyXor},
      };
  const auto rule = rules.find(op.name());
  return rule == rules.end() ? nullptr : rule->second(op, rewriter);
}

}  // namespace

Pass SimplifyAlgebra() {
  return {"simplify_algebra", [](Module& module) {
            Rewriter({Simplify}).Run(module);
            return absl::OkStatus();
          }};
}

}  // namespace lockstep::internal
