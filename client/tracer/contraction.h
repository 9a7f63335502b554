#ifndef LOCKSTEP_CLIENT_TRACER_CONTRACTION_H_
#define LOCKSTEP_CLIENT_TRACER_CONTRACTION_H_

#include <cstdint>
#include <vector>

#include "client/tracer/tensor.h"

namespace lockstep {

// Dimensions of the two operands of dot_general that belong together, pairwise.
struct DotDimensionNumbers {
  std::vector<int64_t> lhs_contracting;
  std::vector<int64_t> rhs_contracting;
  std::vector<int64_t> lhs_batch;
  std::vector<int64_t> rhs_batch;
};

// Sums products over the contracting dimensions, for each index of the batch
// dimensions. Result dimensions: batch, free ones of a, free ones of b.
// INVALID_ARGUMENT when paired sizes differ.
Tensor dot_general(const Operand& a, const Operand& b,
                   const DotDimensionNumbers& dimensions);

// NumPy's matmul: the last dimension of a with the second to last of b (the
// only one of a vector); leading dimensions are batch dimensions, which
// broadcast.
Tensor matmul(const Operand& a, const Operand& b);

// NumPy's dot: the last dimension of a with the second to last of b; the
// product when one is a scalar.
Tensor dot(const Operand& a, const Operand& b);

}  // namespace lockstep

#endif  // LOCKSTEP_CLIENT_TRACER_CONTRACTION_H_
