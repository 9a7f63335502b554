#ifndef LOCKSTEP_RUNTIME_COLLECTIVES_HIERARCHICAL_HOST_COLLECTIVE_H_
#define LOCKSTEP_RUNTIME_COLLECTIVES_HIERARCHICAL_HOST_COLLECTIVE_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "runtime/collectives/arrival.h"
#include "runtime/collectives/hierarchical/clique_plan.h"
#include "runtime/collectives/hierarchical/message_exchange.h"
#include "runtime/collectives/message_buffer.h"

namespace lockstep::internal {

// What a collective of several hosts works with. Borrowed for its duration.
struct HostCollectiveContext {
  const CliquePlan* plan = nullptr;
  // Of the plan's local ranks, in their order.
  absl::Span<const Arrival* const> arrivals;
  MessageExchange* exchange = nullptr;
  MessageBufferPool* buffers = nullptr;
  // An all_reduce of at most so many bytes of partial results per rank sends
  // them whole, pair by pair or to every host; a larger one is reduced by
  // element ranges, one per host, which are then gathered. The bits are the
  // same.
  int64_t direct_max_bytes = 64 << 10;
  // What goes from one host to another travels in messages of about so many
  // bytes: a host makes the next ones while others are on their way, and uses
  // each while it is in the processor's cache.
  int64_t message_bytes = 512 << 10;

  const Arrival& first() const { return *arrivals[0]; }
};

// Runs this host's part of a collective for all its ranks, and writes their
// results. The arrivals match each other.
absl::Status RunHostCollective(const HostCollectiveContext& context);

// The parts of RunHostCollective: of one file each.
absl::Status RunReduction(const HostCollectiveContext& context);
absl::Status RunMovement(const HostCollectiveContext& context);
absl::Status RunBroadcast(const HostCollectiveContext& context);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_COLLECTIVES_HIERARCHICAL_HOST_COLLECTIVE_H_
