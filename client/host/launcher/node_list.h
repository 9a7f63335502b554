#ifndef LOCKSTEP_CLIENT_HOST_LAUNCHER_NODE_LIST_H_
#define LOCKSTEP_CLIENT_HOST_LAUNCHER_NODE_LIST_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

// The two compressed lists of Slurm's variables (spec M-16). Errors are
// INVALID_ARGUMENT: the list, and what was expected where.

namespace lockstep::internal {

// "gpu[01-03,07],login1" is gpu01 gpu02 gpu03 gpu07 login1; of several brackets
// in a name the last varies fastest.
absl::StatusOr<std::vector<std::string>> ExpandNodeList(absl::string_view list);

// How many tasks each node has: "4(x2),2" is 4 4 2.
absl::StatusOr<std::vector<int>> ExpandTasksPerNode(absl::string_view list);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_HOST_LAUNCHER_NODE_LIST_H_
