#include "runtime/backends/cuda/cuda_kernel_emitter.h"

#include <optional>
#include <utility>

#include "runtime/backends/cuda/cuda_kernel_thunk.h"
#include "runtime/backends/reference/evaluable.h"
#include "runtime/backends/reference/evaluate_thunk.h"
#include "runtime/base/status.h"
#include "runtime/interpreter/region_reduction.h"
#include "runtime/kernels/in_place.h"
#include "runtime/kernels/kernel_graph.h"

namespace lockstep::internal {

absl::StatusOr<std::unique_ptr<Thunk>> CudaKernelEmitter::Emit(
    const KernelRequest& request) {
  if (std::optional<GraphRequest> matched = MatchKernelGraph(request)) {
    if (auto kernel = compiler_.Add(matched->graph)) {
      return std::make_unique<CudaKernelThunk>(
          matched->graph.name, request.op->location().ToString(),
          std::move(kernel), matched->buffers, matched->graph.inputs.size());
    }
  }
  const Op& op = *request.op;
  const bool is_empty = request.results[0].shape.element_count() == 0;
  if ((op.name() == "stablehlo.dot_general" || op.name() == "stablehlo.dot") &&
      !is_empty) {
    if (auto kernel = compiler_.Add(OpGraph(KernelGraph::Kind::kDot, op,
                                            {op.operand(0), op.operand(1)}))) {
      return std::make_unique<CudaKernelThunk>(
          op.name(), op.location().ToString(), std::move(kernel),
          std::vector<TensorSlice>{request.operands[0], request.operands[1],
                                   request.results[0]},
          2);
    }
  }
  if (op.name() == "stablehlo.dynamic_update_slice" &&
      op.operand(1)->shape().element_count() > 0) {
    const std::vector<const Value*> inputs(op.operands().begin() + 1,
                                           op.operands().end());
    if (auto kernel = compiler_.Add(
            OpGraph(KernelGraph::Kind::kUpdateSlice, op, inputs))) {
      return std::make_unique<CudaUpdateSliceThunk>(request, std::move(kernel));
    }
  }
  RETURN_IF_ERROR(CheckEvaluable(*request.op));
  return std::make_unique<EvaluateThunk>(module_, request);
}

std::vector<InPlaceUse> CudaKernelEmitter::InPlaceUses(const Op& op) const {
  if (op.name() == "stablehlo.dynamic_update_slice") {
    for (int i = 1; i < op.operand_count(); ++i) {
      if (op.operand(i) == op.operand(0)) return {};
    }
    return {{0, 0}};
  }
  return KernelInPlaceUses(op);
}

absl::StatusOr<std::shared_ptr<const Reduction>>
CudaKernelEmitter::EmitReduction(const Op& op, const Region& body) {
  return ReductionOf(body);
}

}  // namespace lockstep::internal
