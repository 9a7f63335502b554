#include "runtime/arrays/host_tensors.h"

#include <cstring>
#include <deque>
#include <functional>
#include <iterator>
#include <map>
#include <utility>

#include "runtime/base/status.h"
#include "runtime/devices/transfers.h"

namespace lockstep::internal {
namespace {

// A copy to the host. What it writes to is there until it has ended.
class CopyToHost {
 public:
  explicit CopyToHost(Literal to) : to_(std::move(to)) {}
  CopyToHost(const CopyToHost&) = delete;
  CopyToHost& operator=(const CopyToHost&) = delete;
  ~CopyToHost() { Await().IgnoreError(); }

  void Start(const DeviceMemory& memory) {
    if (memory.size() == 0) return;
    if (memory.address().host_accessible()) {
      std::memcpy(to_.mutable_bytes(), memory.address().host_bytes(),
                  static_cast<size_t>(memory.size()));
      return;
    }
    DeviceQueue& queue = memory.device().transfer_queue();
    queue.CopyToHost(scope_, to_.mutable_bytes(), memory.address());
    done_ = queue.Record(scope_);
  }
  absl::Status Await() const {
    return done_ == nullptr ? absl::OkStatus() : done_->Await();
  }
  // After Await.
  Literal Take() { return std::move(to_); }

 private:
  Literal to_;
  FirstFailure scope_;
  std::shared_ptr<DeviceEvent> done_;
};

using Memories =
    std::map<std::shared_ptr<BufferStorage>, const DeviceMemory*, std::less<>>;

// Sets the memories from `next` on, of storages that are ready, and runs
// `read`, during which nobody can take them. They are locked in the order of
// the map: in different orders readers and those who take could wait in a ring.
absl::Status ReadTogether(Memories& memories, Memories::iterator next,
                          absl::FunctionRef<absl::Status()> read) {
  if (next == memories.end()) return read();
  return next->first->Read([&](const DeviceMemory& memory) {
    next->second = &memory;
    return ReadTogether(memories, std::next(next), read);
  });
}

}  // namespace

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

absl::StatusOr<std::vector<Literal>> FetchLiterals(
    absl::Span<const Buffer* const> buffers) {
  std::vector<std::shared_ptr<BufferStorage>> storages;
  std::deque<CopyToHost> copies;
  Memories memories;
  for (const Buffer* const buffer : buffers) {
    ASSIGN_OR_RETURN(storages.emplace_back(), buffer->Storage());
    // Under no lock: what makes one ready may have to take another before.
    RETURN_IF_ERROR(storages.back()->Await(absl::InfiniteFuture()));
    ASSIGN_OR_RETURN(Literal value, Literal::Allocate(buffer->shape()));
    copies.emplace_back(std::move(value));
    memories.emplace(storages.back(), nullptr);
  }
  RETURN_IF_ERROR(ReadTogether(memories, memories.begin(), [&] {
    for (size_t i = 0; i < storages.size(); ++i) {
      copies[i].Start(*memories.at(storages[i]));
    }
    absl::Status status;
    for (const CopyToHost& copy : copies) status.Update(copy.Await());
    return status;
  }));
  std::vector<Literal> values;
  for (CopyToHost& copy : copies) values.push_back(copy.Take());
  return values;
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
