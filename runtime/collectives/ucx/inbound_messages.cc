#include "runtime/collectives/ucx/inbound_messages.h"

#include <utility>

namespace lockstep::internal {

bool InboundMessages::Add(uint64_t sequence, Message message) {
  if (sequence < next_) return false;
  auto [it, is_new] = waiting_.try_emplace(sequence, std::move(message));
  if (is_new) return true;
  Message& present = it->second;
  if (present.is_complete || present.connection >= message.connection) {
    return false;
  }
  present = std::move(message);
  return true;
}

void InboundMessages::Complete(uint64_t connection, uint64_t sequence) {
  auto it = waiting_.find(sequence);
  if (it != waiting_.end() && it->second.connection == connection) {
    it->second.is_complete = true;
  }
}

std::optional<InboundMessages::Message> InboundMessages::Next() {
  auto it = waiting_.begin();
  if (it == waiting_.end() || it->first != next_ || !it->second.is_complete) {
    return std::nullopt;
  }
  Message message = std::move(it->second);
  waiting_.erase(it);
  ++next_;
  return message;
}

}  // namespace lockstep::internal
