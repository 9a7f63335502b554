#include "runtime/kernels/argument_reduction.h"

#include <string>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "runtime/ir/constant_value.h"

namespace lockstep::internal {
namespace {

// Shorter rows are reduced as any other ones.
constexpr int64_t kMinSize = 128;

const Op* OpOf(const Value* value, absl::string_view name) {
  const Op* op = value->defining_op();
  return op != nullptr && op->name() == name ? op : nullptr;
}

bool IsComparison(const Value* value, const Value* lhs, const Value* rhs,
                  std::initializer_list<absl::string_view> directions) {
  const Op* op = OpOf(value, "stablehlo.compare");
  if (op == nullptr || op->operand(0) != lhs || op->operand(1) != rhs) {
    return false;
  }
  if (op->attribute("compare_type") != nullptr &&
      *op->EnumAttribute("compare_type") == "TOTALORDER") {
    return false;
  }
  const std::string found = *op->EnumAttribute("comparison_direction");
  for (absl::string_view direction : directions) {
    if (found == direction) return true;
  }
  return false;
}

// The operands of `name`, in both orders.
template <typename F>
bool AnyOrder(const Value* value, absl::string_view name, F f) {
  const Op* op = OpOf(value, name);
  return op != nullptr && (f(op->operand(0), op->operand(1)) ||
                           f(op->operand(1), op->operand(0)));
}

// Whether the left element goes before the right one: `a > c`, also with >=, <
// and <=; of floats `a > c | a != a`, so that a NaN beats all that follows.
bool IsBetter(const Value* value, const Value* a, const Value* c) {
  const auto is_better = [&](const Value* x) {
    return IsComparison(x, a, c, {"GT", "GE", "LT", "LE"});
  };
  if (!IsFloat(a->shape().element_type()) && is_better(value)) return true;
  return AnyOrder(value, "stablehlo.or", [&](const Value* x, const Value* y) {
    return is_better(x) && IsComparison(y, a, a, {"NE"});
  });
}

// `is_better | (a == c & b < d)`.
bool IsBetterOrFirst(const Value* value, const Value* is_better, const Value* a,
                     const Value* b, const Value* c, const Value* d) {
  return AnyOrder(value, "stablehlo.or", [&](const Value* x, const Value* y) {
    return x == is_better &&
           AnyOrder(y, "stablehlo.and", [&](const Value* p, const Value* q) {
             return IsComparison(p, a, c, {"EQ"}) &&
                    IsComparison(q, b, d, {"LT"});
           });
  });
}

bool IsSelection(const Region& body, bool uses_value) {
  const Value* a = body.arguments()[0].get();
  const Value* b = body.arguments()[1].get();
  const Value* c = body.arguments()[2].get();
  const Value* d = body.arguments()[3].get();
  const Op* value = OpOf(body.terminator()->operand(0), "stablehlo.select");
  const Op* place = OpOf(body.terminator()->operand(1), "stablehlo.select");
  if (value == nullptr || place == nullptr || value->operand(1) != a ||
      value->operand(2) != c || place->operand(1) != b ||
      place->operand(2) != d || !IsInteger(b->shape().element_type()) ||
      !IsBetter(value->operand(0), a, c)) {
    return false;
  }
  if (place->operand(0) == value->operand(0)) return true;
  // Which of two equal values is taken is then another matter than which place:
  // zeros of different signs tell.
  return IsBetterOrFirst(place->operand(0), value->operand(0), a, b, c, d) &&
         !(uses_value && IsFloat(a->shape().element_type()));
}

// The reductions that a graph's outputs follow from, and their results.
struct Reached {
  absl::flat_hash_set<const Value*> seen;
  std::vector<const Op*> reduces;

  void Visit(const KernelGraph& graph, const Value* value) {
    if (!seen.insert(value).second) return;
    for (const Value* input : graph.inputs) {
      if (input == value) return;
    }
    const Op* op = value->defining_op();
    if (op->name() == "stablehlo.reduce" &&
        (reduces.empty() || reduces.back() != op)) {
      reduces.push_back(op);
    }
    for (const Value* operand : op->operands()) Visit(graph, operand);
  }
};

}  // namespace

const Op* MatchArgumentReduction(const KernelGraph& graph) {
  Reached reached;
  for (const Value* output : graph.outputs) reached.Visit(graph, output);
  if (reached.reduces.size() != 1) return nullptr;
  const Op& reduce = *reached.reduces[0];
  if (reduce.result_count() != 2) return nullptr;
  const Shape& shape = reduce.operand(0)->shape();
  const int64_t last = shape.rank() - 1;
  const Op* iota = OpOf(reduce.operand(1), "stablehlo.iota");
  if (*reduce.IntegersAttribute("dimensions") != std::vector<int64_t>{last} ||
      shape.dim(last) < kMinSize || iota == nullptr ||
      *iota->IntegerAttribute("iota_dimension") != last ||
      IsComplex(shape.element_type()) || SplatNumber(reduce.operand(3)) != 0) {
    return nullptr;
  }
  for (int i = 0; i < 2; ++i) {
    if (reduce.result(i)->shape().element_type() !=
        reduce.operand(i)->shape().element_type()) {
      return nullptr;
    }
  }
  for (const Value* output : graph.outputs) {
    if (output->shape().dims() != reduce.result()->shape().dims()) {
      return nullptr;
    }
  }
  const bool uses_value = reached.seen.contains(reduce.result(0));
  return IsSelection(reduce.region(), uses_value) ? &reduce : nullptr;
}

}  // namespace lockstep::internal
