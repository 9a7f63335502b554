#ifndef LOCKSTEP_CLIENT_CLUSTER_ARRAY_TABLE_H_
#define LOCKSTEP_CLIENT_CLUSTER_ARRAY_TABLE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "runtime/base/cancellation.h"
#include "runtime/mesh/ids.h"

namespace lockstep::internal {

// What a client knows of one of its arrays: on which hosts it is there, or why
// it never will be; the shards themselves, where they are small. Thread-safe.
class ArrayState {
 public:
  using HostShards = std::vector<std::pair<GlobalDeviceId, std::string>>;

  // `pending`: the hosts, in their lives, that have yet to compute it.
  explicit ArrayState(std::vector<Incarnation> pending)
      : pending_(std::move(pending)) {}

  // Cancelled with the first failure.
  CancellationToken& failure() { return failure_; }
  void Fail(const absl::Status& cause);
  void SetReady(Incarnation host);
  // The shards on that host, which came with the news. Before SetReady.
  void SetShards(Incarnation host, HostShards shards);
  // They are there no more.
  void LoseShards(Incarnation host);
  // Those of `devices`, in their order; none when not all have come.
  std::vector<std::string> Shards(
      absl::Span<const GlobalDeviceId> devices) const;

  bool is_ready() const;
  bool IsPendingOn(Incarnation host) const;
  std::vector<Incarnation> pending() const;
  // OK, the failure, or DEADLINE_EXCEEDED.
  absl::Status Await(absl::Time deadline) const;

 private:
  CancellationToken failure_;
  mutable absl::Mutex mutex_;
  std::vector<Incarnation> pending_ ABSL_GUARDED_BY(mutex_);
  std::vector<std::pair<Incarnation, HostShards>> shards_
      ABSL_GUARDED_BY(mutex_);
};

// The states of a client's arrays, by their numbers, as long as somebody holds
// them. Thread-safe.
class ArrayTable {
 public:
  std::shared_ptr<ArrayState> Add(int64_t array,
                                  std::vector<Incarnation> pending);
  void Remove(int64_t array);

  // No effect on arrays that are unknown.
  void SetReady(int64_t array, Incarnation host);
  void SetShards(int64_t array, Incarnation host,
                 ArrayState::HostShards shards);
  void Fail(int64_t array, const absl::Status& cause);
  // What that life of a host has yet to compute fails, also what comes later.
  void LoseHost(Incarnation host, const absl::Status& cause);
  // All arrays, those still to come too.
  void FailAll(const absl::Status& cause);

 private:
  std::shared_ptr<ArrayState> Find(int64_t array) const;
  std::vector<std::shared_ptr<ArrayState>> All() const;

  mutable absl::Mutex mutex_;
  absl::flat_hash_map<int64_t, std::weak_ptr<ArrayState>> arrays_
      ABSL_GUARDED_BY(mutex_);
  absl::flat_hash_map<Incarnation, absl::Status> lost_ ABSL_GUARDED_BY(mutex_);
  absl::Status failed_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_CLUSTER_ARRAY_TABLE_H_
