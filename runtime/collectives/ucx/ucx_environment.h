#ifndef LOCKSTEP_RUNTIME_COLLECTIVES_UCX_UCX_ENVIRONMENT_H_
#define LOCKSTEP_RUNTIME_COLLECTIVES_UCX_UCX_ENVIRONMENT_H_

namespace lockstep::internal {

// Makes UCX behave as a library within somebody else's process: it logs fatal
// errors only, and its handlers of SIGSEGV and the like are taken out again
// (UCX installs them when it is loaded). Variables that the user has set
// (UCX_LOG_LEVEL, UCX_HANDLE_ERRORS) are respected. Call before the first use
// of UCX. Thread-safe; idempotent.
void QuietUcx();

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_COLLECTIVES_UCX_UCX_ENVIRONMENT_H_
