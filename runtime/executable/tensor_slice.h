#ifndef LOCKSTEP_RUNTIME_EXECUTABLE_TENSOR_SLICE_H_
#define LOCKSTEP_RUNTIME_EXECUTABLE_TENSOR_SLICE_H_

#include "runtime/executable/buffer_use.h"
#include "runtime/types/shape.h"

namespace lockstep::internal {

// A tensor in the memory of an executable: slice.size = shape.byte_size().
struct TensorSlice {
  BufferSlice slice;
  Shape shape;
  friend bool operator==(const TensorSlice&, const TensorSlice&) = default;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_EXECUTABLE_TENSOR_SLICE_H_
