#ifndef LOCKSTEP_RUNTIME_COLLECTIVES_IN_PROCESS_IN_PROCESS_CLIQUE_PROVIDER_H_
#define LOCKSTEP_RUNTIME_COLLECTIVES_IN_PROCESS_IN_PROCESS_CLIQUE_PROVIDER_H_

#include <memory>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "runtime/base/clock.h"
#include "runtime/collectives/call_mismatch.h"
#include "runtime/collectives/clique_provider.h"
#include "runtime/collectives/collective_progress.h"
#include "runtime/collectives/launch_failures.h"

namespace lockstep::internal {

// Cliques whose members all live in this process, whatever their host ids say.
// Each rank calls from a thread of its own; ranks park while they wait.
// Thread-safe.
class InProcessCliqueProvider : public CliqueProvider,
                                public CollectiveProgress {
 public:
  struct Options {
    Clock* clock = Clock::Real();  // outlives the provider
    CollectiveNames names;         // for messages
  };

  InProcessCliqueProvider() : InProcessCliqueProvider(Options()) {}
  explicit InProcessCliqueProvider(Options options);
  ~InProcessCliqueProvider() override;

  absl::StatusOr<std::shared_ptr<Communicator>> Acquire(
      const CliqueKey& key, GlobalDeviceId device) override;

  // Ends every wait within `launch`, also those that begin later, with
  // `cause`. The first cause wins.
  void AbortLaunch(const LaunchId& launch, const absl::Status& cause);

  std::vector<CollectiveWait> Waits() const override;

 private:
  class Clique;
  struct State;

  const std::shared_ptr<State> state_;
  mutable absl::Mutex mutex_;
  absl::flat_hash_map<CliqueKey, std::weak_ptr<Clique>> cliques_
      ABSL_GUARDED_BY(mutex_);
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_COLLECTIVES_IN_PROCESS_IN_PROCESS_CLIQUE_PROVIDER_H_
