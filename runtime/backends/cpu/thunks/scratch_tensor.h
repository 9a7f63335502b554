#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_THUNKS_SCRATCH_TENSOR_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_THUNKS_SCRATCH_TENSOR_H_

#include <cstddef>
#include <utility>

#include "absl/status/statusor.h"
#include "runtime/base/scratch_memory.h"
#include "runtime/base/status.h"
#include "runtime/types/literal.h"

namespace lockstep::internal {

// A tensor of one call of a thunk, not set.
class ScratchTensor {
 public:
  // None.
  ScratchTensor() = default;
  // RESOURCE_EXHAUSTED with the bytes needed when there is no memory.
  static absl::StatusOr<ScratchTensor> Allocate(const Shape& shape) {
    ASSIGN_OR_RETURN(ScratchMemory memory,
                     ScratchMemory::Allocate(shape.byte_size()));
    return ScratchTensor(shape, std::move(memory));
  }

  const MutableLiteralView& view() const { return view_; }
  std::byte* bytes() const { return view_.bytes(); }

 private:
  ScratchTensor(const Shape& shape, ScratchMemory memory)
      : memory_(std::move(memory)), view_(shape, memory_.data()) {}

  ScratchMemory memory_;
  MutableLiteralView view_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_THUNKS_SCRATCH_TENSOR_H_
