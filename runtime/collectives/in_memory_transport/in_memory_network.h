#ifndef LOCKSTEP_RUNTIME_COLLECTIVES_IN_MEMORY_TRANSPORT_IN_MEMORY_NETWORK_H_
#define LOCKSTEP_RUNTIME_COLLECTIVES_IN_MEMORY_TRANSPORT_IN_MEMORY_NETWORK_H_

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/synchronization/mutex.h"
#include "runtime/collectives/transport.h"

namespace lockstep::internal {

// A network of several "hosts" in one process, for tests, with faults on
// demand. Transports share ownership of it. Thread-safe.
class InMemoryNetwork : public std::enable_shared_from_this<InMemoryNetwork> {
 public:
  static std::shared_ptr<InMemoryNetwork> Create();

  std::unique_ptr<Transport> NewTransport();

  // The process behind `address` disappears: what it sends from now on is lost
  // and its peers hear that it failed.
  void Kill(const std::string& address);

  // Keeps the messages between two addresses, in this direction, back until
  // Release, which delivers them in order.
  void Hold(const std::string& from, const std::string& to);
  void Release(const std::string& from, const std::string& to);

 private:
  friend class InMemoryTransport;
  class Inbox;
  using Task = std::function<void(class InMemoryTransport&)>;
  using Route = std::pair<std::string, std::string>;

  InMemoryNetwork() = default;
  std::string Register(class InMemoryTransport* transport);
  void Unregister(const std::string& address);
  // Runs `task` on the thread of the transport at `to`, unless either end is
  // gone.
  void Post(const std::string& from, const std::string& to, Task task);
  bool IsAlive(const std::string& address);
  void Deliver(const std::string& to, Task task)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  absl::Mutex mutex_;
  int next_ ABSL_GUARDED_BY(mutex_) = 0;
  absl::flat_hash_map<std::string, class InMemoryTransport*> transports_
      ABSL_GUARDED_BY(mutex_);
  absl::flat_hash_set<std::string> killed_ ABSL_GUARDED_BY(mutex_);
  absl::flat_hash_map<Route, std::deque<Task>> held_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_COLLECTIVES_IN_MEMORY_TRANSPORT_IN_MEMORY_NETWORK_H_
