#ifndef LOCKSTEP_RUNTIME_COLLECTIVES_IN_MEMORY_KEY_VALUE_STORE_H_
#define LOCKSTEP_RUNTIME_COLLECTIVES_IN_MEMORY_KEY_VALUE_STORE_H_

#include <functional>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "runtime/cluster/key_value_table.h"
#include "runtime/collectives/key_value_store.h"

namespace lockstep::internal {

// The store of one process: for a cluster of one, and for tests. `writer`
// stands in messages about keys that are taken. Thread-safe.
class InMemoryKeyValueStore : public KeyValueStore {
 public:
  explicit InMemoryKeyValueStore(absl::string_view writer,
                                 KeyValueTable::Options options = {})
      : writer_(writer), table_(options) {}

  absl::StatusOr<int64_t> Put(absl::string_view key, absl::string_view value,
                              const PutOptions& options = {}) override;
  absl::StatusOr<std::string> Get(absl::string_view key,
                                  absl::Duration timeout) override;
  absl::StatusOr<std::string> TryGet(absl::string_view key) override;
  absl::StatusOr<int64_t> Increment(absl::string_view key,
                                    int64_t delta = 1) override;
  absl::StatusOr<std::vector<KeyValue>> List(absl::string_view prefix) override;
  absl::Status Delete(absl::string_view key) override;
  absl::StatusOr<std::vector<KeyChange>> Watch(absl::string_view prefix,
                                               int64_t revision,
                                               absl::Duration timeout) override;

  // Removes the keys leased to `incarnation`.
  void EndLease(Incarnation incarnation);
  // Ends all waits, those to come too, with `cause`.
  void Close(const absl::Status& cause);

 private:
  const std::string writer_;
  absl::Mutex mutex_;
  absl::CondVar changed_;
  KeyValueTable table_ ABSL_GUARDED_BY(mutex_);
  absl::Status closed_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_COLLECTIVES_IN_MEMORY_KEY_VALUE_STORE_H_
