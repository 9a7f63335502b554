#include <algorithm>
#include <utility>
#include <vector>

#include "runtime/ops/reduction_body.h"
#include "runtime/passes/dim_maps.h"
#include "runtime/passes/optimize/passes.h"
#include "runtime/passes/rewriter.h"

namespace lockstep::internal {
namespace {

Value* Reshape(Value* value, const Shape& shape, Rewriter& rewriter) {
  if (value->type() == Type(shape)) return value;
  return rewriter.Create("stablehlo.reshape", {value}, shape);
}

// The reduce of `operand` over `reduced`; dims of its result as they come.
Value* ReduceOver(const Op& op, Value* operand, const DimList& reduced,
                  Rewriter& rewriter) {
  const Shape& from = operand->shape();
  Dims kept;
  for (int64_t i = 0; i < from.rank(); ++i) {
    if (std::count(reduced.begin(), reduced.end(), i) == 0) {
      kept.push_back(from.dim(i));
    }
  }
  AttributeMap attributes = op.attributes();
  attributes.Set("dimensions", Attribute::I64Array(reduced));
  ValueMap map;
  std::vector<std::unique_ptr<Region>> regions;
  regions.push_back(CloneRegion(op.region(), map));
  return rewriter.Create(op.name(), {operand, op.operand(1)},
                         Shape(op.result()->shape().element_type(), kept),
                         std::move(attributes), std::move(regions));
}

// Dims of size 1 change nothing of the order in which elements are combined.
Value* WithoutUnitDims(const Op& op, const DimList& reduced,
                       Rewriter& rewriter) {
  Value* operand = op.operand(0);
  const DimList large = LargeDims(operand->shape());
  if (static_cast<int64_t>(large.size()) == operand->shape().rank()) {
    return nullptr;
  }
  DimList remaining;
  for (size_t i = 0; i < large.size(); ++i) {
    if (std::count(reduced.begin(), reduced.end(), large[i]) > 0) {
      remaining.push_back(static_cast<int64_t>(i));
    }
  }
  if (remaining.empty()) return nullptr;
  Value* smaller =
      Reshape(operand, OnlyDims(operand->shape(), large), rewriter);
  return Reshape(ReduceOver(op, smaller, remaining, rewriter),
                 op.result()->shape(), rewriter);
}

// Of one element each, as the transpose of a broadcast that repeats nothing has
// it: body(init, element).
Value* OfOneElement(const Op& op, const DimList& reduced, Rewriter& rewriter) {
  const Shape& from = op.operand(0)->shape();
  const Op* body = SingleOpBody(op.region());
  if (body == nullptr ||
      from.element_type() != op.result()->shape().element_type() ||
      std::any_of(reduced.begin(), reduced.end(),
                  [&](int64_t dim) { return from.dim(dim) != 1; })) {
    return nullptr;
  }
  AttributeMap attributes;
  attributes.Set("broadcast_dimensions", Attribute::I64Array({}));
  Value* init = rewriter.Create("stablehlo.broadcast_in_dim", {op.operand(1)},
                                op.result()->type(), std::move(attributes));
  Value* element = Reshape(op.operand(0), op.result()->shape(), rewriter);
  return rewriter.CreateLike(*body, {init, element}, op.result()->type());
}

// The dims in the order in which they lie in memory, when that keeps the order
// of the elements that are combined.
Value* OfTransposed(const Op& op, const DimList& reduced, Rewriter& rewriter) {
  const Op* transpose = op.operand(0)->defining_op();
  if (transpose == nullptr || transpose->name() != "stablehlo.transpose") {
    return nullptr;
  }
  const auto permutation = transpose->IntegersAttribute("permutation");
  if (!permutation.ok()) return nullptr;
  DimList kept;
  for (int64_t i = 0; i < op.operand(0)->shape().rank(); ++i) {
    if (std::count(reduced.begin(), reduced.end(), i) == 0) kept.push_back(i);
  }
  const DimList new_reduced = Compose(*permutation, reduced);
  if (!IsAscending(Compose(*permutation, kept)) || !IsAscending(new_reduced)) {
    return nullptr;
  }
  return ReduceOver(op, transpose->operand(0), new_reduced, rewriter);
}

Value* Fold(const Op& op, Rewriter& rewriter) {
  if (op.name() != "stablehlo.reduce" || op.operand_count() != 2) {
    return nullptr;
  }
  auto reduced = op.IntegersAttribute("dimensions");
  if (!reduced.ok() || op.operand(0)->shape().element_count() == 0) {
    return nullptr;
  }
  std::sort(reduced->begin(), reduced->end());
  if (Value* value = OfOneElement(op, *reduced, rewriter)) return value;
  if (Value* value = WithoutUnitDims(op, *reduced, rewriter)) return value;
  return OfTransposed(op, *reduced, rewriter);
}

}  // namespace

Pass CanonicalizeReductions() {
  return {"canonicalize_reductions", [](Module& module) {
            Rewriter({Fold}).Run(module);
            return absl::OkStatus();
          }};
}

}  // namespace lockstep::internal
