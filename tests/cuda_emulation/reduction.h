#ifndef LOCKSTEP_TESTS_CUDA_EMULATION_REDUCTION_H_
#define LOCKSTEP_TESTS_CUDA_EMULATION_REDUCTION_H_

#include <cstddef>
#include <vector>

#include "runtime/cuda/nccl_api.h"

namespace lockstep::internal::cuda {

// Bytes of an element, or 0 for a type that does not exist.
size_t ElementSize(ncclDataType_t type);

// The reduction of one operand per rank into `to`, in the order of the ranks.
// Of float16 and bfloat16 in float32, rounded once.
void Reduce(ncclDataType_t type, ncclRedOp_t reduction, size_t count,
            const std::vector<const std::byte*>& operands, std::byte* to);

}  // namespace lockstep::internal::cuda

#endif  // LOCKSTEP_TESTS_CUDA_EMULATION_REDUCTION_H_
