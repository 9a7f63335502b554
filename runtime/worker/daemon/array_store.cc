#include "runtime/worker/daemon/array_store.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "absl/strings/str_cat.h"

namespace lockstep::internal {
namespace {

std::string ArrayName(ArrayHandle array) {
  return absl::StrCat("array ", array.number, " of client ",
                      array.client.value());
}

}  // namespace

// Ends one Put when all its shards are computed.
class ArrayStore::PutInProgress {
 public:
  PutInProgress(ArrayStore* store, ArrayHandle array, size_t shards)
      : store_(*store), array_(array), left_(shards) {}

  void EndShard(const absl::Status& status) {
    if (!status.ok()) first_.Cancel(status);
    if (--left_ == 0) store_.EndPut(array_, first_.status());
  }

 private:
  ArrayStore& store_;
  const ArrayHandle array_;
  std::atomic<size_t> left_;
  CancellationToken first_;  // the first error
};

void ArrayStore::CountPending(ClientId client, int change) {
  int64_t& count = pending_[client];
  count += change;
  if (count == 0) pending_.erase(client);
}

template <typename Change>
void ArrayStore::Update(ArrayHandle array, Entry& entry, const Change& change) {
  const bool was_there = entry.is_there();
  change(entry);
  if (was_there != entry.is_there()) {
    CountPending(array.client, was_there ? 1 : -1);
  }
}

ArrayStore::Callbacks ArrayStore::TakeWaiters(ArrayHandle array) {
  auto waiters = waiters_.extract(array);
  return waiters.empty() ? Callbacks() : std::move(waiters.mapped());
}

void ArrayStore::SetThere(ArrayHandle array, const absl::Status& status,
                          const Callbacks& callbacks) {
  if (observer_) observer_(array, status, !callbacks.empty());
  for (const auto& callback : callbacks) callback(status);
}

absl::Status ArrayStore::Put(
    ArrayHandle array, const std::vector<std::shared_ptr<Buffer>>& shards) {
  {
    absl::MutexLock lock(&mutex_);
    Entry& entry = entries_[array];
    for (const auto& shard : shards) {
      if (entry.shards.contains(shard->device())) {
        return absl::AlreadyExistsError(
            absl::StrCat(ArrayName(array), " has a shard on device ",
                         shard->device().value(), " already"));
      }
    }
    for (const auto& shard : shards) entry.shards[shard->device()] = shard;
    Update(array, entry, [](Entry& entry) { ++entry.pending_puts; });
  }
  AwaitShards(array, shards);
  return absl::OkStatus();
}

void ArrayStore::Expect(ArrayHandle array) {
  absl::MutexLock lock(&mutex_);
  Update(array, entries_[array], [](Entry& entry) { ++entry.pending_puts; });
}

void ArrayStore::PutExpected(
    ArrayHandle array,
    absl::StatusOr<std::vector<std::shared_ptr<Buffer>>> shards) {
  if (!shards.ok()) return EndPut(array, shards.status());
  {
    absl::MutexLock lock(&mutex_);
    auto entry = entries_.find(array);
    if (entry == entries_.end()) return;
    for (const auto& shard : *shards) {
      entry->second.shards[shard->device()] = shard;
    }
  }
  AwaitShards(array, *shards);
}

void ArrayStore::AwaitShards(
    ArrayHandle array, const std::vector<std::shared_ptr<Buffer>>& shards) {
  auto put = std::make_shared<PutInProgress>(this, array, shards.size());
  for (const auto& shard : shards) {
    shard->OnReady(
        [put](const absl::Status& status) { put->EndShard(status); });
  }
}

void ArrayStore::EndPut(ArrayHandle array, const absl::Status& status) {
  Callbacks callbacks;
  absl::Status there;
  {
    absl::MutexLock lock(&mutex_);
    auto entry = entries_.find(array);
    if (entry == entries_.end()) return;
    const bool was_there = entry->second.is_there();
    Update(array, entry->second, [&](Entry& entry) {
      --entry.pending_puts;
      entry.shard_status.Update(status);
    });
    if (was_there || !entry->second.is_there()) return;
    there = entry->second.outcome();
    callbacks = TakeWaiters(array);
  }
  SetThere(array, there, callbacks);
}

void ArrayStore::PutError(ArrayHandle array, absl::Status status) {
  Callbacks callbacks;
  {
    absl::MutexLock lock(&mutex_);
    Entry& entry = entries_[array];
    if (!entry.status.ok()) return;
    Update(array, entry, [&](Entry& entry) { entry.status = status; });
    callbacks = TakeWaiters(array);
  }
  SetThere(array, status, callbacks);
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

std::vector<std::shared_ptr<Buffer>> ArrayStore::Shards(
    ArrayHandle array) const {
  std::vector<std::shared_ptr<Buffer>> shards;
  absl::MutexLock lock(&mutex_);
  auto entry = entries_.find(array);
  if (entry == entries_.end() || !entry->second.is_there() ||
      !entry->second.outcome().ok()) {
    return shards;
  }
  for (const auto& [device, shard] : entry->second.shards) {
    shards.push_back(shard);
  }
  return shards;
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

void ArrayStore::WhenThere(ArrayHandle array,
                           std::function<void(const absl::Status&)> callback) {
  absl::Status status;
  {
    absl::MutexLock lock(&mutex_);
    auto entry = entries_.find(array);
    if (!closed_.ok()) {
      status = closed_;
    } else if (entry == entries_.end() || !entry->second.is_there()) {
      waiters_[array].push_back(std::move(callback));
      return;
    } else {
      status = entry->second.outcome();
    }
  }
  callback(status);
}

std::vector<std::pair<ArrayHandle, absl::Status>> ArrayStore::AllThere(
    ClientId client) const {
  std::vector<std::pair<ArrayHandle, absl::Status>> there;
  absl::MutexLock lock(&mutex_);
  for (const auto& [array, entry] : entries_) {
    if (array.client == client && entry.is_there()) {
      there.emplace_back(array, entry.outcome());
    }
  }
  return there;
}

bool ArrayStore::HasPending(ClientId client) const {
  absl::MutexLock lock(&mutex_);
  return pending_.contains(client);
}

void ArrayStore::Delete(ArrayHandle array) {
  Entry entry;  // its shards end without the lock
  Callbacks callbacks;
  {
    absl::MutexLock lock(&mutex_);
    auto node = entries_.extract(array);
    if (node.empty()) return;
    entry = std::move(node.mapped());
    if (!entry.is_there()) CountPending(array.client, -1);
    callbacks = TakeWaiters(array);
  }
  const absl::Status deleted =
      absl::NotFoundError(absl::StrCat(ArrayName(array), " was deleted"));
  for (const auto& callback : callbacks) callback(deleted);
}

void ArrayStore::DeleteAll(ClientId client) {
  std::vector<Entry> ended;
  absl::MutexLock lock(&mutex_);
  absl::erase_if(entries_, [&](auto& entry) {
    if (entry.first.client != client) return false;
    ended.push_back(std::move(entry.second));
    return true;
  });
  // Nobody is left to be told.
  absl::erase_if(waiters_, [client](const auto& waiters) {
    return waiters.first.client == client;
  });
  pending_.erase(client);
}

void ArrayStore::Close(absl::Status status) {
  absl::flat_hash_map<ArrayHandle, Callbacks> waiters;
  {
    absl::MutexLock lock(&mutex_);
    if (!closed_.ok()) return;
    closed_ = status;
    waiters.swap(waiters_);
  }
  for (const auto& [array, callbacks] : waiters) {
    for (const auto& callback : callbacks) callback(status);
  }
}

std::vector<ArrayStore::Content> ArrayStore::List() const {
  std::vector<Content> list;
  {
    absl::MutexLock lock(&mutex_);
    for (const auto& [array, entry] : entries_) {
      Content& content = list.emplace_back();
      content.array = array;
      content.is_there = entry.is_there();
      content.status = entry.outcome();
      for (const auto& [device, shard] : entry.shards) {
        content.shards.push_back(shard);
      }
    }
  }
  std::sort(list.begin(), list.end(),
            [](const auto& a, const auto& b) { return a.array < b.array; });
  return list;
}

int64_t ArrayStore::size() const {
  absl::MutexLock lock(&mutex_);
  return static_cast<int64_t>(entries_.size());
}

}  // namespace lockstep::internal
