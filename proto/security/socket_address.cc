#include "proto/security/socket_address.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <unistd.h>

#include <cstring>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"

namespace lockstep::internal {
namespace {

bool AwaitConnected(int fd, absl::Time deadline) {
  pollfd descriptor = {fd, POLLOUT, 0};
  const int64_t left = absl::ToInt64Milliseconds(deadline - absl::Now());
  if (left <= 0 || poll(&descriptor, 1, static_cast<int>(left)) <= 0) {
    return false;
  }
  int error = 0;
  socklen_t size = sizeof error;
  return getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) == 0 && error == 0;
}

}  // namespace

bool SocketAddress::is_loopback() const {
  if (storage.ss_family == AF_INET) {
    const auto& v4 = reinterpret_cast<const sockaddr_in&>(storage);
    return (ntohl(v4.sin_addr.s_addr) >> 24) == 127;
  }
  if (storage.ss_family != AF_INET6) return false;
  const in6_addr& v6 = reinterpret_cast<const sockaddr_in6&>(storage).sin6_addr;
  return IN6_IS_ADDR_LOOPBACK(&v6) ||
         (IN6_IS_ADDR_V4MAPPED(&v6) && v6.s6_addr[12] == 127);
}

absl::StatusOr<std::vector<SocketAddress>> ResolveSocketAddresses(
    const std::string& address) {
  const size_t colon = address.rfind(':');
  if (colon == std::string::npos || colon == 0 || colon + 1 == address.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("expected an address host:port, found \"", address, "\""));
  }
  std::string host = address.substr(0, colon);
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') {
    host = host.substr(1, host.size() - 2);
  }
  addrinfo hints = {};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const int error = getaddrinfo(host.c_str(), address.substr(colon + 1).c_str(),
                                &hints, &found);
  if (error != 0) {
    return absl::UnavailableError(absl::StrCat(
        "the address ", address, " is not known here: ", gai_strerror(error)));
  }
  std::vector<SocketAddress> addresses;
  for (const addrinfo* info = found; info != nullptr; info = info->ai_next) {
    SocketAddress& next = addresses.emplace_back();
    std::memcpy(&next.storage, info->ai_addr, info->ai_addrlen);
    next.size = info->ai_addrlen;
  }
  freeaddrinfo(found);
  return addresses;
}

int ConnectTo(const std::string& address, absl::Time deadline) {
  const auto addresses = ResolveSocketAddresses(address);
  if (!addresses.ok()) return -1;
  for (const SocketAddress& candidate : *addresses) {
    const int fd = socket(candidate.storage.ss_family,
                          SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0) continue;
    if (connect(fd, candidate.get(), candidate.size) == 0 ||
        (errno == EINPROGRESS && AwaitConnected(fd, deadline))) {
      return fd;
    }
    close(fd);
  }
  return -1;
}

}  // namespace lockstep::internal
