#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_UPDATE_KERNEL_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_UPDATE_KERNEL_H_

#include <cstdint>

#include "llvm/IR/Module.h"
#include "runtime/kernels/kernel_graph.h"

namespace lockstep::internal {

// kUpdate, in its variants (update_step.h): results[..][target] =
// body(results[..][target], updates[..][source]) for the entries of a list, in
// order. Buffers: the updates, the results (inputs and outputs, as the
// arguments of the body), the list of int64s.
int64_t BuildUpdateKernel(const KernelGraph& graph, llvm::Module& module);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_UPDATE_KERNEL_H_
