#ifndef LOCKSTEP_CLIENT_CLI_EXIT_STATUS_H_
#define LOCKSTEP_CLIENT_CLI_EXIT_STATUS_H_

#include <optional>

#include "absl/status/status.h"

namespace lockstep::internal {

// What a command returns to end with an exit code of its own choice. Without
// a message nothing is printed: the command has said what there is to say.
absl::Status WithExitCode(int code, absl::Status status);
absl::Status SilentExit(int code);

// The code of the above; nullopt for any other status.
std::optional<int> ChosenExitCode(const absl::Status& status);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_CLI_EXIT_STATUS_H_
