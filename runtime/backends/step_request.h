#ifndef LOCKSTEP_RUNTIME_BACKENDS_STEP_REQUEST_H_
#define LOCKSTEP_RUNTIME_BACKENDS_STEP_REQUEST_H_

#include "runtime/backends/memory_layout.h"
#include "runtime/backends/schedule.h"
#include "runtime/kernels/kernel_request.h"

namespace lockstep::internal {

// The op of a step with the places of its tensors; for steps whose operands and
// results are the op's.
KernelRequest RequestOf(const Step& step, const MemoryLayout& layout);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_STEP_REQUEST_H_
