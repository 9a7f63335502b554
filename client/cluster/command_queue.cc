#include "client/cluster/command_queue.h"

#include <utility>
#include <variant>

namespace lockstep::internal {

void CommandQueue::Push(Command command) {
  if (!std::holds_alternative<DeleteArrays>(command.action)) ++urgent_;
  queue_.push_back(std::move(command));
}

void CommandQueue::Clear() {
  queue_.clear();
  urgent_ = 0;
}

std::vector<Command> CommandQueue::NextBatch() {
  std::vector<Command> batch;
  if (taken_ - placed_ >= options_.window) return batch;
  DeleteArrays deletion;
  for (size_t i = 0; i < options_.batch && !queue_.empty(); ++i) {
    Command& next = queue_.front();
    if (auto* more = std::get_if<DeleteArrays>(&next.action)) {
      deletion.arrays.insert(deletion.arrays.end(), more->arrays.begin(),
                             more->arrays.end());
    } else {
      batch.push_back(std::move(next));
      --urgent_;
    }
    queue_.pop_front();
  }
  if (!deletion.arrays.empty()) {
    batch.push_back(Command{0, std::move(deletion)});
  }
  taken_ += static_cast<int64_t>(batch.size());
  return batch;
}

}  // namespace lockstep::internal
