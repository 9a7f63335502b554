#ifndef LOCKSTEP_RUNTIME_BACKENDS_CUDA_CODEGEN_CUDA_LOOPS_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CUDA_CODEGEN_CUDA_LOOPS_H_

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "runtime/backends/cuda/codegen/cuda_kernel_text.h"
#include "runtime/kernels/element_emitter.h"

namespace lockstep::internal {

// Sets the variables of `loops`, which run as one, the last the fastest, to
// where that one is at `position`, an index with a name.
void SplitPosition(CudaKernelText& text, ElementEmitter& emitter,
                   absl::Span<const MergedLoop> loops,
                   absl::string_view position);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CUDA_CODEGEN_CUDA_LOOPS_H_
