#include "runtime/base/scratch_memory.h"

#include <limits>

#include "absl/strings/str_cat.h"
#include "runtime/base/large_pages.h"
#include "runtime/base/quantity_text.h"

namespace lockstep::internal {

absl::StatusOr<ScratchMemory> ScratchMemory::Allocate(int64_t bytes) {
  void* data = nullptr;
  if (bytes <= std::numeric_limits<int64_t>::max() - kAlignment) {
    // Not empty, and whole units.
    const int64_t size = (bytes / kAlignment + 1) * kAlignment;
    data = std::aligned_alloc(kAlignment, static_cast<size_t>(size));
  }
  if (data == nullptr) {
    return absl::ResourceExhaustedError(
        absl::StrCat("no memory for ", BytesText(bytes), " of scratch"));
  }
  UseLargePages(static_cast<std::byte*>(data), bytes);
  return ScratchMemory(static_cast<std::byte*>(data));
}

}  // namespace lockstep::internal
