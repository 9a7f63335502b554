#ifndef LOCKSTEP_TESTS_CONFORMANCE_BACKEND_EXECUTABLE_RUNNER_H_
#define LOCKSTEP_TESTS_CONFORMANCE_BACKEND_EXECUTABLE_RUNNER_H_

#include <string>

#include "absl/status/statusor.h"
#include "runtime/conformance/literal_run.h"
#include "runtime/executable/executable.h"

namespace lockstep::internal {

// The backend that the suites of executables test: "cpu", or what
// LOCKSTEP_TEST_BACKEND says.
std::string TestedBackendName();

// Runs an executable on all its devices, a thread each (RunOnLiterals); as
// often as LOCKSTEP_TEST_LAUNCHES says, and returns what the last launch gives.
absl::StatusOr<DeviceLiterals> RunExecutable(const Executable& executable,
                                             const DeviceLiterals& arguments);

// Small values that differ between devices, arguments and elements.
DeviceLiterals ArgumentsFor(const Executable& executable);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_TESTS_CONFORMANCE_BACKEND_EXECUTABLE_RUNNER_H_
