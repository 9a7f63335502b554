#include "runtime/worker/host_address.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <optional>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/clock.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

constexpr absl::Duration kRetryPause = absl::Milliseconds(200);

std::string TextOf(const sockaddr* address) {
  char text[INET6_ADDRSTRLEN] = "";
  const void* bytes =
      address->sa_family == AF_INET6
          ? static_cast<const void*>(
                &reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr)
          : &reinterpret_cast<const sockaddr_in*>(address)->sin_addr;
  inet_ntop(address->sa_family, bytes, text, sizeof text);
  return text;
}

// The addresses of the interfaces that are up, IPv4 first.
std::vector<HostAddress> LocalAddresses() {
  std::vector<HostAddress> addresses;
  ifaddrs* list = nullptr;
  if (getifaddrs(&list) != 0) return addresses;
  for (int family : {AF_INET, AF_INET6}) {
    for (const ifaddrs* each = list; each != nullptr; each = each->ifa_next) {
      if (each->ifa_addr == nullptr || each->ifa_addr->sa_family != family ||
          (each->ifa_flags & IFF_UP) == 0) {
        continue;
      }
      addresses.push_back({TextOf(each->ifa_addr), each->ifa_name});
    }
  }
  freeifaddrs(list);
  return addresses;
}

// The local end of a socket connected towards `target`.
absl::StatusOr<std::string> LocalEnd(const addrinfo& target) {
  const int fd = socket(target.ai_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return absl::UnavailableError(strerror(errno));
  sockaddr_storage local = {};
  socklen_t size = sizeof local;
  auto* address = reinterpret_cast<sockaddr*>(&local);
  const bool is_known = connect(fd, target.ai_addr, target.ai_addrlen) == 0 &&
                        getsockname(fd, address, &size) == 0;
  const int error = errno;
  close(fd);
  if (!is_known) return absl::UnavailableError(strerror(error));
  return TextOf(address);
}

absl::StatusOr<HostAddress> WithInterface(const std::string& ip) {
  for (const HostAddress& local : LocalAddresses()) {
    if (local.ip == ip) return local;
  }
  // The whole of 127.0.0.0/8 is the loopback interface's.
  if (absl::StartsWith(ip, "127.")) return HostAddress{ip, "lo"};
  return absl::UnavailableError(
      absl::StrCat("no network interface has the address ", ip));
}

}  // namespace

std::string HostAddress::WithPort(int port) const {
  const bool is_v6 = absl::StrContains(ip, ':');
  return is_v6 ? absl::StrCat("[", ip, "]:", port)
               : absl::StrCat(ip, ":", port);
}

absl::StatusOr<HostAddress> AddressTowards(absl::string_view target) {
  const size_t colon = target.rfind(':');
  if (colon == absl::string_view::npos || colon == 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("expected an address host:port, found \"", target, "\""));
  }
  absl::string_view host = target.substr(0, colon);
  if (absl::StartsWith(host, "[") && absl::EndsWith(host, "]")) {
    host = host.substr(1, host.size() - 2);
  }
  const std::string port(target.substr(colon + 1));
  addrinfo hints = {};
  hints.ai_socktype = SOCK_DGRAM;
  addrinfo* list = nullptr;
  const int error =
      getaddrinfo(std::string(host).c_str(), port.c_str(), &hints, &list);
  if (error != 0) {
    return absl::UnavailableError(absl::StrCat(
        "the name '", host, "' is not known: ", gai_strerror(error)));
  }
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> owner(list,
                                                                 freeaddrinfo);
  absl::Status last = absl::UnavailableError("it has no address");
  for (int family : {AF_INET, AF_INET6}) {
    for (const addrinfo* each = list; each != nullptr; each = each->ai_next) {
      if (each->ai_family != family) continue;
      absl::StatusOr<std::string> ip = LocalEnd(*each);
      if (ip.ok()) return WithInterface(*ip);
      last = ip.status();
    }
  }
  return Annotate(last, absl::StrCat("no way to ", target));
}

absl::StatusOr<HostAddress> AddressOn(absl::string_view interface) {
  const std::vector<HostAddress> all = LocalAddresses();
  std::vector<std::string> names;
  for (const HostAddress& address : all) {
    if (address.interface == interface || address.ip == interface) {
      return address;
    }
    if (std::find(names.begin(), names.end(), address.interface) ==
        names.end()) {
      names.push_back(address.interface);
    }
  }
  return absl::InvalidArgumentError(
      absl::StrCat("no network interface with an address is named '", interface,
                   "'; there are ", absl::StrJoin(names, ", ")));
}

bool IsAnyAddress(absl::string_view host) {
  return host.empty() || host == "0.0.0.0" || host == "[::]" || host == "*";
}

bool IsLoopback(absl::string_view interface) {
  bool is_loopback = false;
  ifaddrs* list = nullptr;
  if (getifaddrs(&list) != 0) return false;
  for (const ifaddrs* each = list; each != nullptr; each = each->ifa_next) {
    if (each->ifa_name == interface) {
      is_loopback = (each->ifa_flags & IFF_LOOPBACK) != 0;
    }
  }
  freeifaddrs(list);
  return is_loopback;
}

absl::StatusOr<HostAddress> FindHostAddress(absl::string_view coordinator,
                                            absl::string_view interface,
                                            absl::Time deadline) {
  if (!interface.empty()) return AddressOn(interface);
  while (true) {
    absl::StatusOr<HostAddress> address = AddressTowards(coordinator);
    if (!absl::IsUnavailable(address.status()) || absl::Now() >= deadline) {
      return address;
    }
    absl::SleepFor(kRetryPause);
  }
}

}  // namespace lockstep::internal
