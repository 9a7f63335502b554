#include "runtime/collectives/nccl/nccl_clique_provider.h"

#include <algorithm>

#include "absl/time/time.h"
#include "runtime/base/status.h"
#include "runtime/base/thread_pool.h"

namespace lockstep::internal {
namespace {

// The channel on which launches begin, of a clique's channel.
int ChannelOfStarts(int channel) { return -1 - channel; }

// A lost rank ends what waits for it this much later at the latest.
constexpr absl::Duration kWatchTime = absl::Milliseconds(200);

}  // namespace

NcclCliqueProvider::NcclCliqueProvider(const NcclCommunicator::Options& options,
                                       CliqueProvider& host)
    : options_(options), host_(host) {}

NcclCliqueProvider::~NcclCliqueProvider() {
  std::thread watch;
  {
    absl::MutexLock lock(&mutex_);
    is_ending_ = true;
    watch.swap(watch_);
  }
  if (watch.joinable()) watch.join();
}

absl::StatusOr<std::shared_ptr<Communicator>> NcclCliqueProvider::Acquire(
    const CliqueKey& key, GlobalDeviceId device) {
  // Every time: whether the members are alive may have changed.
  ASSIGN_OR_RETURN(std::shared_ptr<Communicator> calls,
                   host_.Acquire(key, device));
  {
    absl::MutexLock lock(&mutex_);
    const auto found = endpoints_.find({key, device});
    if (found != endpoints_.end()) return found->second;
  }
  ASSIGN_OR_RETURN(
      std::shared_ptr<Communicator> starts,
      host_.Acquire(CliqueKey(key.members(), ChannelOfStarts(key.channel())),
                    device));
  auto endpoint = std::make_shared<NcclCommunicator>(
      options_, std::move(starts), std::move(calls));
  absl::MutexLock lock(&mutex_);
  if (!watch_.joinable() && !is_ending_) {
    watch_ = std::thread([this] { Watch(); });
  }
  return endpoints_.try_emplace({key, device}, std::move(endpoint))
      .first->second;
}

void NcclCliqueProvider::Retain(
    const std::function<bool(const CliqueMember&)>& is_alive) {
  // They end without the lock: NCCL gives back what it holds.
  std::vector<std::shared_ptr<NcclCommunicator>> ended;
  absl::MutexLock lock(&mutex_);
  for (auto it = endpoints_.begin(); it != endpoints_.end();) {
    const std::vector<CliqueMember>& members = it->first.first.members();
    if (std::all_of(members.begin(), members.end(), is_alive)) {
      ++it;
      continue;
    }
    ended.push_back(std::move(it->second));
    endpoints_.erase(it++);
  }
}

void NcclCliqueProvider::Watch() {
  SetThreadName("nccl watch");
  while (true) {
    std::vector<std::shared_ptr<NcclCommunicator>> endpoints;
    {
      absl::MutexLock lock(&mutex_);
      if (mutex_.AwaitWithTimeout(absl::Condition(&is_ending_), kWatchTime)) {
        return;
      }
      for (const auto& [place, endpoint] : endpoints_) {
        endpoints.push_back(endpoint);
      }
    }
    for (const auto& endpoint : endpoints) endpoint->CheckForErrors();
  }
}

}  // namespace lockstep::internal
