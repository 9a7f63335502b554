#ifndef LOCKSTEP_PROTO_MESSAGE_LOG_H_
#define LOCKSTEP_PROTO_MESSAGE_LOG_H_

#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

namespace lockstep::internal {

// One direction of a stream that outlives its connections: what was sent is
// kept until the other side has confirmed it, and sent again after a
// reconnection. `Message` has a field `sequence`. Not thread-safe.
template <typename Message>
class MessageLog {
 public:
  // Gives `message` the next number, from 1, and keeps it.
  const Message& Append(Message message) {
    message.set_sequence(++last_);
    kept_.push_back(std::move(message));
    return kept_.back();
  }
  // All up to `sequence` have arrived.
  void Confirm(uint64_t sequence) {
    while (!kept_.empty() && kept_.front().sequence() <= sequence) {
      kept_.pop_front();
    }
  }
  // In order.
  const std::deque<Message>& unconfirmed() const { return kept_; }
  // The first kept message after `sequence`, or null.
  const Message* After(uint64_t sequence) const {
    if (sequence >= last_ || kept_.empty()) return nullptr;
    uint64_t first = last_ - kept_.size() + 1;
    return &kept_[sequence < first ? 0 : sequence + 1 - first];
  }
  uint64_t last() const { return last_; }

 private:
  std::deque<Message> kept_;
  uint64_t last_ = 0;
};

// The other direction: which messages have been taken. Not thread-safe.
class ReceivedMessages {
 public:
  // Whether a message is new; a number of 0 always is. A message that was sent
  // again is not.
  bool Take(uint64_t sequence) {
    if (sequence == 0) return true;
    if (sequence <= last_) return false;
    last_ = sequence;
    return true;
  }
  // What to confirm.
  uint64_t last() const { return last_; }

 private:
  uint64_t last_ = 0;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_PROTO_MESSAGE_LOG_H_
