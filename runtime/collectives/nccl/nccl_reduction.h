#ifndef LOCKSTEP_RUNTIME_COLLECTIVES_NCCL_NCCL_REDUCTION_H_
#define LOCKSTEP_RUNTIME_COLLECTIVES_NCCL_NCCL_REDUCTION_H_

#include <cstdint>
#include <optional>

#include "runtime/collectives/reduction.h"
#include "runtime/cuda/nccl_api.h"

namespace lockstep::internal {

// How NCCL computes a reduction.
struct NcclReduction {
  cuda::ncclDataType_t type;
  cuda::ncclRedOp_t op;
  int64_t numbers_per_element = 1;  // 2: a complex number
};

// Nothing where NCCL has none that gives what the specification says: bodies of
// their own, bitwise ones of integers, 16-bit integers, products of complex
// numbers, and extremes of floats, of which NCCL drops NaN (spec K-3). Sums and
// products of floats have NCCL's order, not the tree of K-4.
std::optional<NcclReduction> NcclReductionOf(const Reduction& reduction);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_COLLECTIVES_NCCL_NCCL_REDUCTION_H_
