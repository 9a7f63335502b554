#include "runtime/worker/daemon/array_store.h"

#include <utility>

#include "absl/strings/str_cat.h"

namespace lockstep {
namespace {

std::string ArrayName(ArrayHandle array) {
  return absl::StrCat("array ", array.number, " of client ",
                      array.client.value());
}

}  // namespace

absl::Status ArrayStore::Put(ArrayHandle array, std::shared_ptr<Buffer> shard) {
  absl::MutexLock lock(&mutex_);
  GlobalDeviceId device = shard->device();
  if (!entries_[array].shards.emplace(device, std::move(shard)).second) {
    return absl::AlreadyExistsError(absl::StrCat(ArrayName(array),
                                                 " has a shard on device ",
                                                 device.value(), " already"));
  }
  return absl::OkStatus();
}

void ArrayStore::PutError(ArrayHandle array, absl::Status status) {
  absl::MutexLock lock(&mutex_);
  Entry& entry = entries_[array];
  if (entry.status.ok()) entry.status = std::move(status);
}

absl::StatusOr<std::shared_ptr<Buffer>> ArrayStore::Find(
    ArrayHandle array, GlobalDeviceId device) const {
  absl::MutexLock lock(&mutex_);
  auto entry = entries_.find(array);
  if (entry != entries_.end()) {
    if (!entry->second.status.ok()) return entry->second.status;
    auto shard = entry->second.shards.find(device);
    if (shard != entry->second.shards.end()) return shard->second;
  }
  return absl::NotFoundError(absl::StrCat(
      ArrayName(array), " has no shard on device ", device.value()));
}

absl::StatusOr<std::shared_ptr<Buffer>> ArrayStore::Await(
    ArrayHandle array, GlobalDeviceId device, absl::Time deadline,
    CancellationToken* cancellation) const {
  // Locking makes the waiter's condition be evaluated again.
  auto wake = [this] { absl::MutexLock lock(&mutex_); };
  CancellationToken::Registration registration =
      cancellation->OnCancel(std::move(wake));
  auto is_decided = [&]() ABSL_NO_THREAD_SAFETY_ANALYSIS {
    if (!closed_.ok() || cancellation->is_cancelled()) return true;
    auto entry = entries_.find(array);
    return entry != entries_.end() &&
           (!entry->second.status.ok() || entry->second.shards.count(device));
  };
  {
    absl::MutexLock lock(&mutex_);
    bool is_in_time =
        mutex_.AwaitWithDeadline(absl::Condition(&is_decided), deadline);
    if (!closed_.ok()) return closed_;
    if (!is_in_time) {
      return absl::DeadlineExceededError(
          absl::StrCat(ArrayName(array), " has no shard on device ",
                       device.value(), " and no launch has made one"));
    }
  }
  if (absl::Status cause = cancellation->status(); !cause.ok()) return cause;
  return Find(array, device);
}

void ArrayStore::Delete(ArrayHandle array) {
  absl::MutexLock lock(&mutex_);
  entries_.erase(array);
}

void ArrayStore::DeleteAll(ClientId client) {
  absl::MutexLock lock(&mutex_);
  absl::erase_if(entries_, [client](const auto& entry) {
    return entry.first.client == client;
  });
}

void ArrayStore::Close(absl::Status status) {
  absl::MutexLock lock(&mutex_);
  if (closed_.ok()) closed_ = std::move(status);
}

int64_t ArrayStore::size() const {
  absl::MutexLock lock(&mutex_);
  return static_cast<int64_t>(entries_.size());
}

}  // namespace lockstep
