#ifndef LOCKSTEP_RUNTIME_WORKER_HOST_ADDRESS_H_
#define LOCKSTEP_RUNTIME_WORKER_HOST_ADDRESS_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace lockstep::internal {

// Where the other hosts, and clients, reach this one.
struct HostAddress {
  std::string ip;         // "10.0.0.5", "fd00::5"
  std::string interface;  // that has it: "eth0"

  // "10.0.0.5:7070", "[fd00::5]:7070".
  std::string WithPort(int port) const;
};

// The address from which this machine reaches `target`, host:port: that of a
// socket connected towards it; nothing is sent. INVALID_ARGUMENT: no host:port;
// UNAVAILABLE: a name that is not known (yet), or no way there (yet).
absl::StatusOr<HostAddress> AddressTowards(absl::string_view target);

// The first address of the interface of that name, IPv4 before IPv6; or
// `interface` itself when it is an address of this machine. INVALID_ARGUMENT
// lists the interfaces that there are.
absl::StatusOr<HostAddress> AddressOn(absl::string_view interface);

// Whether that interface is loopback, where only this machine reaches it.
bool IsLoopback(absl::string_view interface);

// Whether who listens there, the host of a host:port, is reached at every
// address of its machine: "0.0.0.0", "[::]", "*", "".
bool IsAnyAddress(absl::string_view host);

// AddressOn when `interface` is given, else AddressTowards, which is asked
// again until `deadline` while it is UNAVAILABLE: a machine may start before
// its network and its names do.
absl::StatusOr<HostAddress> FindHostAddress(absl::string_view coordinator,
                                            absl::string_view interface,
                                            absl::Time deadline);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_WORKER_HOST_ADDRESS_H_
