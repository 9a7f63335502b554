#ifndef LOCKSTEP_RUNTIME_EXECUTABLE_ACQUIRED_CLIQUES_H_
#define LOCKSTEP_RUNTIME_EXECUTABLE_ACQUIRED_CLIQUES_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "runtime/collectives/clique_key.h"
#include "runtime/collectives/clique_provider.h"
#include "runtime/collectives/communicator.h"

namespace lockstep::internal {

// The endpoints that one device uses during one launch, and how many
// collectives it has run on each. The collectives of an executable that have
// the same groups share a slot. Not synchronised: belongs to the thread that
// runs the launch on the device.
class AcquiredCliques {
 public:
  struct Clique {
    std::shared_ptr<Communicator> communicator;
    // Collectives run on it so far. Counted per clique, not per device: members
    // may meet after they have taken different branches.
    int64_t collective_count = 0;
  };

  explicit AcquiredCliques(int slot_count)
      : slots_(static_cast<size_t>(slot_count), -1) {}

  // Acquires the clique of `key` for `device` into `slot`; a slot that is
  // filled stays as it is.
  absl::Status Acquire(int slot, const CliqueKey& key, GlobalDeviceId device,
                       CliqueProvider& provider);

  // All of them, in the order in which they were acquired; see
  // Communicator::Prepare.
  absl::Status Prepare(DeviceQueue& queue, const CollectiveCall& call);

  bool is_filled(int slot) const { return slots_[slot] >= 0; }
  const std::vector<Clique>& cliques() const { return cliques_; }
  // Null when the device is in no group of the slot.
  Clique* Find(int slot) {
    return slots_[slot] < 0 ? nullptr : &cliques_[slots_[slot]];
  }

 private:
  std::vector<int> slots_;  // positions in cliques_, or -1
  std::vector<Clique> cliques_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_EXECUTABLE_ACQUIRED_CLIQUES_H_
