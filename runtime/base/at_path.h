#ifndef LOCKSTEP_RUNTIME_BASE_AT_PATH_H_
#define LOCKSTEP_RUNTIME_BASE_AT_PATH_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace lockstep::internal {

// Annotate with the path of a part of a tree: of `below` in the part at `path`.
// That of the root is empty, and not named.
absl::Status AtPath(const absl::Status& status, absl::string_view path,
                    absl::string_view below = "");

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BASE_AT_PATH_H_
