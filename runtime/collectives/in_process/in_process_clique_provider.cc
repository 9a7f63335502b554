#include "runtime/collectives/in_process/in_process_clique_provider.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/check.h"
#include "runtime/collectives/in_process/local_collective.h"
#include "runtime/collectives/rendezvous.h"
#include "runtime/collectives/rendezvous_communicator.h"

namespace lockstep::internal {

// What cliques use and what outlives the provider while endpoints are kept.
struct InProcessCliqueProvider::State {
  Options options;
  LaunchFailures failures;
};

class InProcessCliqueProvider::Clique {
 public:
  Clique(const CliqueKey& key, std::shared_ptr<State> state)
      : endpoints_(key.size()), state_(std::move(state)) {
    Rendezvous::Options options;
    options.key = key;
    for (int rank = 0; rank < key.size(); ++rank) {
      options.local_ranks.push_back(rank);
    }
    options.execute = RunLocalCollective;
    options.fail_launch = [state = state_.get()](const LaunchId& launch,
                                                 const absl::Status& cause) {
      state->failures.Fail(launch, cause);
    };
    options.failures = &state_->failures;
    options.clock = state_->options.clock;
    options.names = state_->options.names;
    rendezvous_ = std::make_shared<Rendezvous>(std::move(options));
    state_->failures.Listen(rendezvous_);
  }

  // Called with the provider's lock held.
  static std::shared_ptr<Communicator> Endpoint(
      const std::shared_ptr<Clique>& clique, const CliqueKey& key, int rank) {
    std::shared_ptr<Communicator> endpoint = clique->endpoints_[rank].lock();
    if (endpoint == nullptr) {
      endpoint = std::make_shared<RendezvousCommunicator>(
          key, rank, clique->rendezvous_.get(), clique);
      clique->endpoints_[rank] = endpoint;
    }
    return endpoint;
  }

  const Rendezvous& rendezvous() const { return *rendezvous_; }

 private:
  std::vector<std::weak_ptr<Communicator>> endpoints_;
  const std::shared_ptr<State> state_;
  std::shared_ptr<Rendezvous> rendezvous_;
};

InProcessCliqueProvider::InProcessCliqueProvider(Options options)
    : state_(std::make_shared<State>()) {
  state_->options = std::move(options);
}

InProcessCliqueProvider::~InProcessCliqueProvider() = default;

absl::StatusOr<std::shared_ptr<Communicator>> InProcessCliqueProvider::Acquire(
    const CliqueKey& key, GlobalDeviceId device) {
  int rank = key.RankOf(device);
  if (rank < 0) {
    return absl::FailedPreconditionError(
        absl::StrCat("device ", device.value(), " is no member of the clique ",
                     key.ToString()));
  }
  absl::MutexLock lock(&mutex_);
  std::weak_ptr<Clique>& slot = cliques_[key];
  std::shared_ptr<Clique> clique = slot.lock();
  if (clique == nullptr) {
    absl::erase_if(cliques_, [&](const auto& entry) {
      return entry.second.expired() && entry.first != key;
    });
    clique = std::make_shared<Clique>(key, state_);
    cliques_[key] = clique;
  }
  return Clique::Endpoint(clique, key, rank);
}

void InProcessCliqueProvider::AbortLaunch(const LaunchId& launch,
                                          const absl::Status& cause) {
  state_->failures.Fail(launch, cause);
}

std::vector<CollectiveWait> InProcessCliqueProvider::Waits() const {
  std::vector<CollectiveWait> waits;
  {
    absl::MutexLock lock(&mutex_);
    for (const auto& [key, weak] : cliques_) {
      if (std::shared_ptr<Clique> clique = weak.lock()) {
        clique->rendezvous().AppendWaits(&waits);
      }
    }
  }
  std::sort(waits.begin(), waits.end(),
            [](const CollectiveWait& a, const CollectiveWait& b) {
              return a.device < b.device;
            });
  return waits;
}

}  // namespace lockstep::internal
