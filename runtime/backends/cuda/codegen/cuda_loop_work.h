#ifndef LOCKSTEP_RUNTIME_BACKENDS_CUDA_CODEGEN_CUDA_LOOP_WORK_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CUDA_CODEGEN_CUDA_LOOP_WORK_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "runtime/backends/cuda/codegen/cuda_accesses.h"
#include "runtime/backends/cuda/codegen/cuda_kernel_text.h"
#include "runtime/kernels/element_emitter.h"
#include "runtime/kernels/kernel_graph.h"
#include "runtime/kernels/loop_space.h"

namespace lockstep::internal {

// What the kernels of a graph of kind kLoop have to do. The graph outlives it.
struct CudaLoopWork {
  const KernelGraph& graph;
  LoopSpace space;
  std::vector<MergedLoop> loops;  // the last is the outputs' fastest
  int64_t count = 1;              // elements of an output
  std::vector<CudaAccess> loads;
  std::vector<CudaAccess> stores;  // by output

  // Nothing when there is no code for the graph.
  static std::optional<CudaLoopWork> Of(const KernelGraph& graph);

  // The element that the emitter's variables are at, of each output.
  std::vector<int> EmitOutputs(ElementEmitter& emitter) const;
  // How many lines of code that is.
  int64_t LinesOfElement() const;
};

// Lets loads for which `pack_of` names a Pack, by number of the load, be
// elements `lane`, an expression, of that.
void LoadFromPacks(CudaKernelText& text, ElementEmitter& emitter,
                   const std::vector<CudaAccess>& loads,
                   std::function<std::string(size_t)> pack_of,
                   std::function<std::string(size_t)> lane_of);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CUDA_CODEGEN_CUDA_LOOP_WORK_H_
