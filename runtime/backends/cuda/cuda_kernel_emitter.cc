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
  RETURN_IF_ERROR(CheckEvaluable(*request.op));
  return std::make_unique<EvaluateThunk>(module_, request);
}

std::vector<InPlaceUse> CudaKernelEmitter::InPlaceUses(const Op& op) const {
  return KernelInPlaceUses(op);
}

absl::StatusOr<std::shared_ptr<const Reduction>>
CudaKernelEmitter::EmitReduction(const Op& op, const Region& body) {
  return ReductionOf(body);
}

}  // namespace lockstep::internal
