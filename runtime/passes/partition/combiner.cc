#include "runtime/passes/partition/combiner.h"

#include <concepts>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include "absl/strings/string_view.h"
#include "runtime/ir/constant_value.h"
#include "runtime/ops/reduction_body.h"
#include "runtime/types/element_type.h"

namespace lockstep::internal {
namespace {

// The smallest value of the type, or the largest: infinite where it can be.
std::optional<Literal> Extreme(ElementType type, bool is_smallest) {
  Literal literal(Shape(type, {}));
  switch (type) {
    case ElementType::kF16:
    case ElementType::kBF16:
    case ElementType::kF32:
    case ElementType::kF64: {
      const double infinity = std::numeric_limits<double>::infinity();
      return ScalarOf(type, is_smallest ? -infinity : infinity);
    }
    default:
      break;
  }
  bool is_found = false;
  DispatchElementType(type, [&]<typename T>(std::type_identity<T>) {
    if constexpr (std::integral<T>) {
      using Limits = std::numeric_limits<T>;
      literal.mutable_data<T>()[0] =
          is_smallest ? Limits::min() : Limits::max();
      is_found = true;
    }
  });
  if (!is_found) return std::nullopt;
  return literal;
}

Literal Ones(ElementType type) {
  Literal literal(Shape(type, {}));
  if (type == ElementType::kPred) {
    literal.mutable_data<bool>()[0] = true;
  } else {
    std::memset(literal.mutable_bytes(), 0xFF,
                static_cast<size_t>(literal.shape().byte_size()));
  }
  return literal;
}

std::optional<Literal> IdentityOf(absl::string_view op, ElementType type) {
  if (op == "stablehlo.maximum") return Extreme(type, /*is_smallest=*/true);
  if (op == "stablehlo.minimum") return Extreme(type, /*is_smallest=*/false);
  if (op == "stablehlo.and") return Ones(type);
  if (op == "stablehlo.multiply") {
    if (IsComplex(type) || type == ElementType::kPred) return std::nullopt;
    return ScalarOf(type, 1);
  }
  return Literal(Shape(type, {}));  // add, or, xor
}

}  // namespace

std::optional<Combiner> CombinerOf(const Region& body, ElementType type) {
  const Op* op = SingleOpBody(body);
  if (op == nullptr || !IsCommutative(op->name()) ||
      op->result()->shape().element_type() != type) {
    return std::nullopt;
  }
  // Types of fewer bits are kept in bytes, whose limits are not theirs.
  if (BitWidth(type) < 8 && type != ElementType::kPred) return std::nullopt;
  // The sum of two preds is their disjunction: nothing else counts on it.
  if (type == ElementType::kPred && op->name() != "stablehlo.and" &&
      op->name() != "stablehlo.or" && op->name() != "stablehlo.xor") {
    return std::nullopt;
  }
  return CombinerOf(op->name(), type);
}

std::optional<Combiner> CombinerOf(absl::string_view op, ElementType type) {
  std::optional<Literal> identity = IdentityOf(op, type);
  if (!identity.has_value()) return std::nullopt;
  return Combiner{std::string(op), *std::move(identity)};
}

Combiner SumOf(ElementType type) {
  return {"stablehlo.add", Literal(Shape(type, {}))};
}

}  // namespace lockstep::internal
