#ifndef LOCKSTEP_CLIENT_CLI_COORDINATOR_CALLS_H_
#define LOCKSTEP_CLIENT_CLI_COORDINATOR_CALLS_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "client/cli/status_report.h"
#include "proto/security/credentials.h"

namespace lockstep::internal {

// Calls of an operator to the coordinator at `address` ("host:port"). They
// block, at most until the deadline. UNAVAILABLE names the address.
absl::StatusOr<StatusReport> GetClusterStatus(
    const std::string& address, absl::Time deadline,
    const Credentials& credentials = {});

// Asks all workers to leave and the coordinator to end; returns when it has
// taken up the request.
absl::Status ShutDownCluster(const std::string& address,
                             absl::string_view reason, absl::Time deadline,
                             const Credentials& credentials = {});

// Says that a preemption of `host` is coming, by id or name ("": of none in
// particular); the step at which all hosts save. They have `timeout` to say how
// far they are.
absl::StatusOr<int64_t> NoticePreemption(const std::string& address,
                                         const std::string& host,
                                         absl::Duration timeout,
                                         absl::Time deadline,
                                         const Credentials& credentials = {});

// What a call to the coordinator gave, as an operator wants to read it.
absl::Status CoordinatorError(const absl::Status& status,
                              const std::string& address,
                              const Credentials& credentials);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_CLI_COORDINATOR_CALLS_H_
