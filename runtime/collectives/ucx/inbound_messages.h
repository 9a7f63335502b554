#ifndef LOCKSTEP_RUNTIME_COLLECTIVES_UCX_INBOUND_MESSAGES_H_
#define LOCKSTEP_RUNTIME_COLLECTIVES_UCX_INBOUND_MESSAGES_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "runtime/collectives/message_buffer.h"

namespace lockstep::internal {

// Puts the messages of one peer back into the order in which it sent them:
// small ones overtake large ones, whose bytes are fetched separately, and a new
// connection repeats what the one before may have lost. Not thread-safe.
class InboundMessages {
 public:
  struct Message {
    std::string header;
    std::shared_ptr<MessageBuffer> payload;  // null: none
    bool is_complete = false;                // the payload's bytes are here
    uint64_t connection = 0;                 // that brought it
  };

  // Adds a message. False when it is a repetition that is not wanted. One whose
  // bytes a former connection did not bring is taken in its place.
  bool Add(uint64_t sequence, Message message);

  // The bytes of a message have come. No effect when it is gone.
  void Complete(uint64_t connection, uint64_t sequence);

  // The next message in order, if it is complete.
  std::optional<Message> Next();

  // How many Next has given: what the sender need not keep.
  uint64_t received() const { return next_; }
  size_t waiting() const { return waiting_.size(); }

 private:
  uint64_t next_ = 0;
  std::map<uint64_t, Message> waiting_;  // by sequence
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_COLLECTIVES_UCX_INBOUND_MESSAGES_H_
