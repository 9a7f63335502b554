#ifndef LOCKSTEP_RUNTIME_WORKER_ARGUMENT_CHECK_H_
#define LOCKSTEP_RUNTIME_WORKER_ARGUMENT_CHECK_H_

#include "absl/status/status.h"
#include "runtime/worker/compiled_program.h"
#include "runtime/worker/worker.h"

namespace lockstep::internal {

// Whether `arguments` fit the program on this host. INVALID_ARGUMENT names the
// program, the device, the position, and what was expected and found: the
// number of devices or arguments, a shape, an element type, the device of a
// buffer; a buffer that is donated and passed twice.
absl::Status CheckArguments(const CompiledProgram& program,
                            const ShardLists& arguments);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_WORKER_ARGUMENT_CHECK_H_
