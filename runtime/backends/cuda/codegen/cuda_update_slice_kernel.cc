#include "runtime/backends/cuda/codegen/cuda_update_slice_kernel.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/backends/cuda/codegen/cuda_kernel_text.h"
#include "runtime/kernels/scalar_support.h"

namespace lockstep::internal {

std::optional<KernelProgram> BuildCudaUpdateSliceKernel(
    const KernelGraph& graph) {
  constexpr int kThreads = 256;
  const Shape& update = graph.inputs[0]->shape();
  const Shape& result = graph.outputs[0]->shape();
  if (!HasCodeFor(update.element_type())) return std::nullopt;
  CudaKernelText text(graph);
  CudaLines& lines = text.lines();
  // The place of the update's first element; its own dims step through it.
  const Dims strides = result.Strides();
  lines.Add("idx first = 0;");
  for (int64_t dim = 0; dim < result.rank(); ++dim) {
    const int64_t room = result.dim(dim) - update.dim(dim);
    if (room == 0) continue;
    const int buffer = static_cast<int>(dim) + 1;
    const KernelCode::Index start = text.Clamp(
        text.Load(buffer, text.TypeOf(buffer), text.IndexConstant(0)), room);
    lines.Add(absl::StrCat("first += ", text.NameOf(start), " * idx(",
                           strides[dim], ");"));
  }
  lines.Open(absl::StrCat("for (idx g = idx(blockIdx.x) * ", kThreads,
                          " + threadIdx.x; g < ", update.element_count(),
                          "; g += idx(gridDim.x) * ", kThreads, ")"));
  lines.Add("idx rest = g, place = first;");
  for (int64_t dim = update.rank(); dim-- > 0;) {
    lines.Add(absl::StrCat("place += rest % ", update.dim(dim), " * idx(",
                           strides[dim], "), rest /= ", update.dim(dim), ";"));
  }
  const int output = static_cast<int>(graph.inputs.size());
  text.Store(output, text.NamedIndex("place"),
             text.Load(0, update.element_type(), text.NamedIndex("g")));
  lines.Close();
  KernelProgram program;
  program.text = text.Finish(kThreads);
  program.launches.push_back(
      {kCudaKernelSymbol, kThreads, 1,
       (update.element_count() + kThreads - 1) / kThreads});
  return program;
}

}  // namespace lockstep::internal
