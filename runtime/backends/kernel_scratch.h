#ifndef LOCKSTEP_RUNTIME_BACKENDS_KERNEL_SCRATCH_H_
#define LOCKSTEP_RUNTIME_BACKENDS_KERNEL_SCRATCH_H_

#include "runtime/backends/kernel_emitter.h"
#include "runtime/backends/schedule.h"

namespace lockstep::internal {

// Gives every kernel step, nested ones too, the scratch memory that `kernels`
// wants for its op: a temporary that lives in this step alone.
void AddKernelScratch(Schedule& schedule, const KernelEmitter& kernels);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_KERNEL_SCRATCH_H_
