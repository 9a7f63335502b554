#include "runtime/collectives/in_memory_transport/in_memory_network.h"

#include "absl/strings/str_cat.h"
#include "runtime/collectives/in_memory_transport/in_memory_transport.h"

namespace lockstep::internal {

std::shared_ptr<InMemoryNetwork> InMemoryNetwork::Create() {
  return std::shared_ptr<InMemoryNetwork>(new InMemoryNetwork());
}

std::unique_ptr<Transport> InMemoryNetwork::NewTransport() {
  return std::make_unique<InMemoryTransport>(shared_from_this());
}

std::string InMemoryNetwork::Register(InMemoryTransport* transport) {
  absl::MutexLock lock(&mutex_);
  std::string address = absl::StrCat("memory:", next_++);
  transports_[address] = transport;
  return address;
}

void InMemoryNetwork::Unregister(const std::string& address) {
  absl::MutexLock lock(&mutex_);
  transports_.erase(address);
}

void InMemoryNetwork::Kill(const std::string& address) {
  absl::MutexLock lock(&mutex_);
  if (!killed_.insert(address).second) return;
  for (const auto& [other, transport] : transports_) {
    if (other == address) continue;
    transport->Schedule([address](InMemoryTransport& transport) {
      transport.PeerFailed(address);
    });
  }
}

void InMemoryNetwork::Hold(const std::string& from, const std::string& to) {
  absl::MutexLock lock(&mutex_);
  held_.try_emplace(Route(from, to));
}

void InMemoryNetwork::Release(const std::string& from, const std::string& to) {
  absl::MutexLock lock(&mutex_);
  auto it = held_.find(Route(from, to));
  if (it == held_.end()) return;
  for (Task& task : it->second) Deliver(to, std::move(task));
  held_.erase(it);
}

void InMemoryNetwork::Post(const std::string& from, const std::string& to,
                           Task task) {
  absl::MutexLock lock(&mutex_);
  if (killed_.contains(from) || killed_.contains(to)) return;
  auto it = held_.find(Route(from, to));
  if (it != held_.end()) {
    it->second.push_back(std::move(task));
  } else {
    Deliver(to, std::move(task));
  }
}

bool InMemoryNetwork::IsAlive(const std::string& address) {
  absl::MutexLock lock(&mutex_);
  return transports_.contains(address) && !killed_.contains(address);
}

void InMemoryNetwork::Deliver(const std::string& to, Task task) {
  auto it = transports_.find(to);
  if (it != transports_.end()) it->second->Schedule(std::move(task));
}

}  // namespace lockstep::internal
