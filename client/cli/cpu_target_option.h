#ifndef LOCKSTEP_CLIENT_CLI_CPU_TARGET_OPTION_H_
#define LOCKSTEP_CLIENT_CLI_CPU_TARGET_OPTION_H_

#include "CLI/CLI.hpp"

namespace lockstep::internal {

// --cpu-target NAME: sets LOCKSTEP_CPU_TARGET of this process, and so of those
// that it starts, before anything is compiled. Refuses names that are none, and
// kinds of processors that this machine's cannot stand in for.
CLI::Option* AddCpuTargetOption(CLI::App& app);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_CLI_CPU_TARGET_OPTION_H_
