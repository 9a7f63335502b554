#ifndef LOCKSTEP_RUNTIME_COLLECTIVES_UCX_INBOUND_STREAM_H_
#define LOCKSTEP_RUNTIME_COLLECTIVES_UCX_INBOUND_STREAM_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "runtime/collectives/message_buffer.h"

namespace lockstep {

// Puts the messages of one peer back into the order in which it sent them:
// small ones overtake large ones, whose bytes are fetched separately. A peer
// that connects again counts from 0 in a new connection; what is left of the
// one before is dropped. Not thread-safe.
class InboundStream {
 public:
  struct Message {
    std::string header;
    std::shared_ptr<MessageBuffer> payload;  // null: none
    bool is_complete = false;                // the payload's bytes are here
    bool is_hello = false;                   // opens the connection
  };

  // Adds a message. False when it is of an earlier connection, or a repetition:
  // it is not wanted.
  bool Add(uint64_t connection, uint64_t sequence, Message message);

  // The bytes of a message have come. No effect when it is gone.
  void Complete(uint64_t connection, uint64_t sequence);

  // The next message in order, if it is complete.
  std::optional<Message> Next();

  size_t waiting() const { return waiting_.size(); }

 private:
  uint64_t connection_ = 0;
  uint64_t next_ = 0;
  std::map<uint64_t, Message> waiting_;  // by sequence
};

}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_COLLECTIVES_UCX_INBOUND_STREAM_H_
