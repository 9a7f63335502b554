#include "coordinator/launches/launch_order.h"

#include <utility>

namespace lockstep::internal {
namespace {

// Launches whose client is remembered, for failures that come later.
constexpr size_t kRememberedLaunches = 1 << 16;

}  // namespace

void LaunchOrder::Enqueue(ClientId client, Action action,
                          std::set<HostId> hosts, Epoch epoch) {
  queues_[client].push_back({std::move(action), std::move(hosts), epoch});
}

std::optional<LaunchOrder::Placed> LaunchOrder::Next() {
  if (queues_.empty() || !FullHosts().empty()) return std::nullopt;
  // Round robin from the client that was served last, which may have gone: one
  // that submits without end does not keep the others waiting.
  auto queue = queues_.upper_bound(last_client_);
  if (queue == queues_.end()) queue = queues_.begin();
  last_client_ = queue->first;
  Queued next = std::move(queue->second.front());
  queue->second.pop_front();
  if (queue->second.empty()) queues_.erase(queue);

  Placed placed;
  placed.command.sequence = ++last_sequence_;
  placed.command.action = std::move(next.action);
  placed.command.epoch = next.epoch;
  placed.client = last_client_;
  placed.hosts = std::move(next.hosts);
  if (!placed.hosts.empty()) in_flight_[last_sequence_] = placed.hosts;
  for (HostId host : placed.hosts) ++unreceived_[host];
  if (std::holds_alternative<LaunchProgram>(placed.command.action)) {
    launches_[last_sequence_] = placed;
    if (launches_.size() > kRememberedLaunches) {
      launches_.erase(launches_.begin());
    }
  }
  return placed;
}

std::vector<HostId> LaunchOrder::FullHosts() const {
  std::vector<HostId> full;
  for (const auto& [host, count] : unreceived_) {
    if (count >= max_in_flight_) full.push_back(host);
  }
  return full;
}

void LaunchOrder::Received(HostId host, int64_t sequence) {
  // All up to `sequence`: a host gets its commands in order, and confirms the
  // last one of several.
  for (auto it = in_flight_.begin();
       it != in_flight_.end() && it->first <= sequence;) {
    unreceived_[host] -= it->second.erase(host);
    it = it->second.empty() ? in_flight_.erase(it) : std::next(it);
  }
}

void LaunchOrder::Lose(HostId host) { Received(host, last_sequence_); }

std::optional<LaunchOrder::Placed> LaunchOrder::TakeLaunch(int64_t sequence) {
  auto launch = launches_.extract(sequence);
  if (launch.empty()) return std::nullopt;
  return std::move(launch.mapped());
}

size_t LaunchOrder::queued() const {
  size_t count = 0;
  for (const auto& [client, queue] : queues_) count += queue.size();
  return count;
}

}  // namespace lockstep::internal
