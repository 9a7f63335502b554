#ifndef LOCKSTEP_CLIENT_CLI_COMMAND_LINE_H_
#define LOCKSTEP_CLIENT_CLI_COMMAND_LINE_H_

#include <ostream>

#include "absl/types/span.h"
#include "client/cli/subcommand.h"

namespace lockstep::internal {

// What the program exits with.
enum ExitCode {
  kExitOk = 0,
  kExitFailure = 1,      // the program, its input or the cluster failed
  kExitUsage = 2,        // the command line is wrong; nothing was started
  kExitUnavailable = 3,  // no cluster to be reached
};

// Parses and runs one command line. Errors are one line on `err`:
// "lockstep run: INVALID_ARGUMENT: ...". Help and version go to `out`.
int RunCommandLine(absl::Span<const Subcommand> commands, int argc,
                   const char* const* argv, std::ostream& out,
                   std::ostream& err);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_CLI_COMMAND_LINE_H_
