#ifndef LOCKSTEP_RUNTIME_DEVICES_DEVICE_QUEUE_H_
#define LOCKSTEP_RUNTIME_DEVICES_DEVICE_QUEUE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include "absl/status/status.h"
#include "runtime/devices/device_address.h"
#include "runtime/devices/device_event.h"
#include "runtime/devices/work_scope.h"

namespace lockstep::internal {

// Ordered work of one device. An operation runs after those that were queued
// before it; its failure goes to its scope, and when the scope has failed
// already it does nothing. Memory, device's and host's, and the scope must be
// there until it has run: an event that is recorded afterwards tells. The
// destructor runs what is queued. Thread-safe.
class DeviceQueue {
 public:
  virtual ~DeviceQueue() = default;

  // Whether operations run on the calling thread, and are over when the call
  // returns.
  virtual bool is_inline() const = 0;

  // Copies between addresses of this device; sizes are equal.
  virtual void Copy(WorkScope& scope, DeviceAddress to, DeviceAddress from) = 0;
  // The same of `rows` rows of `row_size` bytes, whose beginnings lie
  // `to_pitch` and `from_pitch` bytes apart. Rows of one side do not overlap.
  virtual void CopyRows(WorkScope& scope, int64_t rows, int64_t row_size,
                        DeviceAddress to, int64_t to_pitch, DeviceAddress from,
                        int64_t from_pitch) = 0;
  virtual void CopyFromHost(WorkScope& scope, DeviceAddress to,
                            const std::byte* from) = 0;
  virtual void CopyToHost(WorkScope& scope, std::byte* to,
                          DeviceAddress from) = 0;
  virtual void Fill(WorkScope& scope, DeviceAddress to, std::byte value) = 0;
  // Runs `call` on a thread of the host. It may wait for other queues; none of
  // its waits may outlast the scope's failure.
  virtual void CallHost(WorkScope& scope,
                        std::function<absl::Status()> call) = 0;
  // What follows waits for `event`, whose failure becomes the scope's. It waits
  // also when the scope has failed: work of the scope on other queues is over
  // when what follows is. The event ends whatever becomes of the scope. Null:
  // nothing to wait for.
  virtual void Wait(WorkScope& scope, std::shared_ptr<DeviceEvent> event) = 0;
  // Done when all before it has run, with the scope's status at that time.
  // Where the queue is inline: null, unless the scope has failed.
  virtual std::shared_ptr<DeviceEvent> Record(WorkScope& scope) = 0;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_DEVICES_DEVICE_QUEUE_H_
