#include "runtime/arrays/host_tensors.h"

#include <utility>

#include "runtime/base/status.h"
#include "runtime/devices/transfers.h"

namespace lockstep::internal {

absl::StatusOr<std::shared_ptr<Buffer>> PutTensor(HostTensor value,
                                                  GlobalDeviceId id,
                                                  LocalDevice& device) {
  const Shape& shape = value.view.shape();
  ASSIGN_OR_RETURN(PendingMemory put,
                   PutOnDevice(device, value.view.bytes(), shape.byte_size(),
                               std::move(value.owner)));
  return std::make_shared<Buffer>(shape, id, std::move(put));
}

absl::StatusOr<std::shared_ptr<Buffer>> PutLiteral(Literal value,
                                                   GlobalDeviceId id,
                                                   LocalDevice& device) {
  auto owner = std::make_shared<Literal>(std::move(value));
  const Shape shape = owner->shape();
  ASSIGN_OR_RETURN(
      PendingMemory put,
      GiveToDevice(device, owner->mutable_bytes(), shape.byte_size(), owner));
  return std::make_shared<Buffer>(shape, id, std::move(put));
}

absl::Status ReadInPlace(const Buffer& buffer,
                         absl::FunctionRef<void(const LiteralView&)> read) {
  ASSIGN_OR_RETURN(const std::shared_ptr<BufferStorage> storage,
                   buffer.Storage());
  return storage->Read([&](const DeviceMemory& memory) -> absl::Status {
    if (memory.address().host_accessible()) {
      read(LiteralView(buffer.shape(), memory.address().host_bytes()));
      return absl::OkStatus();
    }
    ASSIGN_OR_RETURN(Literal copy, Literal::Allocate(buffer.shape()));
    RETURN_IF_ERROR(FetchFromDevice(memory, copy.mutable_bytes()));
    read(copy);
    return absl::OkStatus();
  });
}

absl::StatusOr<Literal> FetchLiteral(const Buffer& buffer) {
  ASSIGN_OR_RETURN(const std::shared_ptr<BufferStorage> storage,
                   buffer.Storage());
  ASSIGN_OR_RETURN(Literal value, Literal::Allocate(buffer.shape()));
  RETURN_IF_ERROR(storage->Read([&](const DeviceMemory& memory) {
    return FetchFromDevice(memory, value.mutable_bytes());
  }));
  return value;
}

absl::StatusOr<HostTensor> ReadOnHost(const Buffer& buffer) {
  ASSIGN_OR_RETURN(std::shared_ptr<DeviceMemory> memory, buffer.Memory());
  const DeviceAddress address = memory->address();
  if (address.host_accessible()) {
    return HostTensor{LiteralView(buffer.shape(), address.host_bytes()),
                      std::move(memory)};
  }
  ASSIGN_OR_RETURN(Literal value, FetchLiteral(buffer));
  auto owner = std::make_shared<Literal>(std::move(value));
  const LiteralView view = owner->view();
  return HostTensor{view, std::move(owner)};
}

}  // namespace lockstep::internal
