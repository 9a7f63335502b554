#ifndef LOCKSTEP_RUNTIME_WORKER_DAEMON_ARRAY_PLACEMENT_H_
#define LOCKSTEP_RUNTIME_WORKER_DAEMON_ARRAY_PLACEMENT_H_

#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "runtime/devices/local_device.h"
#include "runtime/mesh/ids.h"
#include "runtime/types/host_tensor.h"
#include "runtime/types/literal.h"
#include "runtime/worker/daemon/array_store.h"

namespace lockstep::internal {

// Values that clients bring, put on this host's devices, which are known once
// the worker has joined. Thread-safe.
class ArrayPlacement {
 public:
  // `arrays` outlives this.
  explicit ArrayPlacement(ArrayStore* arrays) : arrays_(*arrays) {}

  using Devices =
      absl::flat_hash_map<GlobalDeviceId, std::shared_ptr<LocalDevice>>;
  void SetDevices(Devices devices);
  // None before that.
  Devices devices() const;
  // Ends the waits for devices.
  void Close(const absl::Status& status);

  // OK when devices are known, the status of Close, DEADLINE_EXCEEDED.
  absl::Status AwaitDevices(absl::Time deadline);
  // The same without waiting: calls back, once, perhaps at once.
  void WhenDevicesKnown(std::function<void(const absl::Status&)> callback);

  struct PlacedValue {
    ArrayHandle array;
    std::vector<GlobalDeviceId> devices;  // all with this value
    // A literal is the array's own; a tensor may be others' too.
    std::variant<Literal, HostTensor> value;
  };
  // All or nothing. FAILED_PRECONDITION: a device of another host.
  // ALREADY_EXISTS: the array has a shard there. RESOURCE_EXHAUSTED.
  absl::Status Put(std::vector<PlacedValue> values);

 private:
  using Arrays = std::map<ArrayHandle, std::vector<std::shared_ptr<Buffer>>>;
  absl::StatusOr<std::shared_ptr<LocalDevice>> FindDevice(
      GlobalDeviceId device);
  absl::Status PutOnDevices(PlacedValue value, Arrays& arrays);
  std::vector<std::function<void(const absl::Status&)>> TakeWaiters()
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  ArrayStore& arrays_;
  mutable absl::Mutex mutex_;
  bool has_devices_ ABSL_GUARDED_BY(mutex_) = false;
  absl::Status closed_ ABSL_GUARDED_BY(mutex_);
  Devices devices_ ABSL_GUARDED_BY(mutex_);
  std::vector<std::function<void(const absl::Status&)>> waiters_
      ABSL_GUARDED_BY(mutex_);
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_WORKER_DAEMON_ARRAY_PLACEMENT_H_
