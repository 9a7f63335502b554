#ifndef LOCKSTEP_RUNTIME_BASE_LARGE_PAGES_H_
#define LOCKSTEP_RUNTIME_BASE_LARGE_PAGES_H_

#include <cstddef>
#include <cstdint>

namespace lockstep::internal {

// Advises the kernel to back a block with large pages, if it is so large that
// the time to fault small ones in is felt. Nothing depends on it.
void UseLargePages(std::byte* data, int64_t size);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BASE_LARGE_PAGES_H_
