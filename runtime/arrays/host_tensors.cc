#include "runtime/arrays/host_tensors.h"

#include <deque>
#include <optional>
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
  if (owner->is_shared()) {
    return PutTensor(HostTensor::Of(std::move(owner)), id, device);
  }
  const Shape shape = owner->shape();
  ASSIGN_OR_RETURN(
      PendingMemory put,
      GiveToDevice(device, owner->mutable_bytes(), shape.byte_size(), owner));
  return std::make_shared<Buffer>(shape, id, std::move(put));
}

namespace {

// A copy on its way to the host; both are null where none is needed.
struct PendingCopy {
  std::shared_ptr<Literal> value;
  std::shared_ptr<DeviceEvent> copied;  // null: it is there

  absl::Status Await() const {
    return copied == nullptr ? absl::OkStatus() : copied->Await();
  }
};

enum class Readable { kIsCopied, kStays };

// Waits for the value. `readable`: what happens with memory that the host may
// read.
absl::StatusOr<PendingCopy> BeginCopy(const Buffer& buffer, Readable readable) {
  ASSIGN_OR_RETURN(const std::shared_ptr<BufferStorage> storage,
                   buffer.Storage());
  // The copy alone holds this: a thread that held it while it waits for another
  // buffer could wait for a launch that waits to take this one.
  ASSIGN_OR_RETURN(std::shared_ptr<const DeviceMemory> memory,
                   storage->BeginRead());
  PendingCopy copy;
  if (readable == Readable::kStays && memory->address().host_accessible()) {
    return copy;
  }
  ASSIGN_OR_RETURN(Literal value, Literal::Allocate(buffer.shape()));
  copy.value = std::make_shared<Literal>(std::move(value));
  copy.copied = BeginFetchFromDevice(std::move(memory),
                                     copy.value->mutable_bytes(), copy.value);
  return copy;
}

// The buffer's own memory, where the host may read it and it is so large that
// a copy takes longer than to keep count of who has it; else none. A launch
// that the buffer is donated to gets a copy while the literal is there.
absl::StatusOr<std::optional<Literal>> ShareLarge(const Buffer& buffer) {
  constexpr int64_t kLargeBytes = int64_t{64} << 10;
  if (buffer.shape().byte_size() < kLargeBytes) return std::nullopt;
  ASSIGN_OR_RETURN(const std::shared_ptr<BufferStorage> storage,
                   buffer.Storage());
  RETURN_IF_ERROR(storage->Await(absl::InfiniteFuture()));
  ASSIGN_OR_RETURN(const PendingMemory pending, storage->Memory());
  const DeviceAddress address = pending.memory->address();
  if (!address.host_accessible()) return std::nullopt;
  // Only now: launches that it is donated to copy while there is another.
  ASSIGN_OR_RETURN(const std::shared_ptr<Buffer> share, buffer.Share());
  return Literal::Share(LiteralView(buffer.shape(), address.host_bytes()),
                        share);
}

}  // namespace

absl::StatusOr<Literal> FetchLiteral(const Buffer& buffer) {
  ASSIGN_OR_RETURN(std::optional<Literal> shared, ShareLarge(buffer));
  if (shared.has_value()) return *std::move(shared);
  ASSIGN_OR_RETURN(const std::shared_ptr<BufferStorage> storage,
                   buffer.Storage());
  ASSIGN_OR_RETURN(Literal value, Literal::Allocate(buffer.shape()));
  RETURN_IF_ERROR(storage->Read([&](const DeviceMemory& memory) {
    return FetchFromDevice(memory, value.mutable_bytes());
  }));
  return value;
}

absl::StatusOr<std::vector<Literal>> FetchLiterals(
    absl::Span<const std::shared_ptr<Buffer>> buffers) {
  std::vector<std::optional<Literal>> shared;
  std::vector<PendingCopy> copies;
  for (const auto& buffer : buffers) {
    ASSIGN_OR_RETURN(shared.emplace_back(), ShareLarge(*buffer));
    copies.emplace_back();
    if (shared.back().has_value()) continue;
    ASSIGN_OR_RETURN(copies.back(), BeginCopy(*buffer, Readable::kIsCopied));
  }
  std::vector<Literal> values;
  for (size_t i = 0; i < buffers.size(); ++i) {
    RETURN_IF_ERROR(copies[i].Await());
    values.push_back(shared[i].has_value() ? *std::move(shared[i])
                                           : std::move(*copies[i].value));
  }
  return values;
}

absl::Status ReadAhead(
    size_t count, absl::FunctionRef<absl::StatusOr<int64_t>(size_t i)> begin,
    absl::FunctionRef<absl::Status(size_t i)> end) {
  std::deque<int64_t> ahead;  // the bytes of those that have begun
  int64_t bytes = 0;
  for (size_t i = 0; i < count; ++i) {
    while (i + ahead.size() < count &&
           (ahead.size() < 2 || bytes < kReadAheadBytes)) {
      ASSIGN_OR_RETURN(ahead.emplace_back(), begin(i + ahead.size()));
      bytes += ahead.back();
    }
    RETURN_IF_ERROR(end(i));
    bytes -= ahead.front();
    ahead.pop_front();
  }
  return absl::OkStatus();
}

absl::Status ReadInPlace(absl::Span<const std::shared_ptr<Buffer>> buffers,
                         absl::FunctionRef<void(const LiteralView&)> read) {
  std::vector<PendingCopy> copies(buffers.size());
  const auto begin = [&](size_t i) -> absl::StatusOr<int64_t> {
    ASSIGN_OR_RETURN(copies[i], BeginCopy(*buffers[i], Readable::kStays));
    return copies[i].value == nullptr ? 0 : buffers[i]->shape().byte_size();
  };
  const auto end = [&](size_t i) -> absl::Status {
    const PendingCopy copy = std::exchange(copies[i], {});
    if (copy.value != nullptr) {
      RETURN_IF_ERROR(copy.Await());
      read(*copy.value);
      return absl::OkStatus();
    }
    ASSIGN_OR_RETURN(const std::shared_ptr<BufferStorage> storage,
                     buffers[i]->Storage());
    return storage->Read([&](const DeviceMemory& memory) -> absl::Status {
      read(LiteralView(buffers[i]->shape(), memory.address().host_bytes()));
      return absl::OkStatus();
    });
  };
  return ReadAhead(buffers.size(), begin, end);
}

absl::StatusOr<HostTensor> PendingTensor::Await() const {
  if (copied != nullptr) RETURN_IF_ERROR(copied->Await());
  return tensor;
}

absl::StatusOr<PendingTensor> BeginReadOnHost(const Buffer& buffer) {
  ASSIGN_OR_RETURN(std::shared_ptr<DeviceMemory> memory, buffer.Memory());
  const DeviceAddress address = memory->address();
  PendingTensor pending;
  if (address.host_accessible()) {
    pending.tensor = {LiteralView(buffer.shape(), address.host_bytes()),
                      std::move(memory)};
    return pending;
  }
  ASSIGN_OR_RETURN(PendingCopy copy, BeginCopy(buffer, Readable::kIsCopied));
  pending.tensor = HostTensor::Of(std::move(copy.value));
  pending.copied = std::move(copy.copied);
  return pending;
}

absl::StatusOr<HostTensor> ReadOnHost(const Buffer& buffer) {
  ASSIGN_OR_RETURN(const PendingTensor pending, BeginReadOnHost(buffer));
  return pending.Await();
}

}  // namespace lockstep::internal
