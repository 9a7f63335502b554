#ifndef LOCKSTEP_RUNTIME_EXECUTABLE_HOST_BUFFERS_H_
#define LOCKSTEP_RUNTIME_EXECUTABLE_HOST_BUFFERS_H_

#include <cstddef>

#include "absl/container/inlined_vector.h"
#include "runtime/executable/tensor_slice.h"
#include "runtime/types/literal.h"

namespace lockstep::internal {

// Where a thunk that the host executes finds its buffers: the device's memory,
// or copies of what it uses.
class HostBuffers {
 public:
  HostBuffers() = default;
  // The next allocation; null when it has no bytes.
  void Append(std::byte* base) { bases_.push_back(base); }

  std::byte* Address(const BufferSlice& slice) const {
    return bases_[slice.allocation] + slice.offset;
  }
  LiteralView View(const TensorSlice& tensor) const {
    return LiteralView(tensor.shape, Address(tensor.slice));
  }
  MutableLiteralView MutableView(const TensorSlice& tensor) const {
    return MutableLiteralView(tensor.shape, Address(tensor.slice));
  }

 private:
  absl::InlinedVector<std::byte*, 8> bases_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_EXECUTABLE_HOST_BUFFERS_H_
