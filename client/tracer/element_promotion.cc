#include "client/tracer/element_promotion.h"

#include <array>
#include <limits>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/types/convert.h"
#include "runtime/types/element_text.h"

namespace lockstep::internal {
namespace {

// The lattice's nodes are the element types and, above their values, the weak
// types.
using Node = int;
constexpr Node kWeakInteger = 61;
constexpr Node kWeakFloat = 62;
constexpr Node kWeakComplex = 63;

constexpr Node NodeOf(ElementType type) { return static_cast<Node>(type); }

// The nodes directly above each.
std::vector<std::pair<Node, std::vector<Node>>> Edges() {
  const auto types = [](std::initializer_list<ElementType> list) {
    std::vector<Node> nodes;
    for (ElementType type : list) nodes.push_back(NodeOf(type));
    return nodes;
  };
  using enum ElementType;
  std::vector<std::pair<Node, std::vector<Node>>> edges = {
      {NodeOf(kPred), {kWeakInteger}},
      {kWeakInteger, types({kU8, kS8, kS2, kS4, kU2, kU4})},
      {NodeOf(kU8), types({kS16, kU16})},
      {NodeOf(kU16), types({kS32, kU32})},
      {NodeOf(kU32), types({kS64, kU64})},
      {NodeOf(kS8), types({kS16})},
      {NodeOf(kS16), types({kS32})},
      {NodeOf(kS32), types({kS64})},
      {NodeOf(kS64), {kWeakFloat}},
      {NodeOf(kU64), {kWeakFloat}},
      {kWeakFloat, types({kBF16, kF16, kF8E5M2, kF8E4M3, kF8E3M4, kF8E4M3FN,
                          kF8E4M3FNUZ, kF8E5M2FNUZ, kF8E4M3B11FNUZ, kF8E8M0FNU,
                          kF6E2M3FN, kF6E3M2FN, kF4E2M1FN})},
      {NodeOf(kBF16), types({kF32})},
      {NodeOf(kF16), types({kF32})},
      {NodeOf(kF32), types({kF64, kC64})},
      {NodeOf(kF64), types({kC128})},
      {kWeakComplex, types({kC64})},
      {NodeOf(kC64), types({kC128})},
  };
  edges.push_back({kWeakFloat, {kWeakComplex}});
  return edges;
}

// For each node the set of those above it and itself, a bit each.
std::array<uint64_t, 64> UpperBounds() {
  std::array<uint64_t, 64> bounds;
  for (Node node = 0; node < 64; ++node) bounds[node] = uint64_t{1} << node;
  const auto edges = Edges();
  for (bool has_grown = true; has_grown;) {
    has_grown = false;
    for (const auto& [from, above] : edges) {
      for (Node to : above) {
        const uint64_t grown = bounds[from] | bounds[to];
        has_grown = has_grown || grown != bounds[from];
        bounds[from] = grown;
      }
    }
  }
  return bounds;
}

// -1 when there is none.
Node LeastUpperBound(absl::Span<const Node> nodes) {
  static const std::array<uint64_t, 64> bounds = UpperBounds();
  uint64_t common = ~uint64_t{0};
  for (Node node : nodes) common &= bounds[node];
  for (Node node = 0; node < 64; ++node) {
    if ((common >> node & 1) != 0 && bounds[node] == common) return node;
  }
  return -1;
}

Node WeakNodeOf(ElementType type) {
  if (type == ElementType::kPred) return NodeOf(type);
  if (IsInteger(type)) return kWeakInteger;
  return IsComplex(type) ? kWeakComplex : kWeakFloat;
}

absl::Status NoCommonType(absl::Span<const PromotedType> types) {
  return absl::InvalidArgumentError(absl::StrCat(
      "no type holds all of ",
      absl::StrJoin(types, ", ",
                    [](std::string* out, const PromotedType& type) {
                      absl::StrAppend(out, NumpyName(type.type));
                    }),
      "; convert with astype"));
}

// What a weak result is on its own: as wide as the numbers of its kind, and in
// 64 bits where it came to be for an integer of 64.
ElementType WeakResultType(Node weak, absl::Span<const PromotedType> types) {
  std::vector<Node> numbers;
  if (weak == kWeakFloat) numbers.push_back(NodeOf(ElementType::kF32));
  if (weak == kWeakComplex) numbers.push_back(NodeOf(ElementType::kC64));
  for (const PromotedType& type : types) {
    const bool is_wide = IsInteger(type.type) && ByteSize(type.type) == 8;
    if (weak != kWeakInteger && is_wide) {
      numbers.push_back(NodeOf(ElementType::kF64));
    }
    if (type.is_weak && WeakNodeOf(type.type) == weak) {
      numbers.push_back(NodeOf(type.type));
    }
  }
  return static_cast<ElementType>(LeastUpperBound(numbers));
}

}  // namespace

absl::StatusOr<PromotedType> CommonType(absl::Span<const PromotedType> types) {
  bool are_all_weak = true, are_equal = true;
  for (const PromotedType& type : types) {
    are_all_weak = are_all_weak && type.is_weak;
    are_equal = are_equal && type.type == types[0].type;
  }
  if (are_equal) {
    return PromotedType{types[0].type,
                        are_all_weak && types[0].type != ElementType::kPred};
  }
  std::vector<Node> nodes;
  for (const PromotedType& type : types) {
    const bool is_number = type.is_weak && !are_all_weak;
    nodes.push_back(is_number ? WeakNodeOf(type.type) : NodeOf(type.type));
  }
  const Node bound = LeastUpperBound(nodes);
  if (bound < 0) return NoCommonType(types);
  if (bound >= kWeakInteger) {
    return PromotedType{WeakResultType(bound, types), true};
  }
  const auto type = static_cast<ElementType>(bound);
  return PromotedType{type, are_all_weak && type != ElementType::kPred};
}

ElementType InexactType(ElementType type) {
  if (type != ElementType::kPred && !IsInteger(type)) return type;
  return ByteSize(type) == 8 ? ElementType::kF64 : ElementType::kF32;
}

ElementType DefaultTypeOf(const Literal& scalar) {
  switch (scalar.shape().element_type()) {
    case ElementType::kS64: {
      const int64_t value = scalar.data<int64_t>()[0];
      const bool fits = value >= std::numeric_limits<int32_t>::min() &&
                        value <= std::numeric_limits<int32_t>::max();
      return fits ? ElementType::kS32 : ElementType::kS64;
    }
    case ElementType::kU64:
      return scalar.data<uint64_t>()[0] <=
                     static_cast<uint64_t>(std::numeric_limits<int32_t>::max())
                 ? ElementType::kS32
                 : ElementType::kU64;
    case ElementType::kF64:
      return ElementType::kF32;
    case ElementType::kC128:
      return ElementType::kC64;
    default:
      return scalar.shape().element_type();
  }
}

Literal ConvertScalar(const Literal& scalar, ElementType type) {
  if (scalar.shape().element_type() == type) return scalar;
  Literal converted(Shape(type, {}));
  ConvertElements(scalar, converted.mutable_view());
  return converted;
}

absl::StatusOr<Literal> FitScalar(const Literal& scalar, ElementType type) {
  const ElementType from = scalar.shape().element_type();
  Literal converted = ConvertScalar(scalar, type);
  if (!IsInteger(from) || !IsInteger(type)) return converted;
  const bool is_negative =
      from == ElementType::kS64 && scalar.data<int64_t>()[0] < 0;
  const bool lost = !(ConvertScalar(converted, from) == scalar) ||
                    (is_negative && IsUnsignedInteger(type));
  if (!lost) return converted;
  return absl::InvalidArgumentError(
      absl::StrCat("the number ", FormatElement(from, scalar.bytes()),
                   " does not fit ", NumpyName(type)));
}

}  // namespace lockstep::internal
