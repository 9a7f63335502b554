#include "runtime/devices/host/host_memory_pool.h"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <limits>

#include "runtime/base/large_pages.h"

namespace lockstep::internal {
namespace {

void* WithLargePages(void* bytes, size_t size) {
  if (bytes != nullptr) {
    UseLargePages(static_cast<std::byte*>(bytes), static_cast<int64_t>(size));
  }
  return bytes;
}

void* Map(size_t size) {
  void* bytes = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return bytes == MAP_FAILED ? nullptr : WithLargePages(bytes, size);
}

}  // namespace

HostMemoryPool::~HostMemoryPool() { Unmap(blocks_); }

size_t HostMemoryPool::MappedSize(size_t size) {
  // Eight sizes up to each power of two. What is more than was asked for is
  // address space: no page of it is touched.
  const size_t step = std::bit_floor(size) / 8;
  return (size + step - 1) / step * step;
}

void* HostMemoryPool::Allocate(size_t size) {
  if (size > std::numeric_limits<size_t>::max() / 4) return nullptr;
  if (size >= kLarge) {
    if (void* kept = TakeKept(MappedSize(size))) return kept;
  }
  void* bytes = AllocateNew(size);
  if (bytes != nullptr) return bytes;
  // What is kept may be what is missing.
  std::list<Block> kept;
  {
    absl::MutexLock lock(&mutex_);
    kept = TakeOldest(0, 0);
  }
  Unmap(kept);
  return AllocateNew(size);
}

void* HostMemoryPool::AllocateNew(size_t size) {
  if (size < kLarge) return WithLargePages(std::malloc(size), size);
  void* bytes = Map(MappedSize(size));
  if (bytes == nullptr) return nullptr;
  std::list<Block> surplus;
  {
    absl::MutexLock lock(&mutex_);
    Use(MappedSize(size));
    surplus = TakeSurplus();
  }
  Unmap(surplus);
  return bytes;
}

void HostMemoryPool::Use(size_t mapped) {
  in_use_ += mapped;
  most_in_use_ = std::max(most_in_use_, in_use_);
}

void* HostMemoryPool::TakeKept(size_t mapped) {
  absl::MutexLock lock(&mutex_);
  const auto block =
      std::find_if(blocks_.begin(), blocks_.end(),
                   [&](const Block& block) { return block.size == mapped; });
  if (block == blocks_.end()) return nullptr;
  void* bytes = block->bytes;
  blocks_.erase(block);
  kept_ -= mapped;
  Use(mapped);
  return bytes;
}

void HostMemoryPool::Free(void* bytes, size_t size) {
  if (size < kLarge) return std::free(bytes);
  Block block = {static_cast<std::byte*>(bytes), MappedSize(size)};
  // Before others may have it: they write into it. Memory that is locked cannot
  // be lent to the kernel so.
  const bool may_be_kept = madvise(bytes, block.size, MADV_FREE) == 0;
  std::list<Block> surplus;
  {
    absl::MutexLock lock(&mutex_);
    in_use_ -= block.size;
    block.number = frees_++;
    if (may_be_kept) {
      blocks_.push_front(block);
      kept_ += block.size;
      surplus = TakeSurplus();
    } else {
      surplus.push_back(block);
    }
  }
  Unmap(surplus);
}

size_t HostMemoryPool::kept() const {
  absl::MutexLock lock(&mutex_);
  return kept_;
}

std::list<HostMemoryPool::Block> HostMemoryPool::TakeSurplus() {
  return TakeOldest(std::max(most_in_use_ - in_use_, kLeastKept),
                    frees_ - kMostFrees);
}

std::list<HostMemoryPool::Block> HostMemoryPool::TakeOldest(size_t most,
                                                            int64_t oldest) {
  std::list<Block> taken;
  while (!blocks_.empty() && (kept_ > most || blocks_.back().number < oldest)) {
    kept_ -= blocks_.back().size;
    taken.splice(taken.end(), blocks_, std::prev(blocks_.end()));
  }
  return taken;
}

void HostMemoryPool::Unmap(const std::list<Block>& blocks) {
  for (const Block& block : blocks) munmap(block.bytes, block.size);
}

}  // namespace lockstep::internal
