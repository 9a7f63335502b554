#ifndef LOCKSTEP_PROTO_SECURITY_SOCKET_ADDRESS_H_
#define LOCKSTEP_PROTO_SECURITY_SOCKET_ADDRESS_H_

#include <sys/socket.h>

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"

namespace lockstep::internal {

struct SocketAddress {
  sockaddr_storage storage = {};
  socklen_t size = 0;

  const sockaddr* get() const {
    return reinterpret_cast<const sockaddr*>(&storage);
  }
  // Of 127.0.0.0/8, ::1 or the same mapped into IPv6.
  bool is_loopback() const;
};

// What "host:port" and "[v6]:port" mean here, at least one. INVALID_ARGUMENT:
// not of that form; UNAVAILABLE: an unknown name. Blocks while names are
// looked up.
absl::StatusOr<std::vector<SocketAddress>> ResolveSocketAddresses(
    const std::string& address);

// A connected socket that does not block, or -1.
int ConnectTo(const std::string& address, absl::Time deadline);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_PROTO_SECURITY_SOCKET_ADDRESS_H_
