#include "runtime/collectives/in_memory_key_value_store.h"

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "runtime/base/status.h"

namespace lockstep::internal {

absl::StatusOr<int64_t> InMemoryKeyValueStore::Put(absl::string_view key,
                                                   absl::string_view value,
                                                   const PutOptions& options) {
  absl::MutexLock lock(&mutex_);
  changed_.SignalAll();
  return table_.Put(key, value, options, writer_);
}

absl::StatusOr<std::string> InMemoryKeyValueStore::Get(absl::string_view key,
                                                       absl::Duration timeout) {
  const absl::Time start = absl::Now();
  absl::MutexLock lock(&mutex_);
  while (true) {
    absl::StatusOr<std::string> value = table_.TryGet(key);
    if (!absl::IsNotFound(value.status())) return value;
    if (!closed_.ok()) return closed_;
    if (absl::Now() >= start + timeout) {
      return KeyWaitExpired(key, absl::Now() - start);
    }
    changed_.WaitWithDeadline(&mutex_, start + timeout);
  }
}

absl::StatusOr<std::string> InMemoryKeyValueStore::TryGet(
    absl::string_view key) {
  absl::MutexLock lock(&mutex_);
  return table_.TryGet(key);
}

absl::StatusOr<int64_t> InMemoryKeyValueStore::Increment(absl::string_view key,
                                                         int64_t delta) {
  absl::MutexLock lock(&mutex_);
  changed_.SignalAll();
  return table_.Increment(key, delta, writer_);
}

absl::StatusOr<std::vector<KeyValue>> InMemoryKeyValueStore::List(
    absl::string_view prefix) {
  absl::MutexLock lock(&mutex_);
  return table_.List(prefix);
}

absl::Status InMemoryKeyValueStore::Delete(absl::string_view key) {
  absl::MutexLock lock(&mutex_);
  changed_.SignalAll();
  return table_.Delete(key);
}

absl::StatusOr<std::vector<KeyChange>> InMemoryKeyValueStore::Watch(
    absl::string_view prefix, int64_t revision, absl::Duration timeout) {
  const absl::Time start = absl::Now();
  absl::MutexLock lock(&mutex_);
  while (true) {
    ASSIGN_OR_RETURN(std::vector<KeyChange> changes,
                     table_.ChangesAfter(prefix, revision));
    if (!changes.empty()) return changes;
    if (!closed_.ok()) return closed_;
    if (absl::Now() >= start + timeout) {
      return WatchExpired(prefix, revision, absl::Now() - start);
    }
    changed_.WaitWithDeadline(&mutex_, start + timeout);
  }
}

void InMemoryKeyValueStore::EndLease(Incarnation incarnation) {
  absl::MutexLock lock(&mutex_);
  changed_.SignalAll();
  table_.EndLease(incarnation);
}

void InMemoryKeyValueStore::Close(const absl::Status& cause) {
  absl::MutexLock lock(&mutex_);
  if (closed_.ok()) closed_ = cause;
  changed_.SignalAll();
}

}  // namespace lockstep::internal
