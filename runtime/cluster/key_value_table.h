#ifndef LOCKSTEP_RUNTIME_CLUSTER_KEY_VALUE_TABLE_H_
#define LOCKSTEP_RUNTIME_CLUSTER_KEY_VALUE_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "runtime/cluster/key_value.h"

namespace lockstep::internal {

// `key` as the store writes it: runs of '/' become one, leading and trailing
// ones are dropped. INVALID_ARGUMENT: nothing is left.
absl::StatusOr<std::string> NormalizedKey(absl::string_view key);
// The same for a prefix, which may be empty: everything.
std::string NormalizedPrefix(absl::string_view prefix);
// Whether `key` lies strictly below `prefix`; both normalized.
bool IsBelow(absl::string_view key, absl::string_view prefix);

// What a wait for a key, or for a change, ends with at its deadline.
absl::Status KeyWaitExpired(absl::string_view key, absl::Duration waited);
absl::Status WatchExpired(absl::string_view prefix, int64_t revision,
                          absl::Duration waited);

// The rules of the key-value store (spec M-22) without waiting: what is
// stored, and the latest changes. Errors as in KeyValueStore. Not thread-safe.
class KeyValueTable {
 public:
  struct Options {
    size_t max_value_bytes = kMaxValueBytes;
    // Changes kept for watchers; older ones are forgotten first.
    size_t max_changes = 1 << 16;
    size_t max_change_bytes = size_t{64} << 20;
  };
  explicit KeyValueTable(Options options) : options_(options) {}
  KeyValueTable() : KeyValueTable(Options{}) {}

  // `writer` is named when another wants to write the key.
  absl::StatusOr<int64_t> Put(absl::string_view key, absl::string_view value,
                              const PutOptions& options,
                              absl::string_view writer);
  absl::StatusOr<std::string> TryGet(absl::string_view key) const;
  absl::StatusOr<int64_t> Increment(absl::string_view key, int64_t delta,
                                    absl::string_view writer);
  std::vector<KeyValue> List(absl::string_view prefix) const;
  absl::Status Delete(absl::string_view key);
  // Removes the keys leased to `incarnation`.
  void EndLease(Incarnation incarnation);
  // Changes strictly below `prefix` after `revision`; may be empty.
  absl::StatusOr<std::vector<KeyChange>> ChangesAfter(absl::string_view prefix,
                                                      int64_t revision) const;

  // Of the last change.
  int64_t revision() const { return revision_; }

 private:
  struct Entry {
    std::string value;
    int64_t revision;
    std::string writer;
    Incarnation lease;
  };
  using Entries = std::map<std::string, Entry, std::less<>>;

  int64_t Write(const std::string& key, Entry entry);
  Entries::iterator Remove(Entries::iterator it);
  void Remember(KeyChange change);

  Options options_;
  Entries entries_;
  int64_t revision_ = 0;
  std::deque<KeyChange> changes_;
  size_t change_bytes_ = 0;
  int64_t forgotten_revision_ = 0;  // changes up to this one are not kept
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_CLUSTER_KEY_VALUE_TABLE_H_
