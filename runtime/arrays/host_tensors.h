#ifndef LOCKSTEP_RUNTIME_ARRAYS_HOST_TENSORS_H_
#define LOCKSTEP_RUNTIME_ARRAYS_HOST_TENSORS_H_

#include <memory>

#include "absl/status/statusor.h"
#include "runtime/arrays/buffer.h"
#include "runtime/devices/local_device.h"
#include "runtime/types/literal.h"

namespace lockstep {

// Between tensors of the host and buffers of devices.

// A buffer of `device`, called `id` in the cluster, with `value`: in place
// where the device can use host memory, else a copy that is on its way.
// RESOURCE_EXHAUSTED when there is no memory for it.
absl::StatusOr<std::shared_ptr<Buffer>> PutLiteral(Literal value,
                                                   GlobalDeviceId id,
                                                   LocalDevice& device);

// Waits, then a copy of the value.
absl::StatusOr<Literal> FetchLiteral(const Buffer& buffer);

// What a buffer holds, on the host. There while `owner` is; it changes when the
// buffer is donated.
struct HostTensor {
  LiteralView view;
  std::shared_ptr<const void> owner;
};

// Of a ready buffer: its own memory where the host may read it, else a copy.
// FAILED_PRECONDITION when it is not ready.
absl::StatusOr<HostTensor> ReadOnHost(const Buffer& buffer);

}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_ARRAYS_HOST_TENSORS_H_
