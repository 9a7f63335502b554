#include "runtime/base/large_pages.h"

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace lockstep::internal {

void UseLargePages(std::byte* data, int64_t size) {
#if defined(__linux__)
  constexpr int64_t kLargeBlock = int64_t{8} << 20;
  if (size < kLargeBlock) return;
  constexpr uintptr_t kPage = 4096;
  const uintptr_t begin =
      (reinterpret_cast<uintptr_t>(data) + kPage - 1) / kPage * kPage;
  const uintptr_t end = reinterpret_cast<uintptr_t>(data) + size;
  madvise(reinterpret_cast<void*>(begin), (end - begin) / kPage * kPage,
          MADV_HUGEPAGE);
#endif
}

}  // namespace lockstep::internal
