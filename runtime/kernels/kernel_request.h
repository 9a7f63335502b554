#ifndef LOCKSTEP_RUNTIME_KERNELS_KERNEL_REQUEST_H_
#define LOCKSTEP_RUNTIME_KERNELS_KERNEL_REQUEST_H_

#include <vector>

#include "runtime/executable/buffer_use.h"
#include "runtime/executable/tensor_slice.h"
#include "runtime/ir/op.h"

namespace lockstep::internal {

// An op whose operands and results have their place in memory.
struct KernelRequest {
  struct CapturedValue {
    const Value* value = nullptr;
    TensorSlice tensor;
  };
  const Op* op = nullptr;
  std::vector<TensorSlice> operands;
  std::vector<TensorSlice> results;
  // Values of enclosing regions that the op's regions use.
  std::vector<CapturedValue> captures;
  // ScratchBytes of memory whose content means nothing; size 0: none.
  BufferSlice scratch;
};

// Result `result` of an op may take the memory of operand `operand`, when
// nothing else needs that any more.
struct InPlaceUse {
  int operand = 0;
  int result = 0;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_KERNELS_KERNEL_REQUEST_H_
