#include "runtime/executor/device_memory.h"

#include <cstdlib>

#include "absl/strings/str_cat.h"
#include "runtime/base/quantity_text.h"
#include "runtime/base/status.h"
#include "runtime/executable/buffer_use.h"

namespace lockstep {
void DeviceMemory::Free::operator()(std::byte* p) const { std::free(p); }

DeviceMemory::DeviceMemory(GlobalDeviceId device, int64_t capacity)
    : device_(device), capacity_(capacity) {}

absl::Status DeviceMemory::CheckFits(int64_t bytes) const {
  if (capacity_ == 0 || bytes <= capacity_) return absl::OkStatus();
  return absl::ResourceExhaustedError(
      absl::StrCat("the launch needs ", BytesText(bytes), " of memory, device ",
                   device_.value(), " has ", BytesText(capacity_)));
}

absl::StatusOr<std::byte*> DeviceMemory::Arena(int64_t bytes) {
  RETURN_IF_ERROR(CheckFits(bytes));
  if (bytes > arena_size_) {
    arena_.reset();
    arena_size_ = 0;
    const int64_t size =
        (bytes + kBufferAlignment - 1) / kBufferAlignment * kBufferAlignment;
    arena_.reset(static_cast<std::byte*>(
        std::aligned_alloc(kBufferAlignment, static_cast<size_t>(size))));
    if (arena_ == nullptr) {
      return absl::ResourceExhaustedError(
          absl::StrCat("device ", device_.value(), " could not give ",
                       BytesText(bytes), " of memory"));
    }
    arena_size_ = size;
  }
  return arena_.get();
}

}  // namespace lockstep
