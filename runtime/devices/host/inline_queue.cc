#include "runtime/devices/host/inline_queue.h"

#include <cstring>

#include "runtime/devices/host_rows.h"

namespace lockstep::internal {
namespace {

void CopyBytes(WorkScope& scope, std::byte* to, const std::byte* from,
               int64_t size) {
  if (size == 0 || !scope.status().ok()) return;
  std::memmove(to, from, static_cast<size_t>(size));
}

}  // namespace

void InlineQueue::Copy(WorkScope& scope, DeviceAddress to, DeviceAddress from) {
  CopyBytes(scope, to.host_bytes(), from.host_bytes(), from.size());
}

void InlineQueue::CopyRows(WorkScope& scope, int64_t rows, int64_t row_size,
                           DeviceAddress to, int64_t to_pitch,
                           DeviceAddress from, int64_t from_pitch) {
  if (row_size == 0 || !scope.status().ok()) return;
  CopyHostRows(rows, row_size, to.host_bytes(), to_pitch, from.host_bytes(),
               from_pitch);
}

void InlineQueue::CopyFromHost(WorkScope& scope, DeviceAddress to,
                               const std::byte* from) {
  CopyBytes(scope, to.host_bytes(), from, to.size());
}

void InlineQueue::CopyToHost(WorkScope& scope, std::byte* to,
                             DeviceAddress from) {
  CopyBytes(scope, to, from.host_bytes(), from.size());
}

void InlineQueue::Fill(WorkScope& scope, DeviceAddress to, std::byte value) {
  if (to.size() == 0 || !scope.status().ok()) return;
  std::memset(to.host_bytes(), static_cast<int>(value),
              static_cast<size_t>(to.size()));
}

void InlineQueue::CallHost(WorkScope& scope,
                           std::function<absl::Status()> call) {
  if (!scope.status().ok()) return;
  if (absl::Status status = call(); !status.ok()) scope.Fail(status);
}

void InlineQueue::Wait(WorkScope& scope, std::shared_ptr<DeviceEvent> event) {
  if (event == nullptr) return;
  if (absl::Status status = event->Await(); !status.ok()) scope.Fail(status);
}

std::shared_ptr<DeviceEvent> InlineQueue::Record(WorkScope& scope) {
  const absl::Status status = scope.status();
  if (status.ok()) return nullptr;
  auto failed = std::make_shared<DeviceEvent>();
  failed->Finish(status);
  return failed;
}

}  // namespace lockstep::internal
