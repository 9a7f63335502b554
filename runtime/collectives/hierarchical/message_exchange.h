#ifndef LOCKSTEP_RUNTIME_COLLECTIVES_HIERARCHICAL_MESSAGE_EXCHANGE_H_
#define LOCKSTEP_RUNTIME_COLLECTIVES_HIERARCHICAL_MESSAGE_EXCHANGE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/collectives/arrival.h"
#include "runtime/collectives/message_buffer.h"

namespace lockstep::internal {

using PayloadPtr = std::shared_ptr<const MessageBuffer>;

// What one host sends to, and expects of, another in one phase.
struct HostPart {
  PayloadPtr payload;         // null: nothing but the header
  uint64_t layout = 0;        // of `payload`
  size_t expected_bytes = 0;  // of what comes back
  uint64_t expected_layout = 0;
};

// One phase of a collective among the hosts of a clique: each sends one message
// to each other and gets one of each. Nobody is done before all have begun,
// which is also what keeps hosts from running ahead of each other.
class MessageExchange {
 public:
  virtual ~MessageExchange() = default;

  // `parts` by host index; the own entry is ignored, and null in the result.
  // Blocks. Errors are those of Communicator. `meanwhile`: work of this host,
  // done while messages are on their way; null: none.
  virtual absl::StatusOr<std::vector<PayloadPtr>> Exchange(
      const Arrival& arrival, int phase, const std::vector<HostPart>& parts,
      const std::function<void()>& meanwhile) = 0;
  absl::StatusOr<std::vector<PayloadPtr>> Exchange(
      const Arrival& arrival, int phase, const std::vector<HostPart>& parts) {
    return Exchange(arrival, phase, parts, nullptr);
  }
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_COLLECTIVES_HIERARCHICAL_MESSAGE_EXCHANGE_H_
