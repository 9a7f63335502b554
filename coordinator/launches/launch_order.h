#ifndef LOCKSTEP_COORDINATOR_LAUNCHES_LAUNCH_ORDER_H_
#define LOCKSTEP_COORDINATOR_LAUNCHES_LAUNCH_ORDER_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <variant>
#include <vector>

#include "runtime/cluster/command.h"
#include "runtime/mesh/ids.h"

namespace lockstep::internal {

// The one order in which commands of the global view start on all workers.
// Clients queue commands; each gets its place when it is handed out. While
// a host has not received as many as the limit, clients take turns, one command
// each. Not thread-safe; owned by Coordinator.
class LaunchOrder {
 public:
  using Action = decltype(Command::action);
  struct Placed {
    Command command;
    ClientId client;
    std::set<HostId> hosts;
  };

  explicit LaunchOrder(size_t max_in_flight) : max_in_flight_(max_in_flight) {}

  // `hosts`: the workers that the command concerns, in their lives of `epoch`.
  void Enqueue(ClientId client, Action action, std::set<HostId> hosts,
               Epoch epoch = {});
  // The next command to send, or none: nothing waits, or too many are in
  // flight to one host. It is in flight until all its hosts have received it.
  std::optional<Placed> Next();

  // `host` has all commands up to `sequence`.
  void Received(HostId host, int64_t sequence);
  // Nothing is expected from `host` any more.
  void Lose(HostId host);
  // The launch with `sequence`, once; none when it is unknown or long ago.
  std::optional<Placed> TakeLaunch(int64_t sequence);

  // The hosts that have so many in flight that the others wait.
  std::vector<HostId> FullHosts() const;
  size_t queued() const;
  size_t in_flight() const { return in_flight_.size(); }

 private:
  struct Queued {
    Action action;
    std::set<HostId> hosts;
    Epoch epoch;
  };

  const size_t max_in_flight_;
  int64_t last_sequence_ = 0;
  std::map<ClientId, std::deque<Queued>> queues_;  // no empty queues
  ClientId last_client_;
  std::map<int64_t, std::set<HostId>> in_flight_;  // who has yet to receive
  std::map<HostId, size_t> unreceived_;            // commands in flight
  std::map<int64_t, Placed> launches_;  // the latest that were not taken
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_COORDINATOR_LAUNCHES_LAUNCH_ORDER_H_
