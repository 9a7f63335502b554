#ifndef LOCKSTEP_RUNTIME_DEVICES_HOST_HOST_MEMORY_POOL_H_
#define LOCKSTEP_RUNTIME_DEVICES_HOST_HOST_MEMORY_POOL_H_

#include <cstddef>
#include <cstdint>
#include <list>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"

namespace lockstep::internal {

// Memory of the process in blocks; large ones that are freed are kept for the
// next that is about as large, as the kernel takes longer to clear new pages
// than a step has to fill them. It may take what is kept back when memory is
// short. What is kept and what is in use are together no more than what once
// was in use at a time, or kLeastKept; and a block that nobody has wanted while
// kMostFrees others were freed goes back. Thread-safe.
class HostMemoryPool {
 public:
  // A block of at least so many bytes is kept. Smaller ones malloc keeps
  // itself; these it would always give back.
  static constexpr size_t kLarge = size_t{32} << 20;
  static constexpr size_t kLeastKept = size_t{64} << 20;
  static constexpr int64_t kMostFrees = 1000;

  HostMemoryPool() = default;
  ~HostMemoryPool();
  HostMemoryPool(const HostMemoryPool&) = delete;
  HostMemoryPool& operator=(const HostMemoryPool&) = delete;

  // Aligned for every type; what is in it is not specified. Null: there is no
  // such memory.
  void* Allocate(size_t size);
  // `size`: as it was allocated.
  void Free(void* bytes, size_t size);

  // Bytes in blocks that nobody uses.
  size_t kept() const;

 private:
  struct Block {
    std::byte* bytes;
    size_t size;         // of the mapping
    int64_t number = 0;  // of its Free, among all
  };

  void* AllocateNew(size_t size);
  // A block of that mapping; null: none is kept.
  void* TakeKept(size_t mapped);
  // Of a request; the same for Free as for Allocate.
  static size_t MappedSize(size_t size);
  // Those that were freed first: all from before Free number `oldest`, and on
  // until no more than `most` is kept.
  std::list<Block> TakeOldest(size_t most, int64_t oldest)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Those that are more than may be kept.
  std::list<Block> TakeSurplus() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Use(size_t mapped) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  static void Unmap(const std::list<Block>& blocks);

  mutable absl::Mutex mutex_;
  std::list<Block> blocks_ ABSL_GUARDED_BY(mutex_);  // freed last: first
  size_t kept_ ABSL_GUARDED_BY(mutex_) = 0;
  size_t in_use_ ABSL_GUARDED_BY(mutex_) = 0;
  size_t most_in_use_ ABSL_GUARDED_BY(mutex_) = 0;
  int64_t frees_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_DEVICES_HOST_HOST_MEMORY_POOL_H_
