#include <algorithm>
#include <utility>
#include <vector>

#include "runtime/ops/geometry/dot_dimensions.h"
#include "runtime/passes/dim_maps.h"
#include "runtime/passes/optimize/passes.h"
#include "runtime/passes/rewriter.h"

namespace lockstep::internal {
namespace {

Value* CreateDot(const Op& op, std::vector<Value*> operands,
                 const DotDimensions& dims, Rewriter& rewriter) {
  AttributeMap attributes = op.attributes();
  attributes.Set("dot_dimension_numbers", ToAttribute(dims));
  return rewriter.Create("stablehlo.dot_general", std::move(operands),
                         op.result()->type(), std::move(attributes));
}

// stablehlo.dot contracts the last dim of lhs with the first of rhs.
Value* FoldDot(const Op& op, Rewriter& rewriter) {
  DotDimensions dims;
  dims.lhs_contracting = {op.operand(0)->shape().rank() - 1};
  dims.rhs_contracting = {0};
  return CreateDot(op, op.operands(), dims, rewriter);
}

// One operand of a dot_general that is a transpose.
struct Side {
  DimList batching;
  DimList contracting;

  // Reads what is transposed instead. False when the free dims would then come
  // in another order, and with them the dims of the result.
  bool ReadThrough(const Op& transpose, const DimList& permutation) {
    const int64_t rank = transpose.result()->shape().rank();
    const DimList free = FreeDims(rank, batching, contracting);
    if (!IsAscending(Compose(permutation, free))) return false;
    batching = Compose(permutation, batching);
    contracting = Compose(permutation, contracting);
    return true;
  }
};

Value* FoldDotGeneral(const Op& op, Rewriter& rewriter) {
  auto dims = DotDimensionsOf(op);
  if (!dims.ok()) return nullptr;
  Side sides[2] = {{dims->lhs_batching, dims->lhs_contracting},
                   {dims->rhs_batching, dims->rhs_contracting}};
  std::vector<Value*> operands = op.operands();
  bool is_changed = false;
  for (int i = 0; i < 2; ++i) {
    const Op* transpose = operands[i]->defining_op();
    if (transpose == nullptr || transpose->name() != "stablehlo.transpose") {
      continue;
    }
    auto permutation = transpose->IntegersAttribute("permutation");
    if (!permutation.ok() || !sides[i].ReadThrough(*transpose, *permutation)) {
      continue;
    }
    operands[i] = transpose->operand(0);
    is_changed = true;
  }
  if (!is_changed) return nullptr;
  return CreateDot(op, std::move(operands),
                   {.lhs_batching = sides[0].batching,
                    .rhs_batching = sides[1].batching,
                    .lhs_contracting = sides[0].contracting,
                    .rhs_contracting = sides[1].contracting},
                   rewriter);
}

// A transpose that exchanges the free dims of both sides exchanges the sides.
Value* FoldTransposeOfDot(const Op& op, Rewriter& rewriter) {
  const Op* dot = op.operand(0)->defining_op();
  if (dot == nullptr || dot->name() != "stablehlo.dot_general" ||
      rewriter.UseCount(dot->result()) != 1 ||
      dot->attribute("algorithm") != nullptr ||
      dot->operand(0)->shape().element_type() !=
          dot->operand(1)->shape().element_type()) {
    return nullptr;
  }
  auto dims = DotDimensionsOf(*dot);
  const auto permutation = op.IntegersAttribute("permutation");
  if (!dims.ok() || !permutation.ok()) return nullptr;
  const auto batch = static_cast<int64_t>(dims->lhs_batching.size());
  const int64_t lhs_free = dot->operand(0)->shape().rank() - batch -
                           static_cast<int64_t>(dims->lhs_contracting.size());
  const int64_t rank = op.result()->shape().rank();
  DimList exchanged = IotaDims(batch);
  for (int64_t i = batch + lhs_free; i < rank; ++i) exchanged.push_back(i);
  for (int64_t i = 0; i < lhs_free; ++i) exchanged.push_back(batch + i);
  if (*permutation != exchanged) return nullptr;
  AttributeMap attributes = dot->attributes();
  if (const Attribute* precision = attributes.Find("precision_config")) {
    if (const auto* list = precision->As<Attribute::Array>()) {
      Attribute::Array reversed = *list;
      std::reverse(reversed.elements.begin(), reversed.elements.end());
      attributes.Set("precision_config", std::move(reversed));
    }
  }
  std::swap(dims->lhs_batching, dims->rhs_batching);
  std::swap(dims->lhs_contracting, dims->rhs_contracting);
  attributes.Set("dot_dimension_numbers", ToAttribute(*dims));
  return rewriter.Create("stablehlo.dot_general",
                         {dot->operand(1), dot->operand(0)},
                         op.result()->type(), std::move(attributes));
}

Value* Fold(const Op& op, Rewriter& rewriter) {
  if (op.name() == "stablehlo.transpose") {
    return FoldTransposeOfDot(op, rewriter);
  }
  if (op.name() == "stablehlo.dot") return FoldDot(op, rewriter);
  if (op.name() == "stablehlo.dot_general") return FoldDotGeneral(op, rewriter);
  return nullptr;
}

}  // namespace

Pass CanonicalizeDots() {
  return {"canonicalize_dots", [](Module& module) {
            Rewriter({Fold}).Run(module);
            return absl::OkStatus();
          }};
}

}  // namespace lockstep::internal
