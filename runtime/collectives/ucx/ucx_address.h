#ifndef LOCKSTEP_RUNTIME_COLLECTIVES_UCX_UCX_ADDRESS_H_
#define LOCKSTEP_RUNTIME_COLLECTIVES_UCX_UCX_ADDRESS_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace lockstep::internal {

// UCX does not check the addresses it is given, so ours carry a mark and a
// checksum: "ucx1", 8 bytes of XXH3, UCX's bytes.
std::string SealUcxAddress(absl::string_view worker_address);

// INVALID_ARGUMENT when the bytes are not what SealUcxAddress made.
absl::StatusOr<absl::string_view> OpenUcxAddress(absl::string_view address);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_COLLECTIVES_UCX_UCX_ADDRESS_H_
