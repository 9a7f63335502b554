#include "runtime/collectives/message_buffer.h"

#include <algorithm>
#include <bit>
#include <new>

namespace lockstep::internal {
namespace {

constexpr std::align_val_t kAlignment{64};

std::byte* Allocate(size_t capacity) {
  return static_cast<std::byte*>(::operator new(capacity, kAlignment));
}
void Free(std::byte* block) { ::operator delete(block, kAlignment); }

}  // namespace

// Free blocks by capacity, a power of two.
struct MessageBufferPool::Shelf {
  explicit Shelf(size_t max_kept_bytes) : max_kept_bytes(max_kept_bytes) {}
  ~Shelf() {
    for (auto& [capacity, blocks] : blocks) {
      for (std::byte* block : blocks) Free(block);
    }
  }

  std::byte* Take(size_t capacity) {
    {
      absl::MutexLock lock(&mutex);
      auto it = blocks.find(capacity);
      if (it != blocks.end() && !it->second.empty()) {
        std::byte* block = it->second.back();
        it->second.pop_back();
        kept_bytes -= capacity;
        return block;
      }
    }
    return Allocate(capacity);
  }

  void PutBack(std::byte* block, size_t capacity) {
    {
      absl::MutexLock lock(&mutex);
      if (kept_bytes + capacity <= max_kept_bytes) {
        blocks[capacity].push_back(block);
        kept_bytes += capacity;
        return;
      }
    }
    Free(block);
  }

  const size_t max_kept_bytes;
  absl::Mutex mutex;
  size_t kept_bytes ABSL_GUARDED_BY(mutex) = 0;
  std::map<size_t, std::vector<std::byte*>> blocks ABSL_GUARDED_BY(mutex);
};

MessageBufferPool::MessageBufferPool(size_t max_kept_bytes)
    : shelf_(std::make_shared<Shelf>(max_kept_bytes)) {}
MessageBufferPool::~MessageBufferPool() = default;

std::shared_ptr<MessageBuffer> MessageBufferPool::Get(size_t size) {
  size_t capacity = std::bit_ceil(std::max<size_t>(size, 64));
  std::byte* block = shelf_->Take(capacity);
  return std::shared_ptr<MessageBuffer>(
      new MessageBuffer(block, size),
      [shelf = shelf_, block, capacity](MessageBuffer* buffer) {
        delete buffer;
        shelf->PutBack(block, capacity);
      });
}

}  // namespace lockstep::internal
