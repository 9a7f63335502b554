#ifndef LOCKSTEP_CLIENT_CLUSTER_COMMAND_QUEUE_H_
#define LOCKSTEP_CLIENT_CLUSTER_COMMAND_QUEUE_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "runtime/cluster/command.h"

namespace lockstep::internal {

// A client's commands on their way to the coordinator, in batches: what comes
// while a batch is being written makes up the next one. Not thread-safe.
class CommandQueue {
 public:
  struct Options {
    // Commands that are sent and have no place yet.
    int64_t window = 1024;
    // Of one batch. Deletions of a batch come last, as one, so this bounds how
    // long they wait too.
    size_t batch = 64;
    // Launches that wait here; more have to wait outside.
    size_t room = 4096;
  };

  CommandQueue() : CommandQueue(Options()) {}
  explicit CommandQueue(const Options& options) : options_(options) {}

  bool has_room() const { return queue_.size() < options_.room; }
  void Push(Command command);
  // Empty: nothing waits, or too many are on their way.
  std::vector<Command> NextBatch();
  // Whether what waits should not wait for more: deletions may, a little.
  bool is_urgent() const {
    return urgent_ > 0 || queue_.size() >= options_.batch;
  }
  bool is_empty() const { return queue_.empty(); }
  // `count` commands of all that were taken from here have their place.
  void SetPlaced(int64_t count) { placed_ = count; }
  void Clear();

 private:
  const Options options_;
  std::deque<Command> queue_;
  size_t urgent_ = 0;  // of the queue: not deletions
  int64_t taken_ = 0;
  int64_t placed_ = 0;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_CLUSTER_COMMAND_QUEUE_H_
