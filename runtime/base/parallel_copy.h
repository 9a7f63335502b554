#ifndef LOCKSTEP_RUNTIME_BASE_PARALLEL_COPY_H_
#define LOCKSTEP_RUNTIME_BASE_PARALLEL_COPY_H_

#include <cstddef>

namespace lockstep::internal {

// memcpy. Of megabytes by several threads: one reaches a fraction of what the
// machine's memory, or a GPU's link, can do. Thread-safe.
void ParallelCopy(std::byte* to, const std::byte* from, size_t size);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BASE_PARALLEL_COPY_H_
