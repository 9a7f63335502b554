#ifndef LOCKSTEP_TESTS_CONFORMANCE_BACKEND_EXECUTABLE_RUNNER_H_
#define LOCKSTEP_TESTS_CONFORMANCE_BACKEND_EXECUTABLE_RUNNER_H_

#include <vector>

#include "absl/status/statusor.h"
#include "runtime/executable/executable.h"

namespace lockstep {

// [device][argument or result]
using DeviceLiterals = std::vector<std::vector<Literal>>;

// Runs an executable on all its devices, a thread each. Arguments whose memory
// a result takes over are donated. The first error of any device.
absl::StatusOr<DeviceLiterals> RunExecutable(const Executable& executable,
                                             const DeviceLiterals& arguments);

// Small values that differ between devices, arguments and elements.
DeviceLiterals ArgumentsFor(const Executable& executable);

}  // namespace lockstep

#endif  // LOCKSTEP_TESTS_CONFORMANCE_BACKEND_EXECUTABLE_RUNNER_H_
