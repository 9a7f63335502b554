#ifndef LOCKSTEP_CLIENT_HOST_LAUNCHER_CONTACT_URI_H_
#define LOCKSTEP_CLIENT_HOST_LAUNCHER_CONTACT_URI_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace lockstep::internal {

// The address at which Open MPI's mpirun is reached by its processes, such as
// "1531576320.0;tcp://10.96.0.1,10.148.0.1:34911" (OMPI_MCA_orte_hnp_uri).
struct ContactUri {
  int64_t job = 0;  // 1531576320
  // The first of its addresses that is neither link-local nor loopback, else
  // the first; IPv6 in brackets.
  std::string host;

  // INVALID_ARGUMENT with the text, and what was expected.
  static absl::StatusOr<ContactUri> Parse(absl::string_view text);
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_HOST_LAUNCHER_CONTACT_URI_H_
