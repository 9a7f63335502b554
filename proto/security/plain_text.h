#ifndef LOCKSTEP_PROTO_SECURITY_PLAIN_TEXT_H_
#define LOCKSTEP_PROTO_SECURITY_PLAIN_TEXT_H_

#include <string>

#include "absl/status/status.h"

namespace lockstep::internal {

// Plain text is for loopback: FAILED_PRECONDITION, with what to do, when
// host:port means, or may mean, anything else. A name that is not known yet
// may.
absl::Status CheckMayBePlain(const std::string& address);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_PROTO_SECURITY_PLAIN_TEXT_H_
