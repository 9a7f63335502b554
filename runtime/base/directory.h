#ifndef LOCKSTEP_RUNTIME_BASE_DIRECTORY_H_
#define LOCKSTEP_RUNTIME_BASE_DIRECTORY_H_

#include <string>

#include "absl/status/status.h"

namespace lockstep::internal {

// Makes the directory when it is missing, with its parents, and tries whether
// files can be made in it. FAILED_PRECONDITION "PATH: cannot be written: why".
absl::Status CreateWritableDirectory(const std::string& path);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BASE_DIRECTORY_H_
