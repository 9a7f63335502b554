#ifndef LOCKSTEP_CLIENT_HOST_COORDINATOR_START_H_
#define LOCKSTEP_CLIENT_HOST_COORDINATOR_START_H_

#include "absl/status/status.h"
#include "client/host/resolved_options.h"
#include "client/process/cluster_credentials.h"

namespace lockstep::internal {

SecurityOptions SecurityOf(const ResolvedOptions& options);

// Starts the coordinator, as a process of its own, where it is this host's turn
// (spec M-2); returns when it listens. The last step before joining it: it
// does not wait long. Whoever starts it by "auto" at an address that the user
// gave, and cannot, may still find another host's. At the launcher's address
// one that listens already is given time to end; if it does not, it is joined.
// UNAVAILABLE: it cannot listen; NOT_FOUND: no `lockstep` program;
// FAILED_PRECONDITION: it listens elsewhere than at the launcher's address, and
// is not found there.
absl::Status EnsureCoordinator(const ResolvedOptions& options);

// What is left to find out about coordinator_address, before anything else is
// done with it. Where the launcher's PMIx has to say it: rank 0 starts the
// coordinator at a free port and publishes where, the others wait for that,
// until join_deadline. Where its variables say it, of several machines: where
// that name leads to loopback on rank 0, it takes the address of its interface,
// if one is given.
// Errors of PmixClient, FindHostAddress and EnsureCoordinator;
// FAILED_PRECONDITION: the name of this machine leads to loopback, where hosts
// of other machines do not reach it.
absl::Status FindMeetingPlace(const LocalFacts& facts,
                              ResolvedOptions& options);

// An error of joining, with the address where nobody gave it.
absl::Status OfLauncher(const ResolvedOptions& options,
                        const absl::Status& status);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_HOST_COORDINATOR_START_H_
