#ifndef LOCKSTEP_CLIENT_PROCESS_LOCKSTEP_BINARY_H_
#define LOCKSTEP_CLIENT_PROCESS_LOCKSTEP_BINARY_H_

#include <string>

#include "absl/status/statusor.h"

namespace lockstep::internal {

// The path of the `lockstep` program: LOCKSTEP_BINARY; this process, when it is
// one; beside this program, or ../bin from it; beside the shared library's
// directory, ../bin from it; the PATH. NOT_FOUND names the places.
absl::StatusOr<std::string> FindLockstepBinary();

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_PROCESS_LOCKSTEP_BINARY_H_
