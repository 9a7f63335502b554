#ifndef LOCKSTEP_CLIENT_CLI_SECURITY_OPTIONS_H_
#define LOCKSTEP_CLIENT_CLI_SECURITY_OPTIONS_H_

#include "CLI/CLI.hpp"
#include "client/process/cluster_credentials.h"

namespace lockstep::internal {

// --security-dir DIR, which is returned, and --insecure. A token is no option:
// others on the machine see command lines; it comes from the folder or from
// LOCKSTEP_JOIN_TOKEN.
CLI::Option* AddSecurityOptions(CLI::App& app, SecurityOptions& options);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_CLI_SECURITY_OPTIONS_H_
