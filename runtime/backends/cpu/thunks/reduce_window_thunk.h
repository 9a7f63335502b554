#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_THUNKS_REDUCE_WINDOW_THUNK_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_THUNKS_REDUCE_WINDOW_THUNK_H_

#include <memory>

#include "runtime/backends/cpu/codegen/kernel_compiler.h"
#include "runtime/executable/host_thunk.h"
#include "runtime/kernels/kernel_request.h"

namespace lockstep::internal {

// The thunk of a reduce_window that is no kernel graph: a WindowScanThunk, or a
// kernel that reduces window by window. Null when there is no code for it.
std::unique_ptr<HostThunk> CreateReduceWindowThunk(const KernelRequest& request,
                                                   KernelCompiler& compiler);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_THUNKS_REDUCE_WINDOW_THUNK_H_
