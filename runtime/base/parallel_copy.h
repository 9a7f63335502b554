#ifndef LOCKSTEP_RUNTIME_BASE_PARALLEL_COPY_H_
#define LOCKSTEP_RUNTIME_BASE_PARALLEL_COPY_H_

#include <cstddef>

#include "absl/functional/function_ref.h"

namespace lockstep::internal {

// memcpy. Of megabytes by several threads: one reaches a fraction of what the
// machine's memory, or a GPU's link, can do. Thread-safe.
void ParallelCopy(std::byte* to, const std::byte* from, size_t size);

// work(0) .. work(count - 1), by the threads of ParallelCopy and the caller's.
// Each should take longer than to hand it over, some 10 us; none may wait.
void ParallelRun(size_t count, absl::FunctionRef<void(size_t i)> work);

// How many threads run it at most.
int ParallelRunThreads();

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BASE_PARALLEL_COPY_H_
