#include "runtime/executable/collective_ledger.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"

namespace lockstep::internal {

absl::Status CollectiveLedger::Check(GlobalDeviceId waiting, const Wait& wait,
                                     GlobalDeviceId finished,
                                     const Counts& counts) const {
  if (wait.clique == nullptr || wait.clique->RankOf(finished) < 0) {
    return absl::OkStatus();
  }
  auto it = counts.find(*wait.clique);
  const int64_t count = it == counts.end() ? 0 : it->second;
  if (wait.number < count) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat("device ", finished.value(), " has ended the launch after ",
                   count, " collectives with devices ", wait.clique->ToString(),
                   ", device ", waiting.value(), " is in ", wait.description,
                   ": a loop or branch around it was decided differently"));
}

absl::Status CollectiveLedger::Enter(GlobalDeviceId device,
                                     const CliqueKey& clique, int64_t number,
                                     absl::string_view description) {
  absl::MutexLock lock(&mutex_);
  Wait& wait = waits_[device];
  wait = Wait{&clique, number, std::string(description)};
  for (const auto& [finished, counts] : finished_) {
    RETURN_IF_ERROR(Check(device, wait, finished, counts));
  }
  return absl::OkStatus();
}

void CollectiveLedger::Leave(GlobalDeviceId device) {
  absl::MutexLock lock(&mutex_);
  waits_[device] = Wait();
}

absl::Status CollectiveLedger::Finish(GlobalDeviceId device,
                                      const AcquiredCliques& cliques) {
  absl::MutexLock lock(&mutex_);
  Counts& counts = finished_[device];
  for (const AcquiredCliques::Clique& clique : cliques.cliques()) {
    counts[clique.communicator->key()] = clique.collective_count;
  }
  for (const auto& [waiting, wait] : waits_) {
    RETURN_IF_ERROR(Check(waiting, wait, device, counts));
  }
  return absl::OkStatus();
}

}  // namespace lockstep::internal
