#ifndef LOCKSTEP_RUNTIME_COLLECTIVES_KEY_VALUE_STORE_H_
#define LOCKSTEP_RUNTIME_COLLECTIVES_KEY_VALUE_STORE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "runtime/cluster/key_value.h"

namespace lockstep::internal {

// The store that all hosts of a cluster share (spec M-22). Keys are paths: runs
// of '/' become one, leading and trailing ones are dropped; an empty key is
// INVALID_ARGUMENT. Values are bytes. Every write gets a growing revision;
// reads see all completed writes. Thread-safe.
class KeyValueStore {
 public:
  virtual ~KeyValueStore() = default;

  // Returns the revision. ALREADY_EXISTS: the key is there and not to be
  // overwritten (names key and writer). RESOURCE_EXHAUSTED: a value above the
  // limit. FAILED_PRECONDITION: a lease on an incarnation that is not alive.
  virtual absl::StatusOr<int64_t> Put(absl::string_view key,
                                      absl::string_view value,
                                      const PutOptions& options = {}) = 0;
  // Waits for the key. DEADLINE_EXCEEDED: names key and time waited.
  virtual absl::StatusOr<std::string> Get(absl::string_view key,
                                          absl::Duration timeout) = 0;
  // NOT_FOUND: names the key.
  virtual absl::StatusOr<std::string> TryGet(absl::string_view key) = 0;
  // Adds to a decimal signed 64-bit number (absent: 0) and returns the sum.
  // FAILED_PRECONDITION: not such a number, or the sum is none.
  virtual absl::StatusOr<int64_t> Increment(absl::string_view key,
                                            int64_t delta = 1) = 0;
  // All pairs strictly below the prefix at any depth, by key. The prefix ""
  // covers everything.
  virtual absl::StatusOr<std::vector<KeyValue>> List(
      absl::string_view prefix) = 0;
  // The key and everything below it. Absent: OK.
  virtual absl::Status Delete(absl::string_view key) = 0;
  // The changes strictly below the prefix after `revision`, in order; waits
  // until there is one. DEADLINE_EXCEEDED: names prefix, revision and time.
  // FAILED_PRECONDITION: changes after `revision` are no longer kept.
  virtual absl::StatusOr<std::vector<KeyChange>> Watch(
      absl::string_view prefix, int64_t revision, absl::Duration timeout) = 0;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_COLLECTIVES_KEY_VALUE_STORE_H_
