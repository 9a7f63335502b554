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

// False, and nothing, when that is not enough to have the memory at `to`.
bool CopyInHostMemory(const DeviceMemory& memory, std::byte* to) {
  if (memory.size() == 0) return true;
  if (!memory.address().host_accessible()) return false;
  std::memcpy(to, memory.address().host_bytes(),
              static_cast<size_t>(memory.size()));
  return true;
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

std::shared_ptr<DeviceEvent> BeginFetchFromDevice(
    std::shared_ptr<const DeviceMemory> memory, std::byte* to,
    std::shared_ptr<const void> owner) {
  if (CopyInHostMemory(*memory, to)) return nullptr;
  auto scope = std::make_shared<FirstFailure>();
  DeviceQueue& queue = memory->device().transfer_queue();
  queue.CopyToHost(*scope, to, memory->address());
  std::shared_ptr<DeviceEvent> done = queue.Record(*scope);
  if (done == nullptr) return nullptr;
  done->OnReady([scope, memory = std::move(memory),
                 owner = std::move(owner)](const absl::Status&) {});
  return done;
}

absl::Status FetchFromDevice(const DeviceMemory& memory, std::byte* to) {
  if (CopyInHostMemory(memory, to)) return absl::OkStatus();
  FirstFailure scope;
  DeviceQueue& queue = memory.device().transfer_queue();
  queue.CopyToHost(scope, to, memory.address());
  const std::shared_ptr<DeviceEvent> done = queue.Record(scope);
  return done == nullptr ? absl::OkStatus() : done->Await();
}

}  // namespace lockstep::internal
