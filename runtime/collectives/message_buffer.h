#ifndef LOCKSTEP_RUNTIME_COLLECTIVES_MESSAGE_BUFFER_H_
#define LOCKSTEP_RUNTIME_COLLECTIVES_MESSAGE_BUFFER_H_

#include <cstddef>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "absl/types/span.h"

namespace lockstep::internal {

// The bytes of one message, aligned for any element type. Shared by the
// collective and the transport, so that neither has to wait for the other when
// a launch fails. Written by one thread before it is shared.
class MessageBuffer {
 public:
  MessageBuffer(std::byte* data, size_t size) : data_(data), size_(size) {}
  std::byte* data() { return data_; }
  const std::byte* data() const { return data_; }
  size_t size() const { return size_; }
  absl::Span<std::byte> span() { return {data_, size_}; }
  absl::Span<const std::byte> span() const { return {data_, size_}; }

 private:
  std::byte* const data_;
  const size_t size_;
};

// Recycles message buffers, so that the next collective of the same size
// touches no fresh pages. Keeps at most `max_kept_bytes` for later. Buffers may
// outlive the pool. Thread-safe.
class MessageBufferPool {
 public:
  explicit MessageBufferPool(size_t max_kept_bytes = size_t{256} << 20);
  ~MessageBufferPool();

  // Uninitialized; never null, also for size 0.
  std::shared_ptr<MessageBuffer> Get(size_t size);

 private:
  struct Shelf;
  const std::shared_ptr<Shelf> shelf_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_COLLECTIVES_MESSAGE_BUFFER_H_
