#ifndef LOCKSTEP_RUNTIME_COLLECTIVES_HIERARCHICAL_HIERARCHICAL_CLIQUE_H_
#define LOCKSTEP_RUNTIME_COLLECTIVES_HIERARCHICAL_HIERARCHICAL_CLIQUE_H_

#include <memory>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "runtime/collectives/clique_key.h"
#include "runtime/collectives/communicator.h"
#include "runtime/collectives/hierarchical/clique_plan.h"
#include "runtime/collectives/hierarchical/hierarchical_core.h"
#include "runtime/collectives/hierarchical/mailbox.h"
#include "runtime/collectives/hierarchical/message_streams.h"
#include "runtime/collectives/rendezvous.h"

namespace lockstep::internal {

// This process's part of one clique: the rendezvous of its ranks and their
// exchange with the other hosts. Kept by its endpoints. Thread-safe.
class HierarchicalClique {
 public:
  // At least one member is on this host.
  HierarchicalClique(const CliqueKey& key,
                     std::shared_ptr<HierarchicalCore> core);
  ~HierarchicalClique();

  static std::shared_ptr<Communicator> Endpoint(
      const std::shared_ptr<HierarchicalClique>& clique, int rank);

  void AppendWaits(std::vector<CollectiveWait>* waits) const {
    rendezvous_->AppendWaits(waits);
  }

 private:
  absl::Status Execute(absl::Span<const Arrival* const> arrivals);
  std::vector<CliqueMember> RemoteMissing() const;

  const CliqueKey key_;
  const std::shared_ptr<HierarchicalCore> core_;
  const CliquePlan plan_;
  std::vector<HostId> other_hosts_;  // in the plan's order
  const std::shared_ptr<Mailbox> mailbox_;
  MessageStreams streams_;
  std::shared_ptr<Rendezvous> rendezvous_;
  absl::Mutex mutex_;
  std::vector<std::weak_ptr<Communicator>> endpoints_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_COLLECTIVES_HIERARCHICAL_HIERARCHICAL_CLIQUE_H_
