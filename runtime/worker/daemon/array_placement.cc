#include "runtime/worker/daemon/array_placement.h"

#include "absl/strings/str_cat.h"
#include "runtime/arrays/host_tensors.h"
#include "runtime/base/status.h"

namespace lockstep::internal {

std::vector<std::function<void(const absl::Status&)>>
ArrayPlacement::TakeWaiters() {
  return std::exchange(waiters_, {});
}

void ArrayPlacement::SetDevices(Devices devices) {
  std::vector<std::function<void(const absl::Status&)>> waiters;
  {
    absl::MutexLock lock(&mutex_);
    devices_ = std::move(devices);
    has_devices_ = true;
    waiters = TakeWaiters();
  }
  for (const auto& waiter : waiters) waiter(absl::OkStatus());
}

void ArrayPlacement::Close(const absl::Status& status) {
  std::vector<std::function<void(const absl::Status&)>> waiters;
  {
    absl::MutexLock lock(&mutex_);
    closed_.Update(status);
    waiters = TakeWaiters();
  }
  for (const auto& waiter : waiters) waiter(status);
}

ArrayPlacement::Devices ArrayPlacement::devices() const {
  absl::MutexLock lock(&mutex_);
  return devices_;
}

absl::Status ArrayPlacement::AwaitDevices(absl::Time deadline) {
  const auto is_decided = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return has_devices_ || !closed_.ok();
  };
  absl::MutexLock lock(&mutex_);
  const bool is_in_time =
      mutex_.AwaitWithDeadline(absl::Condition(&is_decided), deadline);
  RETURN_IF_ERROR(closed_);
  if (is_in_time) return absl::OkStatus();
  return absl::DeadlineExceededError("the worker has not joined yet");
}

void ArrayPlacement::WhenDevicesKnown(
    std::function<void(const absl::Status&)> callback) {
  absl::Status status;
  {
    absl::MutexLock lock(&mutex_);
    if (closed_.ok() && !has_devices_) {
      waiters_.push_back(std::move(callback));
      return;
    }
    status = closed_;
  }
  callback(status);
}

absl::StatusOr<std::shared_ptr<LocalDevice>> ArrayPlacement::FindDevice(
    GlobalDeviceId device) {
  absl::MutexLock lock(&mutex_);
  auto it = devices_.find(device);
  if (it != devices_.end()) return it->second;
  return absl::FailedPreconditionError(
      absl::StrCat("device ", device.value(), " is not on this host"));
}

absl::Status ArrayPlacement::PutOnDevices(PlacedValue value, Arrays& arrays) {
  std::vector<std::shared_ptr<Buffer>>& buffers = arrays[value.array];
  auto* const literal = std::get_if<Literal>(&value.value);
  if (literal != nullptr && value.devices.size() == 1) {
    ASSIGN_OR_RETURN(const auto device, FindDevice(value.devices[0]));
    ASSIGN_OR_RETURN(
        buffers.emplace_back(),
        PutLiteral(std::move(*literal), value.devices[0], *device));
    return absl::OkStatus();
  }
  // Once on this host.
  const HostTensor tensor =
      literal != nullptr
          ? HostTensor::Of(std::make_shared<const Literal>(std::move(*literal)))
          : std::get<HostTensor>(value.value);
  for (GlobalDeviceId id : value.devices) {
    ASSIGN_OR_RETURN(const auto device, FindDevice(id));
    ASSIGN_OR_RETURN(buffers.emplace_back(), PutTensor(tensor, id, *device));
  }
  return absl::OkStatus();
}

absl::Status ArrayPlacement::Put(std::vector<PlacedValue> values) {
  Arrays arrays;
  for (PlacedValue& value : values) {
    RETURN_IF_ERROR(PutOnDevices(std::move(value), arrays));
  }
  std::vector<ArrayHandle> put;
  for (const auto& [array, buffers] : arrays) {
    absl::Status status = arrays_.Put(array, buffers);
    if (!status.ok()) {
      for (const ArrayHandle& before : put) arrays_.Delete(before);
      return status;
    }
    put.push_back(array);
  }
  return absl::OkStatus();
}

}  // namespace lockstep::internal
