#ifndef LOCKSTEP_RUNTIME_CLUSTER_ROSTER_H_
#define LOCKSTEP_RUNTIME_CLUSTER_ROSTER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "runtime/cluster/host_ref.h"
#include "runtime/cluster/time_limits.h"
#include "runtime/mesh/ids.h"
#include "runtime/mesh/world.h"

namespace lockstep::internal {

enum class MemberState {
  kAlive,
  kLeft,  // said goodbye
  kDead,  // exited, silent or failed; a replacement may come
};

struct Member {
  HostRef host;
  MemberState state = MemberState::kAlive;
  int64_t pid = 0;
  std::string machine;
  std::string service_address;
  std::string transport_address;
  friend bool operator==(const Member&, const Member&) = default;
};

// One membership of the cluster. A value type.
struct Roster {
  std::string cluster_id;
  Epoch epoch;
  std::vector<Member> members;  // by host id
  World world;                  // the devices of all members, dead ones too
  TimeLimits limits;
  // By which members know each other's connections: of this epoch, then of the
  // ones before it. Not for clients. None: everybody is let in.
  std::vector<std::string> secrets;

  // The member with `id`, or null.
  const Member* Find(HostId id) const {
    const auto place = static_cast<size_t>(id.value());
    if (id.value() >= 0 && place < members.size() &&
        members[place].host.id == id) {
      return &members[place];
    }
    for (const Member& member : members) {
      if (member.host.id == id) return &member;
    }
    return nullptr;
  }
};

// What Join gives: who I am, and among whom.
struct Membership {
  HostId host;
  std::shared_ptr<const Roster> roster;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_CLUSTER_ROSTER_H_
