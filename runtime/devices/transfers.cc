#include "runtime/devices/transfers.h"

#include <cstring>
#include <utility>

#include "runtime/base/status.h"

namespace lockstep::internal {

namespace {

absl::StatusOr<PendingMemory> Put(LocalDevice& device, std::byte* bytes,
                                  int64_t size, bool is_writable,
                                  std::shared_ptr<const void> owner) {
  PendingMemory put;
  put.memory = device.Adopt(bytes, size, is_writable, owner);
  if (put.memory != nullptr) return put;
  ASSIGN_OR_RETURN(put.memory, device.Allocate(size));
  auto scope = std::make_shared<FirstFailure>();
  DeviceQueue& queue = device.transfer_queue();
  queue.CopyFromHost(*scope, put.memory->address(), bytes);
  put.ready = queue.Record(*scope);
  if (put.ready != nullptr) {
    put.ready->OnReady([scope, owner = std::move(owner),
                        memory = put.memory](const absl::Status&) {});
  }
  return put;
}

}  // namespace

absl::StatusOr<PendingMemory> PutOnDevice(LocalDevice& device,
                                          const std::byte* bytes, int64_t size,
                                          std::shared_ptr<const void> owner) {
  return Put(device, const_cast<std::byte*>(bytes), size,
             /*is_writable=*/false, std::move(owner));
}

absl::StatusOr<PendingMemory> GiveToDevice(LocalDevice& device,
                                           std::byte* bytes, int64_t size,
                                           std::shared_ptr<const void> owner) {
  return Put(device, bytes, size, /*is_writable=*/true, std::move(owner));
}

absl::Status FetchFromDevice(const DeviceMemory& memory, std::byte* to) {
  if (memory.size() == 0) return absl::OkStatus();
  if (memory.address().host_accessible()) {
    std::memcpy(to, memory.address().host_bytes(),
                static_cast<size_t>(memory.size()));
    return absl::OkStatus();
  }
  FirstFailure scope;
  DeviceQueue& queue = memory.device().transfer_queue();
  queue.CopyToHost(scope, to, memory.address());
  const std::shared_ptr<DeviceEvent> done = queue.Record(scope);
  return done == nullptr ? absl::OkStatus() : done->Await();
}

}  // namespace lockstep::internal
