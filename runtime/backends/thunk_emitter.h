#ifndef LOCKSTEP_RUNTIME_BACKENDS_THUNK_EMITTER_H_
#define LOCKSTEP_RUNTIME_BACKENDS_THUNK_EMITTER_H_

#include <memory>

#include "absl/status/statusor.h"
#include "runtime/backends/backend.h"
#include "runtime/backends/kernel_emitter.h"
#include "runtime/executable/executable.h"

namespace lockstep::internal {

// What every backend for host memory compiles with: schedules the module,
// plans its memory, emits control flow, collectives, copies and places, and
// asks `kernels` for everything else. Errors are those of Backend::Compile.
absl::StatusOr<Executable::Parts> EmitThunks(
    std::shared_ptr<const Module> module, const DeviceAssignment& assignment,
    const CompileOptions& options, KernelEmitter& kernels);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_THUNK_EMITTER_H_
