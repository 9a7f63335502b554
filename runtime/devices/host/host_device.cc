#include "runtime/devices/host/host_device.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/large_pages.h"
#include "runtime/base/quantity_text.h"

namespace lockstep {
namespace {

bool IsAligned(const std::byte* bytes) {
  return reinterpret_cast<uintptr_t>(bytes) % DeviceMemory::kAlignment == 0;
}

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

class HostDevice::Block final : public DeviceMemory {
 public:
  Block(std::shared_ptr<LocalDevice> device, DeviceAddress address)
      : DeviceMemory(std::move(device), address) {}
  ~Block() override {
    std::free(address().host_bytes());
    static_cast<HostDevice&>(device()).in_use_.fetch_sub(
        size(), std::memory_order_relaxed);
  }
};

HostDevice::HostDevice(int ordinal, DeviceInfo info)
    : name_(absl::StrCat("cpu:", ordinal)), info_(std::move(info)) {}

absl::StatusOr<std::shared_ptr<DeviceMemory>> HostDevice::Allocate(
    int64_t size) {
  constexpr int64_t kAlignment = DeviceMemory::kAlignment;
  void* bytes = nullptr;
  if (size <= std::numeric_limits<int64_t>::max() - kAlignment) {
    // An empty block has an address too.
    const int64_t rounded =
        std::max(kAlignment, (size + kAlignment - 1) / kAlignment * kAlignment);
    bytes = std::aligned_alloc(kAlignment, static_cast<size_t>(rounded));
  }
  if (bytes == nullptr) {
    return absl::ResourceExhaustedError(absl::StrCat(
        name_, " could not give ", BytesText(size), " of memory; in use: ",
        BytesText(in_use_.load()), " of ", BytesText(info_.memory_bytes)));
  }
  UseLargePages(static_cast<std::byte*>(bytes), size);
  allocations_.fetch_add(1, std::memory_order_relaxed);
  const int64_t in_use =
      in_use_.fetch_add(size, std::memory_order_relaxed) + size;
  int64_t peak = peak_.load(std::memory_order_relaxed);
  while (in_use > peak && !peak_.compare_exchange_weak(
                              peak, in_use, std::memory_order_relaxed)) {
  }
  return std::make_shared<Block>(
      shared_from_this(), DeviceAddress(static_cast<std::byte*>(bytes), size,
                                        /*host_accessible=*/true));
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

}  // namespace lockstep
