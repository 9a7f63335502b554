#ifndef LOCKSTEP_CLIENT_CLI_ARRAY_CALLS_H_
#define LOCKSTEP_CLIENT_CLI_ARRAY_CALLS_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "client/cli/array_report.h"
#include "proto/security/credentials.h"

namespace lockstep::internal {

// Asks the coordinator at `address` ("host:port") for the names of arrays, and
// every host for what it has; a host that does not answer by the deadline has a
// note that says so. UNAVAILABLE names the address.
absl::StatusOr<ArrayReport> ListArrays(const std::string& address,
                                       absl::Time deadline,
                                       const Credentials& credentials = {});

// Removes the name; the array ends with the last client that shares it.
// NOT_FOUND lists the names.
absl::Status RemoveArray(const std::string& address, const std::string& name,
                         absl::Time deadline,
                         const Credentials& credentials = {});

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_CLI_ARRAY_CALLS_H_
