#ifndef LOCKSTEP_CLIENT_PROCESS_CLUSTER_CREDENTIALS_H_
#define LOCKSTEP_CLIENT_PROCESS_CLUSTER_CREDENTIALS_H_

#include <string>

#include "absl/status/statusor.h"
#include "proto/security/credentials.h"

namespace lockstep::internal {

// What a user says about security; the default is nothing.
struct SecurityOptions {
  // A folder that `lockstep credentials` made. "": that of `lockstep up
  // --secure`, for its cluster; else LOCKSTEP_SECURITY_DIR; else none.
  std::string directory = {};
  // "": LOCKSTEP_JOIN_TOKEN; else a token of the folder.
  std::string join_token = {};
  // Plain text off loopback is wanted; also by LOCKSTEP_INSECURE=1.
  bool is_insecure = false;
};

// Whether `address` may be listened on and spoken to with these credentials.
absl::Status CheckNotOpenToAll(const SecurityOptions& options,
                               const Credentials& credentials,
                               const std::string& address);

// What to use with the cluster whose coordinator is, or will be, at `address`.
// Errors are those of LoadCredentials, and of CheckMayBePlain when nothing is
// given.
absl::StatusOr<Credentials> FindCredentials(const SecurityOptions& options,
                                            const std::string& address);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_PROCESS_CLUSTER_CREDENTIALS_H_
