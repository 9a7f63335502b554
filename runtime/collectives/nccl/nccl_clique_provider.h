#ifndef LOCKSTEP_RUNTIME_COLLECTIVES_NCCL_NCCL_CLIQUE_PROVIDER_H_
#define LOCKSTEP_RUNTIME_COLLECTIVES_NCCL_NCCL_CLIQUE_PROVIDER_H_

#include <functional>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "runtime/collectives/clique_provider.h"
#include "runtime/collectives/nccl/nccl_communicator.h"

namespace lockstep::internal {

// Endpoints whose collectives NCCL runs on CUDA devices; on queues of other
// platforms they are those of another provider, which also connects the hosts.
// Endpoints are kept: to join a communicator costs more than to use it.
// Thread-safe.
class NcclCliqueProvider final : public CliqueProvider {
 public:
  // `host` makes endpoints that are on_host(); it outlives the provider.
  NcclCliqueProvider(const NcclCommunicator::Options& options,
                     CliqueProvider& host);
  // What is on streams has ended.
  ~NcclCliqueProvider() override;

  absl::StatusOr<std::shared_ptr<Communicator>> Acquire(
      const CliqueKey& key, GlobalDeviceId device) override;

  // Gives up the endpoints of cliques with a member of which `is_alive` is
  // false.
  void Retain(const std::function<bool(const CliqueMember&)>& is_alive);

 private:
  using Place = std::pair<CliqueKey, GlobalDeviceId>;

  // Asks NCCL for errors until the end.
  void Watch();

  const NcclCommunicator::Options options_;
  CliqueProvider& host_;
  absl::Mutex mutex_;
  absl::flat_hash_map<Place, std::shared_ptr<NcclCommunicator>> endpoints_
      ABSL_GUARDED_BY(mutex_);
  bool is_ending_ ABSL_GUARDED_BY(mutex_) = false;
  std::thread watch_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_COLLECTIVES_NCCL_NCCL_CLIQUE_PROVIDER_H_
