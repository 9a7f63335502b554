#ifndef LOCKSTEP_RUNTIME_BASE_SCRATCH_MEMORY_H_
#define LOCKSTEP_RUNTIME_BASE_SCRATCH_MEMORY_H_

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>

#include "absl/status/statusor.h"

namespace lockstep::internal {

// Bytes of the host for one piece of work, not set, aligned to kAlignment. As
// threads share what it points to, so must they order their work.
class ScratchMemory {
 public:
  static constexpr int64_t kAlignment = 64;

  // None.
  ScratchMemory() = default;
  // RESOURCE_EXHAUSTED with the bytes needed when there is no memory.
  static absl::StatusOr<ScratchMemory> Allocate(int64_t bytes);

  std::byte* data() const { return data_.get(); }
  template <typename T>
  T* as() const {
    return reinterpret_cast<T*>(data_.get());
  }

 private:
  struct Free {
    void operator()(std::byte* p) const { std::free(p); }
  };
  explicit ScratchMemory(std::byte* data) : data_(data) {}

  std::unique_ptr<std::byte, Free> data_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BASE_SCRATCH_MEMORY_H_
