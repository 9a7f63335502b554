#ifndef LOCKSTEP_RUNTIME_COLLECTIVES_CLIQUE_KEY_H_
#define LOCKSTEP_RUNTIME_COLLECTIVES_CLIQUE_KEY_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "runtime/mesh/ids.h"

namespace lockstep::internal {

// One place of a clique: a device, the host that drives it, and which life of
// that host is meant.
struct CliqueMember {
  GlobalDeviceId device;
  HostId host;
  Incarnation incarnation;
  friend bool operator==(const CliqueMember&, const CliqueMember&) = default;
  template <typename H>
  friend H AbslHashValue(H h, const CliqueMember& m) {
    return H::combine(std::move(h), m.device, m.host, m.incarnation);
  }
};

// The ordered devices that communicate. The rank of a device is its position.
// A clique with a dead incarnation is a different clique from the one after
// the restart, so a message can never reach the wrong life. Cliques of the same
// members on different channels have nothing to do with each other either. A
// value type.
class CliqueKey {
 public:
  CliqueKey() = default;
  explicit CliqueKey(std::vector<CliqueMember> members, int channel = 0)
      : members_(std::move(members)), channel_(channel) {}

  const std::vector<CliqueMember>& members() const { return members_; }
  int channel() const { return channel_; }
  int size() const { return static_cast<int>(members_.size()); }
  // The rank of `device`, or -1.
  int RankOf(GlobalDeviceId device) const;
  // The distinct hosts, ordered by their first rank.
  std::vector<HostId> Hosts() const;
  // The same on every host; goes into message headers.
  uint64_t Digest() const;
  // "[0,1,4,5]": the device ids.
  std::string ToString() const;

  friend bool operator==(const CliqueKey&, const CliqueKey&) = default;
  template <typename H>
  friend H AbslHashValue(H h, const CliqueKey& key) {
    return H::combine(std::move(h), key.members_, key.channel_);
  }

 private:
  std::vector<CliqueMember> members_;
  int channel_ = 0;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_COLLECTIVES_CLIQUE_KEY_H_
