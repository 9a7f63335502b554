#include "runtime/executable/acquired_cliques.h"

#include <utility>

#include "runtime/base/status.h"

namespace lockstep::internal {

absl::Status AcquiredCliques::Acquire(int slot, const CliqueKey& key,
                                      GlobalDeviceId device,
                                      CliqueProvider& provider) {
  if (is_filled(slot)) return absl::OkStatus();
  for (size_t i = 0; i < cliques_.size(); ++i) {
    if (cliques_[i].communicator->key() == key) {
      slots_[slot] = static_cast<int>(i);
      return absl::OkStatus();
    }
  }
  ASSIGN_OR_RETURN(std::shared_ptr<Communicator> communicator,
                   provider.Acquire(key, device));
  slots_[slot] = static_cast<int>(cliques_.size());
  cliques_.push_back(Clique{std::move(communicator), 0});
  return absl::OkStatus();
}

absl::Status AcquiredCliques::Prepare(DeviceQueue& queue,
                                      const CollectiveCall& call) {
  for (const Clique& clique : cliques_) {
    RETURN_IF_ERROR(clique.communicator->Prepare(queue, call));
  }
  return absl::OkStatus();
}

}  // namespace lockstep::internal
