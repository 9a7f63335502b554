#include "runtime/kernels/window_step.h"

#include <string>
#include <utility>
#include <vector>

#include "runtime/ir/constant_value.h"
#include "runtime/ops/reduction_body.h"

namespace lockstep::internal {
namespace {

constexpr int64_t kMaxPlaces = 4096;

}  // namespace

int64_t FirstInnerDim(const Shape& places) {
  int64_t dim = places.rank(), count = 1;
  while (dim > 0 && count * places.dim(dim - 1) <= kMaxPlaces) {
    count *= places.dim(--dim);
  }
  return dim;
}

int64_t PlacesPerIteration(const Shape& places) {
  int64_t count = 1;
  for (int64_t dim = FirstInnerDim(places); dim < places.rank(); ++dim) {
    count *= places.dim(dim);
  }
  return count;
}

bool IsInitNeutral(const Op& op) {
  const Op* body = SingleOpBody(op.region());
  if (body == nullptr || op.operand_count() != 2) return false;
  const std::string& name = body->name();
  if (name == "stablehlo.maximum" || name == "stablehlo.minimum" ||
      name == "stablehlo.and" || name == "stablehlo.or") {
    return true;
  }
  if (name == "stablehlo.add" || name == "stablehlo.xor") {
    return SplatNumber(op.operand(1)) == 0;
  }
  return name == "stablehlo.multiply" && SplatNumber(op.operand(1)) == 1;
}

KernelGraph WindowStep(const Op& op) {
  std::vector<const Value*> results;
  for (const auto& result : op.results()) results.push_back(result.get());
  return StepGraph(
      KernelGraph::Kind::kWindow, op, op.region(),
      {op.operands().begin(), op.operands().end()}, std::move(results),
      IsInitNeutral(op) ? kPaddingIsSkipped : kPaddingCounts, TextOf(op));
}

KernelGraph SelectStep(const Op& op) {
  return StepGraph(KernelGraph::Kind::kSelect, op, op.region(0),
                   {op.operand(0)}, {}, kPaddingIsSkipped, TextOf(op));
}

}  // namespace lockstep::internal
