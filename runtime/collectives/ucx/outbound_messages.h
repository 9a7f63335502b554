#ifndef LOCKSTEP_RUNTIME_COLLECTIVES_UCX_OUTBOUND_MESSAGES_H_
#define LOCKSTEP_RUNTIME_COLLECTIVES_UCX_OUTBOUND_MESSAGES_H_

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <utility>

#include "runtime/collectives/message_buffer.h"

namespace lockstep::internal {

// The messages to one peer that it has not confirmed: what a new connection
// must carry again. Not thread-safe.
class OutboundMessages {
 public:
  struct Message {
    std::string header;
    std::shared_ptr<const MessageBuffer> payload;  // null: none
  };

  // Adds a message; its number, from 0.
  uint64_t Add(Message message) {
    messages_.push_back(std::move(message));
    return first_ + messages_.size() - 1;
  }

  // The peer has everything before number `received`. Older and impossible
  // confirmations are ignored.
  void Confirm(uint64_t received) {
    while (first_ < received && !messages_.empty()) {
      messages_.pop_front();
      ++first_;
    }
  }

  // Those that are not confirmed, the first of which has number first().
  const std::deque<Message>& messages() const { return messages_; }
  uint64_t first() const { return first_; }

 private:
  uint64_t first_ = 0;
  std::deque<Message> messages_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_COLLECTIVES_UCX_OUTBOUND_MESSAGES_H_
