#include "client/bench/device_limits.h"

#include <utility>
#include <vector>

#include "client/bench/repeated_timing.h"
#include "runtime/base/status.h"
#include "runtime/devices/device_memory.h"
#include "runtime/devices/work_scope.h"

namespace lockstep::internal {
namespace {

// Waits until the queue has done what it was given.
absl::Status AwaitQueue(DeviceQueue& queue, FirstFailure& scope) {
  const auto event = queue.Record(scope);
  RETURN_IF_ERROR(event == nullptr ? absl::OkStatus() : event->Await());
  return scope.status();
}

}  // namespace

absl::StatusOr<double> CopyRate(LocalDevice& device, int64_t bytes) {
  ASSIGN_OR_RETURN(const auto from, device.Allocate(bytes));
  ASSIGN_OR_RETURN(const auto to, device.Allocate(bytes));
  DeviceQueue& queue = device.compute_queue();
  FirstFailure scope;
  queue.Fill(scope, from->address(), std::byte{1});
  RETURN_IF_ERROR(AwaitQueue(queue, scope));
  ASSIGN_OR_RETURN(const double seconds, SecondsPerTurn([&](int turns) {
                     for (int i = 0; i < turns; ++i) {
                       queue.Copy(scope, to->address(), from->address());
                     }
                     return AwaitQueue(queue, scope);
                   }));
  return 2 * static_cast<double>(bytes) / seconds * 1e-9;
}

absl::StatusOr<std::optional<double>> EventsPerSecond(LocalDevice& device) {
  DeviceQueue& queue = device.compute_queue();
  if (queue.is_inline()) return std::nullopt;
  FirstFailure scope;
  ASSIGN_OR_RETURN(const double seconds, SecondsPerTurn([&](int turns) {
                     for (int i = 1; i < turns; ++i) queue.Record(scope);
                     return AwaitQueue(queue, scope);
                   }));
  return 1 / seconds;
}

}  // namespace lockstep::internal
