#ifndef LOCKSTEP_COORDINATOR_KEY_VALUE_SERVICE_H_
#define LOCKSTEP_COORDINATOR_KEY_VALUE_SERVICE_H_

#include <cstdint>
#include <list>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "coordinator/base/worker_link.h"
#include "runtime/cluster/key_value_table.h"

namespace lockstep::internal {

// The cluster's key-value store (spec M-22): the table, and those who wait for
// it. Not thread-safe; owned by Coordinator.
class KeyValueService {
 public:
  void Put(const std::string& key, const std::string& value,
           const PutOptions& options, const std::string& writer,
           Done<int64_t> done);
  void Get(const std::string& key, absl::Duration timeout, absl::Time now,
           Done<std::string> done);
  void TryGet(const std::string& key, Done<std::string> done);
  void Increment(const std::string& key, int64_t delta,
                 const std::string& writer, Done<int64_t> done);
  void List(const std::string& prefix, Done<std::vector<KeyValue>> done);
  void Delete(const std::string& key, Done<Nothing> done);
  void Watch(const std::string& prefix, int64_t revision,
             absl::Duration timeout, absl::Time now,
             Done<std::vector<KeyChange>> done);

  // An incarnation ended: its keys go.
  void EndLease(Incarnation incarnation);
  // Everybody who waits gets `cause`.
  void EndWaits(const absl::Status& cause);
  void Tick(absl::Time now);
  // Of another cluster from here on: nothing is stored.
  void Clear() { table_ = KeyValueTable(); }

 private:
  struct WaitingGet {
    std::string key;
    absl::Time since;
    absl::Time deadline;
    Done<std::string> done;
  };
  struct WaitingWatch {
    std::string prefix;
    int64_t revision;
    absl::Time since;
    absl::Time deadline;
    Done<std::vector<KeyChange>> done;
  };

  void AnswerWaiting();

  KeyValueTable table_;
  std::list<WaitingGet> gets_;
  std::list<WaitingWatch> watches_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_COORDINATOR_KEY_VALUE_SERVICE_H_
