#ifndef LOCKSTEP_RUNTIME_WORKER_DAEMON_ARRAY_STORE_H_
#define LOCKSTEP_RUNTIME_WORKER_DAEMON_ARRAY_STORE_H_

#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "runtime/arrays/buffer.h"
#include "runtime/base/cancellation.h"
#include "runtime/cluster/command.h"
#include "runtime/mesh/ids.h"

namespace lockstep::internal {

// This host's shards of the arrays of global-view clients, by the handle that
// the client gave. An array is a set of shards, or the status of the launch
// that should have made it; it is there when all its shards are computed, or
// with the first error. Outlives what computes the shards. Thread-safe.
class ArrayStore {
 public:
  // Hears of every array that is there; `is_awaited`: callbacks of WhenThere
  // follow. Not for arrays that were deleted before. On any thread, with no
  // lock held; must be short.
  using Observer = std::function<void(
      ArrayHandle array, const absl::Status& status, bool is_awaited)>;
  // Once, before all else.
  void SetObserver(Observer observer) { observer_ = std::move(observer); }

  // Adds shards; their devices are those of the buffers. ALREADY_EXISTS when
  // the array has a shard there: none is added.
  absl::Status Put(ArrayHandle array,
                   const std::vector<std::shared_ptr<Buffer>>& shards);
  // The array will have shards that are not known yet, by PutExpected; until
  // then it is not there.
  void Expect(ArrayHandle array);
  // As Put or PutError, once, of an array that was expected, without shards so
  // far; nothing when it was deleted since.
  void PutExpected(ArrayHandle array,
                   absl::StatusOr<std::vector<std::shared_ptr<Buffer>>> shards);
  // The array exists and every use of it ends with `status`.
  void PutError(ArrayHandle array, absl::Status status);

  // NOT_FOUND names the array and the device; the status of PutError.
  absl::StatusOr<std::shared_ptr<Buffer>> Find(ArrayHandle array,
                                               GlobalDeviceId device) const;

  // All shards of an array that is there, by device; none when it failed.
  std::vector<std::shared_ptr<Buffer>> Shards(ArrayHandle array) const;

  // Like Find, but waits until the shard or the error is there: a client may
  // ask for a result before the launch that makes it has been taken up.
  // DEADLINE_EXCEEDED, the cancellation's cause, or the status of Close.
  absl::StatusOr<std::shared_ptr<Buffer>> Await(
      ArrayHandle array, GlobalDeviceId device, absl::Time deadline,
      CancellationToken* cancellation) const;

  // Calls back, once, when the array is there (at once when it is), with its
  // status; NOT_FOUND when it is deleted first, the status of Close.
  void WhenThere(ArrayHandle array,
                 std::function<void(const absl::Status&)> callback);

  // All arrays of a client that are there, with their statuses.
  std::vector<std::pair<ArrayHandle, absl::Status>> AllThere(
      ClientId client) const;
  // Whether one of the client's arrays is not there yet.
  bool HasPending(ClientId client) const;

  void Delete(ArrayHandle array);
  void DeleteAll(ClientId client);
  // Ends all present and future waits.
  void Close(absl::Status status);

  struct Content {
    ArrayHandle array;
    bool is_there = false;
    absl::Status status;                          // of one that is there
    std::vector<std::shared_ptr<Buffer>> shards;  // by device
  };
  // All arrays, in the order of their handles.
  std::vector<Content> List() const;
  // The number of arrays that are held.
  int64_t size() const;

 private:
  struct Entry {
    std::map<GlobalDeviceId, std::shared_ptr<Buffer>> shards;
    absl::Status status;        // of PutError
    absl::Status shard_status;  // the first error of a shard
    int pending_puts = 0;
    bool is_there() const { return pending_puts == 0 || !status.ok(); }
    const absl::Status& outcome() const {
      return status.ok() ? shard_status : status;
    }
  };
  class PutInProgress;
  // Counts shards that were added as there when they are computed.
  void AwaitShards(ArrayHandle array,
                   const std::vector<std::shared_ptr<Buffer>>& shards);
  using Callbacks = std::vector<std::function<void(const absl::Status&)>>;

  void EndPut(ArrayHandle array, const absl::Status& status);
  void SetThere(ArrayHandle array, const absl::Status& status,
                const Callbacks& callbacks);
  Callbacks TakeWaiters(ArrayHandle array)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Keeps the count of pending arrays while `change` is made to the entry.
  template <typename Change>
  void Update(ArrayHandle array, Entry& entry, const Change& change)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void CountPending(ClientId client, int change)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  Observer observer_;
  mutable absl::Mutex mutex_;
  absl::flat_hash_map<ArrayHandle, Entry> entries_ ABSL_GUARDED_BY(mutex_);
  absl::flat_hash_map<ArrayHandle, Callbacks> waiters_ ABSL_GUARDED_BY(mutex_);
  absl::flat_hash_map<ClientId, int64_t> pending_ ABSL_GUARDED_BY(mutex_);
  absl::Status closed_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_WORKER_DAEMON_ARRAY_STORE_H_
