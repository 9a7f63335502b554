#include "runtime/devices/host/host_device.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/quantity_text.h"

namespace lockstep::internal {
namespace {

bool IsAligned(const std::byte* bytes) {
  return reinterpret_cast<uintptr_t>(bytes) % DeviceMemory::kAlignment == 0;
}

// Gives objects so many bytes more, which lie behind them.
template <typename T>
struct TailAllocator {
  using value_type = T;

  TailAllocator(std::shared_ptr<HostMemoryPool> pool, int64_t extra)
      : pool(std::move(pool)), extra(static_cast<size_t>(extra)) {}
  template <typename U>
  TailAllocator(const TailAllocator<U>& other)  // NOLINT: as allocators are
      : pool(other.pool), extra(other.extra) {}

  T* allocate(size_t count) {
    void* bytes = pool->Allocate(count * sizeof(T) + extra);
    if (bytes == nullptr) throw std::bad_alloc();
    return static_cast<T*>(bytes);
  }
  void deallocate(T* bytes, size_t count) {
    pool->Free(bytes, count * sizeof(T) + extra);
  }
  template <typename U>
  bool operator==(const TailAllocator<U>& other) const {
    return pool == other.pool;
  }

  const std::shared_ptr<HostMemoryPool> pool;  // a block may outlive its device
  const size_t extra;
};

// Host memory of somebody else.
class AdoptedMemory final : public DeviceMemory {
 public:
  AdoptedMemory(std::shared_ptr<LocalDevice> device, DeviceAddress address,
                bool is_writable, std::shared_ptr<const void> owner)
      : DeviceMemory(std::move(device), address, is_writable),
        owner_(std::move(owner)) {}

 private:
  const std::shared_ptr<const void> owner_;
};

}  // namespace

// Its bytes lie behind it, in the memory that TailAllocator has given for both:
// one allocation for a block, which is felt in short launches.
class HostDevice::Block final : public DeviceMemory {
 public:
  Block(std::shared_ptr<HostDevice> device, int64_t size)
      : DeviceMemory(device, DeviceAddress(Tail(), size,
                                           /*host_accessible=*/true)) {}
  ~Block() override {
    static_cast<HostDevice&>(device()).in_use_.fetch_sub(
        size(), std::memory_order_relaxed);
  }

 private:
  std::byte* Tail() {
    const auto end = reinterpret_cast<uintptr_t>(this + 1);
    return reinterpret_cast<std::byte*>((end + kAlignment - 1) / kAlignment *
                                        kAlignment);
  }
};

HostDevice::HostDevice(int ordinal, DeviceInfo info,
                       std::shared_ptr<HostMemoryPool> pool)
    : name_(absl::StrCat("cpu:", ordinal)),
      info_(std::move(info)),
      pool_(std::move(pool)),
      collectives_(absl::StrCat("collectives ", ordinal)) {}

absl::StatusOr<std::shared_ptr<DeviceMemory>> HostDevice::Allocate(
    int64_t size) {
  constexpr int64_t kSpace = 4096;  // more than all that is not the bytes
  std::shared_ptr<DeviceMemory> block;
  if (size <= std::numeric_limits<int64_t>::max() - kSpace) {
    try {
      block = std::allocate_shared<Block>(
          TailAllocator<Block>(pool_, size + DeviceMemory::kAlignment),
          std::static_pointer_cast<HostDevice>(shared_from_this()), size);
    } catch (const std::bad_alloc&) {
    }
  }
  if (block == nullptr) {
    return absl::ResourceExhaustedError(absl::StrCat(
        name_, " could not give ", BytesText(size), " of memory; in use: ",
        BytesText(in_use_.load()), " of ", BytesText(info_.memory_bytes)));
  }
  allocations_.fetch_add(1, std::memory_order_relaxed);
  const int64_t in_use =
      in_use_.fetch_add(size, std::memory_order_relaxed) + size;
  int64_t peak = peak_.load(std::memory_order_relaxed);
  while (in_use > peak && !peak_.compare_exchange_weak(
                              peak, in_use, std::memory_order_relaxed)) {
  }
  return block;
}

std::shared_ptr<DeviceMemory> HostDevice::Adopt(
    std::byte* bytes, int64_t size, bool is_writable,
    std::shared_ptr<const void> owner) {
  if (!IsAligned(bytes)) return nullptr;
  return std::make_shared<AdoptedMemory>(
      shared_from_this(), DeviceAddress(bytes, size, /*host_accessible=*/true),
      is_writable, std::move(owner));
}

LocalDevice::Statistics HostDevice::statistics() const {
  Statistics statistics;
  statistics.in_use = in_use_.load(std::memory_order_relaxed);
  statistics.peak = peak_.load(std::memory_order_relaxed);
  statistics.allocations = allocations_.load(std::memory_order_relaxed);
  return statistics;
}

}  // namespace lockstep::internal
