#ifndef LOCKSTEP_CLIENT_BENCH_DEVICE_LIMITS_H_
#define LOCKSTEP_CLIENT_BENCH_DEVICE_LIMITS_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "runtime/devices/device_memory.h"
#include "runtime/devices/local_device.h"

namespace lockstep::internal {

// What a device can do, found by its queues and libraries alone, without
// programs.

// GB/s of copies of `bytes` bytes within the device, bytes read and written.
absl::StatusOr<double> CopyRate(LocalDevice& device, int64_t bytes);

// Moments of the queue, one behind the other, and nothing else; nullopt: the
// queue runs on the caller's thread.
absl::StatusOr<std::optional<double>> EventsPerSecond(LocalDevice& device);

struct HostCopyRates {
  double to_device = 0;  // GB/s
  double to_host = 0;
};
// Of pinned memory, by the driver; nullopt: this platform has no such driver.
absl::StatusOr<std::optional<HostCopyRates>> PinnedCopyRates(
    LocalDevice& device, int64_t bytes);

// Square matrices that products are measured with: the rate depends on what is
// in them.
struct MatrixOperands {
  std::shared_ptr<DeviceMemory> lhs;
  std::shared_ptr<DeviceMemory> rhs;
  std::shared_ptr<DeviceMemory> bias;  // null: none; else a relu follows too
};
// TFLOP/s of products of matrices of side x side by cuBLASLt, called directly,
// with the first algorithm that it names; `type` is "f32" or "bf16". nullopt:
// not a device for it, or no library.
absl::StatusOr<std::optional<double>> CublasLtRate(
    LocalDevice& device, int64_t side, const std::string& type,
    const MatrixOperands& operands);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_BENCH_DEVICE_LIMITS_H_
