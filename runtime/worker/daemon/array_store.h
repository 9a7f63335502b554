#ifndef LOCKSTEP_RUNTIME_WORKER_DAEMON_ARRAY_STORE_H_
#define LOCKSTEP_RUNTIME_WORKER_DAEMON_ARRAY_STORE_H_

#include <map>
#include <memory>
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

namespace lockstep {

// This host's shards of the arrays of global-view clients, by the handle that
// the client gave. An array is a set of shards, or the status of the launch
// that should have made it. Thread-safe.
class ArrayStore {
 public:
  // Adds a shard; its device is the buffer's. ALREADY_EXISTS when the array
  // has a shard there.
  absl::Status Put(ArrayHandle array, std::shared_ptr<Buffer> shard);
  // The array exists and every use of it ends with `status`.
  void PutError(ArrayHandle array, absl::Status status);

  // NOT_FOUND names the array and the device; the status of PutError.
  absl::StatusOr<std::shared_ptr<Buffer>> Find(ArrayHandle array,
                                               GlobalDeviceId device) const;

  // Like Find, but waits until the shard or the error is there: a client may
  // ask for a result before the launch that makes it has been taken up.
  // DEADLINE_EXCEEDED, the cancellation's cause, or the status of Close.
  absl::StatusOr<std::shared_ptr<Buffer>> Await(
      ArrayHandle array, GlobalDeviceId device, absl::Time deadline,
      CancellationToken* cancellation) const;

  void Delete(ArrayHandle array);
  void DeleteAll(ClientId client);
  // Ends all present and future waits.
  void Close(absl::Status status);

  // The number of arrays that are held.
  int64_t size() const;

 private:
  struct Entry {
    std::map<GlobalDeviceId, std::shared_ptr<Buffer>> shards;
    absl::Status status;
  };

  mutable absl::Mutex mutex_;
  absl::flat_hash_map<ArrayHandle, Entry> entries_ ABSL_GUARDED_BY(mutex_);
  absl::Status closed_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_WORKER_DAEMON_ARRAY_STORE_H_
