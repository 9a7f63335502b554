#include "runtime/collectives/ucx/inbound_stream.h"

#include <utility>

namespace lockstep {

bool InboundStream::Add(uint64_t connection, uint64_t sequence,
                        Message message) {
  if (connection < connection_) return false;
  if (connection > connection_) {
    connection_ = connection;
    next_ = 0;
    waiting_.clear();
  }
  if (sequence < next_) return false;
  return waiting_.emplace(sequence, std::move(message)).second;
}

void InboundStream::Complete(uint64_t connection, uint64_t sequence) {
  if (connection != connection_) return;
  auto it = waiting_.find(sequence);
  if (it != waiting_.end()) it->second.is_complete = true;
}

std::optional<InboundStream::Message> InboundStream::Next() {
  auto it = waiting_.begin();
  if (it == waiting_.end() || it->first != next_ || !it->second.is_complete) {
    return std::nullopt;
  }
  Message message = std::move(it->second);
  waiting_.erase(it);
  ++next_;
  return message;
}

}  // namespace lockstep
