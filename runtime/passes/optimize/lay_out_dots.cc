#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "runtime/ops/geometry/dot_dimensions.h"
#include "runtime/passes/optimize/passes.h"
#include "runtime/passes/rewriter.h"

namespace lockstep::internal {
namespace {

using DimList = std::vector<int64_t>;

// The batching dims in order, then the others.
DimList BatchFirst(int64_t rank, const DimList& batching) {
  DimList order = batching;
  for (int64_t dim = 0; dim < rank; ++dim) {
    if (std::find(batching.begin(), batching.end(), dim) == batching.end()) {
      order.push_back(dim);
    }
  }
  return order;
}

// `operand` with its batching dims first; `batching` and `contracting` become
// those of what is returned. Null: they are first already.
Value* WithBatchFirst(Value* operand, DimList& batching, DimList& contracting,
                      Rewriter& rewriter) {
  const Shape& shape = operand->shape();
  const DimList order = BatchFirst(shape.rank(), batching);
  if (std::is_sorted(order.begin(), order.end())) return nullptr;
  Dims dims;
  for (const int64_t dim : order) dims.push_back(shape.dim(dim));
  AttributeMap attributes;
  attributes.Set("permutation", Attribute::I64Array(order));
  Value* const transposed = rewriter.Create(
      "stablehlo.transpose", {operand}, Type(Shape(shape.element_type(), dims)),
      std::move(attributes));
  for (DimList* list : {&batching, &contracting}) {
    for (int64_t& dim : *list) {
      dim = std::find(order.begin(), order.end(), dim) - order.begin();
    }
  }
  return transposed;
}

Value* LayOut(const Op& op, Rewriter& rewriter) {
  auto dims = DotDimensionsOf(op);
  if (!dims.ok()) return nullptr;
  Value* const lhs = WithBatchFirst(op.operand(0), dims->lhs_batching,
                                    dims->lhs_contracting, rewriter);
  Value* const rhs = WithBatchFirst(op.operand(1), dims->rhs_batching,
                                    dims->rhs_contracting, rewriter);
  if (lhs == nullptr && rhs == nullptr) return nullptr;
  AttributeMap attributes = op.attributes();
  attributes.Set("dot_dimension_numbers", ToAttribute(*dims));
  return rewriter.Create("stablehlo.dot_general",
                         {lhs == nullptr ? op.operand(0) : lhs,
                          rhs == nullptr ? op.operand(1) : rhs},
                         op.result()->type(), std::move(attributes));
}

}  // namespace

Pass LayOutDots(std::function<bool(const Op&)> wants) {
  return {"lay_out_dots", [wants = std::move(wants)](Module& module) {
            Rewriter({[&wants](const Op& op, Rewriter& rewriter) -> Value* {
              if (op.name() != "stablehlo.dot_general") return nullptr;
              if (wants && !wants(op)) return nullptr;
              return LayOut(op, rewriter);
            }}).Run(module);
            return absl::OkStatus();
          }};
}

}  // namespace lockstep::internal
