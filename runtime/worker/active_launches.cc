#include "runtime/worker/active_launches.h"

#include <algorithm>

#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

// A host that is far ahead of its devices reports the launches at the front.
constexpr size_t kLaunchesReported = 64;

}  // namespace

template <typename F>
std::vector<std::shared_ptr<Launch>> ActiveLaunches::Select(F matches) const {
  std::vector<std::shared_ptr<Launch>> selected;
  absl::MutexLock lock(&mutex_);
  for (const auto& [digest, sequence] : sequences_) {
    for (const std::shared_ptr<Launch>& launch : sequence.active) {
      if (matches(*launch)) selected.push_back(launch);
    }
  }
  return selected;
}

absl::Status ActiveLaunches::FailureOf(const LaunchKey& key) const {
  absl::MutexLock lock(&mutex_);
  return ToldFailure(key);
}

absl::Status ActiveLaunches::ToldFailure(const LaunchKey& key) const {
  for (const auto& [failed, status] : failures_) {
    if (failed == key) return status;
  }
  return absl::OkStatus();
}

absl::Status ActiveLaunches::FailureBefore(const Launch& launch) const {
  RETURN_IF_ERROR(ToldFailure(launch.key()));
  for (const LostLife& life : lost_) {
    if (launch.Involves(life.host, life.incarnation)) return life.cause;
  }
  return launch.program().spans_hosts() ? spanning_failure_ : absl::OkStatus();
}

void ActiveLaunches::Add(std::shared_ptr<Launch> launch) {
  absl::Status failure;
  {
    absl::MutexLock lock(&mutex_);
    sequences_[launch->key().sequence].active.push_back(launch);
    failure = FailureBefore(*launch);
  }
  if (!failure.ok()) launch->Abort(failure);
}

void ActiveLaunches::Remove(const Launch& launch) {
  const LaunchProgress progress = launch.Progress();
  // Destroyed after the lock: the last reference may be the list's.
  std::shared_ptr<Launch> removed;
  absl::MutexLock lock(&mutex_);
  Sequence& sequence = sequences_[launch.key().sequence];
  auto it = std::find_if(sequence.active.begin(), sequence.active.end(),
                         [&](const auto& l) { return l.get() == &launch; });
  if (it == sequence.active.end()) return;
  removed = std::move(*it);
  sequence.active.erase(it);
  if (sequence.last.launch.number < progress.launch.number) {
    sequence.last = progress;
  }
}

bool ActiveLaunches::AbortLaunch(const LaunchKey& key,
                                 const absl::Status& cause, bool is_call_over) {
  bool is_over = is_call_over;
  {
    absl::MutexLock lock(&mutex_);
    const auto sequence = sequences_.find(key.sequence);
    is_over = is_over || (sequence != sequences_.end() &&
                          sequence->second.last.launch.number >= key.number);
    failures_.emplace_back(key, cause);
    if (failures_.size() > failures_kept_) failures_.pop_front();
  }
  for (const auto& launch :
       Select([&](const Launch& l) { return l.key() == key; })) {
    launch->Abort(cause);
    is_over = false;
  }
  return !is_over;
}

void ActiveLaunches::AbortHost(HostId host, Incarnation incarnation,
                               const absl::Status& cause) {
  {
    absl::MutexLock lock(&mutex_);
    lost_.push_back({host, incarnation, cause});
    if (lost_.size() > failures_kept_) lost_.pop_front();
  }
  for (const auto& launch :
       Select([&](const Launch& l) { return l.Involves(host, incarnation); })) {
    launch->Abort(cause);
  }
}

void ActiveLaunches::AbortProgram(const LoadedProgram& program,
                                  const absl::Status& cause) {
  for (const auto& launch :
       Select([&](const Launch& l) { return &l.program() == &program; })) {
    launch->Abort(cause);
  }
}

void ActiveLaunches::AbortAll(const absl::Status& cause) {
  for (const auto& launch : Select([](const Launch&) { return true; })) {
    launch->Abort(cause);
  }
}

void ActiveLaunches::AbortSpanning(const absl::Status& cause) {
  {
    absl::MutexLock lock(&mutex_);
    spanning_failure_.Update(cause);
  }
  for (const auto& launch :
       Select([](const Launch& l) { return l.program().spans_hosts(); })) {
    launch->Abort(cause);
  }
}

std::vector<LaunchProgress> ActiveLaunches::Progress() const {
  std::vector<LaunchProgress> progress;
  absl::MutexLock lock(&mutex_);
  for (const auto& [digest, sequence] : sequences_) {
    if (sequence.active.empty()) progress.push_back(sequence.last);
    for (const auto& launch : sequence.active) {
      if (launch != sequence.active.front() &&
          progress.size() >= kLaunchesReported) {
        break;
      }
      progress.push_back(launch->Progress());
    }
  }
  return progress;
}

}  // namespace lockstep::internal
