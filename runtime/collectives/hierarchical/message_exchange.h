#ifndef LOCKSTEP_RUNTIME_COLLECTIVES_HIERARCHICAL_MESSAGE_EXCHANGE_H_
#define LOCKSTEP_RUNTIME_COLLECTIVES_HIERARCHICAL_MESSAGE_EXCHANGE_H_

#include <cstddef>
#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/collectives/arrival.h"
#include "runtime/collectives/message_buffer.h"

namespace lockstep::internal {

using PayloadPtr = std::shared_ptr<const MessageBuffer>;

// How many messages one host sends to, and gets from, another in a collective,
// and digests of what they hold together: the other host's are the same,
// exchanged.
struct HostStream {
  int sent = 0;
  uint64_t sent_layout = 0;
  size_t sent_bytes = 0;  // where more goes there than comes
  int received = 0;
  uint64_t received_layout = 0;
  // False, on both sides: neither waits for the other.
  bool is_concerned = true;
};

// One host's part of a collective: what it sends and what it does with what
// comes. Called by one thread. Hosts are indices of the CliquePlan.
class HostMessages {
 public:
  virtual ~HostMessages() = default;

  // What the `index`-th message to `host` holds. Each once, those to one host
  // in their order. Null: not before more has been taken; asked again then. It
  // may depend on earlier messages of `host`, and on those of other hosts up to
  // `index`: on nothing later, or hosts would wait for each other.
  virtual absl::StatusOr<PayloadPtr> Message(int host, int index) = 0;
  // Bytes of the `index`-th message of `host`.
  virtual size_t ExpectedBytes(int host, int index) const = 0;
  // The `index`-th message of `host` has come; those of one host in order.
  virtual absl::Status Take(int host, int index, PayloadPtr payload) = 0;

  // Whether making and using a message takes milliseconds at most.
  virtual bool is_brief() const { return true; }

  // Work that needs no other host, done in pieces of less than a millisecond
  // while messages are on their way.
  virtual bool has_work_alone() const { return false; }
  virtual void WorkAlone() {}
};

// A collective among the hosts of a clique. Each gets at least one message of
// each other that is concerned, if an empty one, so it is not done before those
// have begun; and they do not run ahead of each other by more than a few
// messages.
class MessageExchange {
 public:
  virtual ~MessageExchange() = default;

  // `streams` by host; the own entry is ignored. Blocks. Errors are those of
  // Communicator, and of `messages`.
  virtual absl::Status Exchange(const Arrival& arrival,
                                absl::Span<const HostStream> streams,
                                HostMessages& messages) = 0;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_COLLECTIVES_HIERARCHICAL_MESSAGE_EXCHANGE_H_
