#include "client/cluster/remote_shards.h"

#include <numeric>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"

namespace lockstep {

RemoteShards::~RemoteShards() {
  view_->connection().Submit(Command{0, DeleteArrays{{handle_}}});
}

void RemoteShards::SetPresent() {
  absl::MutexLock lock(&mutex_);
  is_present_ = true;
}

void RemoteShards::SetDonated(const std::string& program) const {
  absl::MutexLock lock(&mutex_);
  donated_to_ = program;
  fetched_.clear();
}

bool RemoteShards::is_ready() const {
  if (failure_->is_cancelled()) return true;
  absl::MutexLock lock(&mutex_);
  return is_present_ || fetched_.size() == devices_.size();
}

absl::Status RemoteShards::Await(absl::Time deadline) const {
  {
    absl::MutexLock lock(&mutex_);
    if (is_present_ && donated_to_.empty()) return absl::OkStatus();
  }
  std::vector<int64_t> all(devices_.size());
  std::iota(all.begin(), all.end(), 0);
  return FetchUntil(all, deadline).status();
}

absl::StatusOr<std::vector<Literal>> RemoteShards::Fetch(
    absl::Span<const int64_t> positions) const {
  return FetchUntil(positions, absl::InfiniteFuture());
}

absl::StatusOr<std::vector<Literal>> RemoteShards::FetchUntil(
    absl::Span<const int64_t> positions, absl::Time deadline) const {
  std::vector<int64_t> missing;
  std::vector<GlobalDeviceId> devices;
  {
    absl::MutexLock lock(&mutex_);
    if (!donated_to_.empty()) {
      return absl::FailedPreconditionError(
          absl::StrCat("the array was donated to a launch of ", donated_to_));
    }
    for (int64_t position : positions) {
      if (fetched_.contains(position)) continue;
      missing.push_back(position);
      devices.push_back(devices_[position]);
    }
  }
  RETURN_IF_ERROR(failure_->status());
  ASSIGN_OR_RETURN(std::vector<Literal> values,
                   view_->Fetch(handle_, devices, *failure_, deadline));
  absl::MutexLock lock(&mutex_);
  for (size_t i = 0; i < missing.size(); ++i) {
    fetched_[missing[i]] = std::move(values[i]);
  }
  std::vector<Literal> result;
  for (int64_t position : positions) result.push_back(fetched_[position]);
  return result;
}

}  // namespace lockstep
