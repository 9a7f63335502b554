#include "client/cluster/array_table.h"

#include <algorithm>
#include <utility>

namespace lockstep::internal {

void ArrayState::Fail(const absl::Status& cause) {
  failure_.Cancel(cause);
  // Locking makes waiters look again.
  absl::MutexLock lock(&mutex_);
}

void ArrayState::SetReady(Incarnation host) {
  absl::MutexLock lock(&mutex_);
  pending_.erase(std::remove(pending_.begin(), pending_.end(), host),
                 pending_.end());
}

void ArrayState::SetShards(Incarnation host, HostShards shards) {
  absl::MutexLock lock(&mutex_);
  shards_.emplace_back(host, std::move(shards));
}

void ArrayState::LoseShards(Incarnation host) {
  absl::MutexLock lock(&mutex_);
  std::erase_if(shards_,
                [host](const auto& entry) { return entry.first == host; });
}

std::vector<std::string> ArrayState::Shards(
    absl::Span<const GlobalDeviceId> devices) const {
  absl::MutexLock lock(&mutex_);
  if (shards_.empty()) return {};
  absl::flat_hash_map<GlobalDeviceId, const std::string*> by_device;
  for (const auto& [host, shards] : shards_) {
    for (const auto& [device, bytes] : shards) by_device[device] = &bytes;
  }
  std::vector<std::string> found;
  for (GlobalDeviceId device : devices) {
    const auto it = by_device.find(device);
    if (it == by_device.end()) return {};
    found.push_back(*it->second);
  }
  return found;
}

bool ArrayState::is_ready() const {
  if (failure_.is_cancelled()) return true;
  absl::MutexLock lock(&mutex_);
  return pending_.empty();
}

bool ArrayState::IsPendingOn(Incarnation host) const {
  absl::MutexLock lock(&mutex_);
  return std::find(pending_.begin(), pending_.end(), host) != pending_.end();
}

std::vector<Incarnation> ArrayState::pending() const {
  absl::MutexLock lock(&mutex_);
  return pending_;
}

absl::Status ArrayState::Await(absl::Time deadline) const {
  const auto is_over = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return pending_.empty() || failure_.is_cancelled();
  };
  absl::MutexLock lock(&mutex_);
  if (!mutex_.AwaitWithDeadline(absl::Condition(&is_over), deadline)) {
    return absl::DeadlineExceededError("the array is not computed yet");
  }
  return failure_.status();
}

std::shared_ptr<ArrayState> ArrayTable::Add(int64_t array,
                                            std::vector<Incarnation> pending) {
  absl::Status failed;
  std::shared_ptr<ArrayState> state;
  {
    absl::MutexLock lock(&mutex_);
    failed = failed_;
    for (Incarnation host : pending) {
      auto lost = lost_.find(host);
      if (lost != lost_.end()) failed.Update(lost->second);
    }
    state = std::make_shared<ArrayState>(std::move(pending));
    arrays_[array] = state;
  }
  if (!failed.ok()) state->Fail(failed);
  return state;
}

void ArrayTable::Remove(int64_t array) {
  absl::MutexLock lock(&mutex_);
  arrays_.erase(array);
}

std::shared_ptr<ArrayState> ArrayTable::Find(int64_t array) const {
  absl::MutexLock lock(&mutex_);
  auto it = arrays_.find(array);
  return it == arrays_.end() ? nullptr : it->second.lock();
}

std::vector<std::shared_ptr<ArrayState>> ArrayTable::All() const {
  std::vector<std::shared_ptr<ArrayState>> all;
  absl::MutexLock lock(&mutex_);
  for (const auto& [number, array] : arrays_) {
    if (auto state = array.lock()) all.push_back(std::move(state));
  }
  return all;
}

void ArrayTable::SetReady(int64_t array, Incarnation host) {
  if (auto state = Find(array)) state->SetReady(host);
}

void ArrayTable::SetShards(int64_t array, Incarnation host,
                           ArrayState::HostShards shards) {
  if (auto state = Find(array)) state->SetShards(host, std::move(shards));
}

void ArrayTable::Fail(int64_t array, const absl::Status& cause) {
  if (auto state = Find(array)) state->Fail(cause);
}

void ArrayTable::LoseHost(Incarnation host, const absl::Status& cause) {
  {
    absl::MutexLock lock(&mutex_);
    lost_.try_emplace(host, cause);
  }
  for (const auto& state : All()) {
    if (state->IsPendingOn(host)) state->Fail(cause);
    state->LoseShards(host);
  }
}

void ArrayTable::FailAll(const absl::Status& cause) {
  {
    absl::MutexLock lock(&mutex_);
    failed_.Update(cause);
  }
  for (const auto& state : All()) state->Fail(cause);
}

}  // namespace lockstep::internal
