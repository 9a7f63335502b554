#ifndef LOCKSTEP_PROTO_SECURITY_PEER_DIAGNOSIS_H_
#define LOCKSTEP_PROTO_SECURITY_PEER_DIAGNOSIS_H_

#include <string>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "proto/security/credentials.h"

namespace lockstep::internal {

// Why a server at host:port can be reached but not spoken to with
// `credentials`, which gRPC reports as UNAVAILABLE, like a server that is not
// there. Connects anew, and takes at most `timeout`.
// FAILED_PRECONDITION says why, for callers to put the address before it: one
// of the two sides speaks TLS and the other does not; its certificate or ours
// is not accepted. OK: nothing of the kind was found.
absl::Status DiagnosePeer(const std::string& address,
                          const Credentials& credentials,
                          absl::Duration timeout = absl::Seconds(2));

}  // namespace lockstep::internal

#endif  // LOCKSTEP_PROTO_SECURITY_PEER_DIAGNOSIS_H_
