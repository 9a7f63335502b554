#ifndef LOCKSTEP_PROTO_SECURITY_ROLE_H_
#define LOCKSTEP_PROTO_SECURITY_ROLE_H_

#include <map>
#include <string>

#include "absl/strings/string_view.h"

namespace lockstep::internal {

// What the holder of a token may do. Each role includes those before it.
enum class Role {
  kView = 1,  // look at the cluster
  kSubmit,    // run programs, bring and fetch arrays
  kAdmin,     // end the cluster; join it as a worker
};

// "view", "submit", "admin".
absl::string_view RoleName(Role role);

// The role that a call needs, by the call's name: "Coordinator/GetStatus". A
// call that is not in the table needs the highest.
Role RequiredRole(absl::string_view call);

// The table.
const std::map<std::string, Role, std::less<>>& RolesByCall();

}  // namespace lockstep::internal

#endif  // LOCKSTEP_PROTO_SECURITY_ROLE_H_
