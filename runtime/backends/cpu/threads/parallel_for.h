#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_THREADS_PARALLEL_FOR_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_THREADS_PARALLEL_FOR_H_

#include <cstdint>

#include "absl/functional/function_ref.h"

namespace lockstep::internal {

// Calls f(i) once for each 0 <= i < pieces, on up to `threads` threads, the
// caller's among them; returns when all calls have. The helpers are shared by
// the process: where they are busy, the caller does more itself. Thread-safe.
void ParallelFor(int threads, int64_t pieces,
                 absl::FunctionRef<void(int64_t)> f);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_THREADS_PARALLEL_FOR_H_
