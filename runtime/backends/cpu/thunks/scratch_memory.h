#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_THUNKS_SCRATCH_MEMORY_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_THUNKS_SCRATCH_MEMORY_H_

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "runtime/executable/buffer_use.h"

namespace lockstep::internal {

// Memory of one call of a thunk, uninitialised, aligned as buffers are.
class ScratchMemory {
 public:
  // RESOURCE_EXHAUSTED with the bytes needed when there is no memory.
  static absl::StatusOr<ScratchMemory> Allocate(int64_t bytes) {
    const int64_t size =
        (bytes + kBufferAlignment) / kBufferAlignment * kBufferAlignment;
    ScratchMemory memory(static_cast<std::byte*>(
        std::aligned_alloc(kBufferAlignment, static_cast<size_t>(size))));
    if (memory.data_ == nullptr) {
      return absl::ResourceExhaustedError(
          absl::StrCat("no memory for ", size, " bytes of scratch"));
    }
    return memory;
  }

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

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_THUNKS_SCRATCH_MEMORY_H_
