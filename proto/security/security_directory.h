#ifndef LOCKSTEP_PROTO_SECURITY_SECURITY_DIRECTORY_H_
#define LOCKSTEP_PROTO_SECURITY_SECURITY_DIRECTORY_H_

#include <string>

#include "absl/status/status.h"
#include "absl/time/time.h"

namespace lockstep::internal {

// Makes what a cluster needs to be closed to strangers, as files that nobody
// but this user may read (folders 0700, files 0600):
//
//   DIR         for the hosts, and for who administers the cluster
//     ca.pem, host.pem, host.key, admin.token, submit.token, view.token
//   DIR/submit  to hand out to who runs programs: a certificate that cannot
//   DIR/view    serve, and the token of the role alone
//
// Every host of the cluster gets a copy of the same DIR. The authority's key is
// not kept: nobody can add certificates later. FAILED_PRECONDITION: DIR is
// there and not empty, or cannot be written.
absl::Status CreateSecurityDirectory(const std::string& directory,
                                     absl::Time now, absl::Duration lifetime);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_PROTO_SECURITY_SECURITY_DIRECTORY_H_
