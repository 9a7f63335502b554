#ifndef LOCKSTEP_TESTS_BENCHMARK_COPY_COUNTER_H_
#define LOCKSTEP_TESTS_BENCHMARK_COPY_COUNTER_H_

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace lockstep::internal {

// What libcopy_counter.so, when it is preloaded, counts in the file that
// kCopyCountsVariable names, which all processes of a run share: copies of
// kCountedBytes and more.
struct CopyCounts {
  std::atomic<int64_t> copies;  // within a process: memcpy, memmove
  std::atomic<int64_t> copied_bytes;
  std::atomic<int64_t> moved_bytes;  // between processes, or into a file
};

inline constexpr char kCopyCountsVariable[] = "LOCKSTEP_COPY_COUNTS";
inline constexpr size_t kCountedBytes = 4096;

}  // namespace lockstep::internal

#endif  // LOCKSTEP_TESTS_BENCHMARK_COPY_COUNTER_H_
