#include "runtime/backends/cpu/thunks/reduce_window_thunk.h"

#include <utility>
#include <vector>

#include "runtime/backends/cpu/thunks/kernel_thunk.h"
#include "runtime/backends/cpu/thunks/window_scan_thunk.h"
#include "runtime/kernels/scalar_support.h"
#include "runtime/kernels/window_step.h"

namespace lockstep::internal {

std::unique_ptr<HostThunk> CreateReduceWindowThunk(const KernelRequest& request,
                                                   KernelCompiler& compiler) {
  const Op& op = *request.op;
  if (!request.captures.empty() || !CanEmitScalarRegion(op.region())) {
    return nullptr;
  }
  std::vector<TensorSlice> buffers = request.operands;
  buffers.insert(buffers.end(), request.results.begin(), request.results.end());
  for (const TensorSlice& tensor : buffers) {
    if (tensor.shape.element_count() == 0 ||
        !HasCodeFor(tensor.shape.element_type())) {
      return nullptr;
    }
  }
  if (auto thunk = WindowScanThunk::Create(request, compiler)) return thunk;
  std::shared_ptr<const Kernel> kernel = compiler.Add(WindowStep(op));
  if (kernel == nullptr) return nullptr;
  return std::make_unique<KernelThunk>(op.name(), op.location().ToString(),
                                       std::move(kernel), buffers,
                                       request.operands.size());
}

}  // namespace lockstep::internal
