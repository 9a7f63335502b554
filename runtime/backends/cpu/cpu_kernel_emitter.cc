#include "runtime/backends/cpu/cpu_kernel_emitter.h"

#include <optional>
#include <utility>

#include "runtime/backends/cpu/kernel_graph.h"
#include "runtime/backends/cpu/kernel_thunk.h"
#include "runtime/backends/reference/evaluable.h"
#include "runtime/backends/reference/evaluate_thunk.h"
#include "runtime/base/status.h"
#include "runtime/interpreter/region_reduction.h"

namespace lockstep {

absl::StatusOr<std::unique_ptr<Thunk>> CpuKernelEmitter::Emit(
    const KernelRequest& request) {
  if (std::optional<GraphRequest> matched = MatchKernelGraph(request)) {
    if (std::shared_ptr<const Kernel> kernel = compiler_.Add(matched->graph)) {
      return std::make_unique<KernelThunk>(
          matched->graph.name, request.op->location().ToString(),
          std::move(kernel), matched->buffers, matched->graph.inputs.size());
    }
  }
  RETURN_IF_ERROR(CheckEvaluable(*request.op));
  return std::make_unique<EvaluateThunk>(module_, request);
}

absl::StatusOr<std::shared_ptr<const Reduction>>
CpuKernelEmitter::EmitReduction(const Op& op, const Region& body) {
  return ReductionOf(body);
}

}  // namespace lockstep
