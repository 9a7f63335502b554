#include "proto/security/plain_text.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "proto/security/socket_address.h"

namespace lockstep::internal {

absl::Status CheckMayBePlain(const std::string& address) {
  const auto addresses = ResolveSocketAddresses(address);
  if (absl::IsInvalidArgument(addresses.status())) return addresses.status();
  if (addresses.ok() &&
      std::all_of(addresses->begin(), addresses->end(),
                  [](const SocketAddress& a) { return a.is_loopback(); })) {
    return absl::OkStatus();
  }
  return absl::FailedPreconditionError(absl::StrCat(
      address,
      " is not on loopback, and plain text would let everybody on the network "
      "in: pass certificates and tokens with --security-dir or "
      "LOCKSTEP_SECURITY_DIR (`lockstep credentials DIR` makes them), or, on a "
      "network that you trust, --insecure or LOCKSTEP_INSECURE=1"));
}

}  // namespace lockstep::internal
