#include "runtime/backends/cpu/sorting/sort_order.h"

#include <string>

#include "runtime/ir/constant_value.h"

namespace lockstep::internal {
namespace {

// An argument of the comparator, perhaps with zeros and NaNs made equal.
struct KeySide {
  int operand = 0;
  bool is_lhs = true;
  bool merges_zeros = false;
  bool merges_nans = false;
};

struct Comparison {
  std::string direction;
  bool is_total = false;
  const Value* lhs = nullptr;
  const Value* rhs = nullptr;
};

const Op* OpOf(const Value* value, absl::string_view name) {
  const Op* op = value->defining_op();
  return op != nullptr && op->name() == name ? op : nullptr;
}

std::optional<Comparison> MatchComparison(const Value* value) {
  const Op* op = OpOf(value, "stablehlo.compare");
  if (op == nullptr) return std::nullopt;
  Comparison comparison = {*op->EnumAttribute("comparison_direction"), false,
                           op->operand(0), op->operand(1)};
  if (op->attribute("compare_type") != nullptr) {
    comparison.is_total = *op->EnumAttribute("compare_type") == "TOTALORDER";
  }
  return comparison;
}

// select(x == 0, 0, x) and select(x != x, NaN, x), in any order.
std::optional<KeySide> MatchSide(const Value* value) {
  if (value->region() != nullptr) {
    return KeySide{value->index() / 2, value->index() % 2 == 0};
  }
  const Op* select = OpOf(value, "stablehlo.select");
  if (select == nullptr) return std::nullopt;
  const auto test = MatchComparison(select->operand(0));
  const auto constant = SplatNumber(select->operand(1));
  const Value* rest = select->operand(2);
  std::optional<KeySide> side = MatchSide(rest);
  if (!test.has_value() || !constant.has_value() || !side.has_value() ||
      test->is_total) {
    return std::nullopt;
  }
  // The test may be of the value before another select, which changes neither
  // whether it is zero nor whether it is NaN.
  const std::optional<KeySide> tested = MatchSide(test->lhs);
  if (!tested.has_value() || tested->operand != side->operand ||
      tested->is_lhs != side->is_lhs) {
    return std::nullopt;
  }
  if (test->direction == "EQ" && *constant == 0 &&
      SplatNumber(test->rhs) == 0.0) {
    side->merges_zeros = true;
    return side;
  }
  if (test->direction == "NE" && test->lhs == test->rhs &&
      *constant != *constant) {
    side->merges_nans = true;
    return side;
  }
  return std::nullopt;
}

// The key of a comparison of both sides of one operand.
std::optional<SortKey> MatchKey(const Comparison& comparison) {
  const std::optional<KeySide> x = MatchSide(comparison.lhs);
  const std::optional<KeySide> y = MatchSide(comparison.rhs);
  if (!x.has_value() || !y.has_value() || x->operand != y->operand ||
      x->is_lhs == y->is_lhs || x->merges_zeros != y->merges_zeros ||
      x->merges_nans != y->merges_nans) {
    return std::nullopt;
  }
  SortKey key;
  key.operand = x->operand;
  key.type = comparison.lhs->shape().element_type();
  if (!CanBeSortKey(key.type)) return std::nullopt;
  key.is_descending = (comparison.direction == "GT") == x->is_lhs;
  if (IsFloat(key.type)) {
    key.merges_zeros = x->merges_zeros || !comparison.is_total;
    key.merges_nans = x->merges_nans;
    key.excludes_nans = !comparison.is_total;
  }
  return key;
}

// x < y, or x < y | (x == y & less significant keys).
bool MatchLess(const Value* value, std::vector<SortKey>& keys) {
  if (const auto comparison = MatchComparison(value)) {
    if (comparison->direction != "LT" && comparison->direction != "GT") {
      return false;
    }
    const std::optional<SortKey> key = MatchKey(*comparison);
    if (key.has_value()) keys.push_back(*key);
    return key.has_value();
  }
  const Op* either = OpOf(value, "stablehlo.or");
  if (either == nullptr) return false;
  for (int i = 0; i < 2; ++i) {
    const Op* both = OpOf(either->operand(1 - i), "stablehlo.and");
    if (both == nullptr ||
        MatchComparison(either->operand(i)) == std::nullopt) {
      continue;
    }
    for (int j = 0; j < 2; ++j) {
      const auto equal = MatchComparison(both->operand(j));
      if (!equal.has_value() || equal->direction != "EQ") continue;
      std::vector<SortKey> first, rest;
      const std::optional<SortKey> same = MatchKey(*equal);
      if (!same.has_value() || !MatchLess(either->operand(i), first) ||
          first.size() != 1 || !MatchLess(both->operand(1 - j), rest) ||
          first[0].operand != same->operand ||
          first[0].merges_zeros != same->merges_zeros ||
          first[0].merges_nans != same->merges_nans) {
        continue;
      }
      first[0].excludes_nans = first[0].excludes_nans || same->excludes_nans;
      keys.push_back(first[0]);
      keys.insert(keys.end(), rest.begin(), rest.end());
      return true;
    }
  }
  return false;
}

}  // namespace

bool CanBeSortKey(ElementType type) {
  return !IsSmall(type) && !IsComplex(type);
}

std::optional<std::vector<SortKey>> MatchSortOrder(const Region& comparator) {
  std::vector<SortKey> keys;
  if (comparator.terminator() == nullptr ||
      comparator.terminator()->operand_count() != 1 ||
      !MatchLess(comparator.terminator()->operand(0), keys)) {
    return std::nullopt;
  }
  return keys;
}

}  // namespace lockstep::internal
