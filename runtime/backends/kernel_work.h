#ifndef LOCKSTEP_RUNTIME_BACKENDS_KERNEL_WORK_H_
#define LOCKSTEP_RUNTIME_BACKENDS_KERNEL_WORK_H_

#include "runtime/executable/thunk_work.h"
#include "runtime/kernels/kernel_request.h"

namespace lockstep::internal {

// What one execution of an op's thunk takes, as estimated from its shapes:
// flops as of EstimateCost; bytes of each tensor that it reads and writes,
// once. Of a tensor from which parts are taken those count, and of one that is
// updated in place the update. What it keeps elsewhere while it runs does not.
ThunkWork WorkOf(const KernelRequest& request);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_KERNEL_WORK_H_
