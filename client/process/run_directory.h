#ifndef LOCKSTEP_CLIENT_PROCESS_RUN_DIRECTORY_H_
#define LOCKSTEP_CLIENT_PROCESS_RUN_DIRECTORY_H_

#include <string>

#include "absl/status/status.h"

namespace lockstep::internal {

// The folder of this user's cluster: $XDG_RUNTIME_DIR/lockstep, or
// /tmp/lockstep-UID.
std::string RunDirectory();

// OK when `path` is a folder of this user that nobody else may enter;
// FAILED_PRECONDITION otherwise: an attacker could have made it.
absl::Status CheckPrivateDirectory(const std::string& path);

// The certificates and tokens of the cluster of `lockstep up --secure`, within
// the run directory. Beside them lies the address of its coordinator, once it
// is known.
std::string UpSecurityDirectory();
absl::Status RecordSecurityAddress(const std::string& address);
// That directory when the coordinator at `address` is the one of `lockstep up
// --secure`, else "".
std::string SecurityDirectoryOf(const std::string& address);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_PROCESS_RUN_DIRECTORY_H_
