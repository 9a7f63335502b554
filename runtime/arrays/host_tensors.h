#ifndef LOCKSTEP_RUNTIME_ARRAYS_HOST_TENSORS_H_
#define LOCKSTEP_RUNTIME_ARRAYS_HOST_TENSORS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/arrays/buffer.h"
#include "runtime/devices/device_event.h"
#include "runtime/devices/local_device.h"
#include "runtime/types/host_tensor.h"
#include "runtime/types/literal.h"

namespace lockstep::internal {

// Between tensors of the host and buffers of devices.

// A buffer of `device`, called `id` in the cluster, with `value`: in place
// where the device can use host memory, else a copy that is on its way. The
// tensor does not change while its owner is there. RESOURCE_EXHAUSTED when
// there is no memory for it.
absl::StatusOr<std::shared_ptr<Buffer>> PutTensor(HostTensor value,
                                                  GlobalDeviceId id,
                                                  LocalDevice& device);
// The same of a value that nobody else has, unless it is_shared: a launch that
// it is donated to may write over it.
absl::StatusOr<std::shared_ptr<Buffer>> PutLiteral(Literal value,
                                                   GlobalDeviceId id,
                                                   LocalDevice& device);

// Waits, then the value: large ones are the buffer's own memory where the host
// may read that, else a copy.
absl::StatusOr<Literal> FetchLiteral(const Buffer& buffer);
// The same of several, in their order. Every copy is on its way, from the
// moment at which its buffer is ready, before the first is waited for.
absl::StatusOr<std::vector<Literal>> FetchLiterals(
    absl::Span<const std::shared_ptr<Buffer>> buffers);

// Runs `begin` and later `end` for 0 .. count - 1, each in that order. `begin`
// starts a copy and says how many bytes that takes until its `end`: there are
// always two of them at a time, and more up to kReadAheadBytes, so that devices
// copy side by side and the host need not hold them all. Their first error.
inline constexpr int64_t kReadAheadBytes = int64_t{1} << 30;
absl::Status ReadAhead(
    size_t count, absl::FunctionRef<absl::StatusOr<int64_t>(size_t i)> begin,
    absl::FunctionRef<absl::Status(size_t i)> end);

// Runs `read` with each value in turn, in place where the host may read the
// device's memory; other memory is copied, and read ahead. While `read` runs
// nobody can donate that buffer.
absl::Status ReadInPlace(absl::Span<const std::shared_ptr<Buffer>> buffers,
                         absl::FunctionRef<void(const LiteralView&)> read);

// What a ready buffer holds, perhaps still on its way to the host. Whoever does
// not wait may let go of it.
struct PendingTensor {
  HostTensor tensor;
  std::shared_ptr<DeviceEvent> copied;  // null: it is there

  absl::StatusOr<HostTensor> Await() const;
};
// The buffer's own memory where the host may read it, which changes when the
// buffer is donated; else a copy, which is begun. FAILED_PRECONDITION when it
// is not ready.
absl::StatusOr<PendingTensor> BeginReadOnHost(const Buffer& buffer);
// The same, and waits.
absl::StatusOr<HostTensor> ReadOnHost(const Buffer& buffer);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_ARRAYS_HOST_TENSORS_H_
