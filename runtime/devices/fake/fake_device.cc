#include "runtime/devices/fake/fake_device.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/check.h"
#include "runtime/base/quantity_text.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

// Pages without a right to anything: they only keep the addresses.
std::byte* ReservePages(int64_t size) {
  void* pages = mmap(nullptr, static_cast<size_t>(size), PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return pages == MAP_FAILED ? nullptr : static_cast<std::byte*>(pages);
}

constexpr FakeDevice::Queue kQueues[] = {FakeDevice::Queue::kCompute,
                                         FakeDevice::Queue::kTransfers,
                                         FakeDevice::Queue::kCollectives};

// An empty block has an address too.
int64_t ReservedSize(int64_t size) { return std::max<int64_t>(size, 1); }

}  // namespace

class FakeDevice::Block final : public DeviceMemory {
 public:
  Block(std::shared_ptr<LocalDevice> device, DeviceAddress address)
      : DeviceMemory(std::move(device), address) {}
  ~Block() override { static_cast<FakeDevice&>(device()).Free(address()); }
};

FakeDevice::FakeDevice(int ordinal, int64_t memory_bytes)
    : name_(absl::StrCat("fake:", ordinal)),
      compute_(*this, 3 * ordinal + 1),
      transfers_(*this, 3 * ordinal + 2),
      collectives_(*this, 3 * ordinal + 3) {
  info_.kind = "fake";
  info_.memory_bytes = memory_bytes;
}

FakeDevice::~FakeDevice() {
  BeginEnd();
  FinishEnd();
}

void FakeDevice::BeginEnd() {
  for (Queue queue : kQueues) QueueOf(queue).BeginEnd();
}

void FakeDevice::FinishEnd() {
  for (Queue queue : kQueues) QueueOf(queue).FinishEnd();
}

FakeQueue& FakeDevice::QueueOf(Queue queue) {
  switch (queue) {
    case Queue::kCompute:
      return compute_;
    case Queue::kTransfers:
      return transfers_;
    case Queue::kCollectives:
      return collectives_;
  }
  LOCKSTEP_CHECK(false);
}

absl::Status FakeDevice::Count(Operation operation) {
  absl::MutexLock lock(&mutex_);
  Fault& fault = faults_[operation];
  if (fault.left == 0 || --fault.left > 0) return absl::OkStatus();
  return fault.failure;
}

void FakeDevice::FailNth(Operation operation, int64_t n, absl::Status failure) {
  absl::MutexLock lock(&mutex_);
  faults_[operation] = {n, std::move(failure)};
}

void FakeDevice::Hold() {
  for (Queue queue : kQueues) Hold(queue);
}

void FakeDevice::Hold(Queue queue) { QueueOf(queue).SetHeld(true); }

void FakeDevice::Release() {
  for (Queue queue : kQueues) Release(queue);
}

void FakeDevice::Release(Queue queue) { QueueOf(queue).SetHeld(false); }

void FakeDevice::AwaitQueued(Queue queue) { QueueOf(queue).AwaitQueued(); }

absl::StatusOr<std::shared_ptr<DeviceMemory>> FakeDevice::Allocate(
    int64_t size) {
  RETURN_IF_ERROR(Count(Operation::kAllocate));
  absl::MutexLock lock(&mutex_);
  const int64_t left = info_.memory_bytes - statistics_.in_use;
  Mapping mapping{size, nullptr};
  std::byte* pages = nullptr;
  if (size <= left) {
    mapping.content.reset(new (std::nothrow) std::byte[ReservedSize(size)]);
    if (mapping.content != nullptr) pages = ReservePages(ReservedSize(size));
  }
  if (pages == nullptr) {
    return absl::ResourceExhaustedError(absl::StrCat(
        name_, " could not give ", BytesText(size), " of memory; in use: ",
        BytesText(statistics_.in_use), " of ", BytesText(info_.memory_bytes)));
  }
  mappings_[pages] = std::move(mapping);
  ++statistics_.allocations;
  statistics_.in_use += size;
  statistics_.peak = std::max(statistics_.peak, statistics_.in_use);
  return std::make_shared<Block>(
      shared_from_this(),
      DeviceAddress(pages, size, /*host_accessible=*/false));
}

void FakeDevice::Free(const DeviceAddress& address) {
  absl::MutexLock lock(&mutex_);
  mappings_.erase(address.device_bytes());
  statistics_.in_use -= address.size();
  LOCKSTEP_CHECK(munmap(address.device_bytes(),
                        static_cast<size_t>(ReservedSize(address.size()))) ==
                 0);
}

absl::StatusOr<std::byte*> FakeDevice::Find(DeviceAddress address) {
  absl::MutexLock lock(&mutex_);
  auto it = mappings_.upper_bound(address.device_bytes());
  if (it != mappings_.begin()) {
    --it;
    const int64_t offset = address.device_bytes() - it->first;
    if (offset + address.size() <= it->second.size) {
      return it->second.content.get() + offset;
    }
  }
  return absl::InternalError(absl::StrCat(
      name_, ": ", address.size(),
      " bytes are used that are not within a block of its memory"));
}

LocalDevice::Statistics FakeDevice::statistics() const {
  absl::MutexLock lock(&mutex_);
  return statistics_;
}

}  // namespace lockstep::internal
