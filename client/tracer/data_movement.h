#ifndef LOCKSTEP_CLIENT_TRACER_DATA_MOVEMENT_H_
#define LOCKSTEP_CLIENT_TRACER_DATA_MOVEMENT_H_

#include <cstdint>
#include <vector>

#include "client/tracer/tensor.h"

// Operations that move elements, under their NumPy and JAX names. Dimensions
// may be negative (counted from the last). Errors are INVALID_ARGUMENT when the
// function is traced.

namespace lockstep {

// One size may be -1: what remains.
Tensor reshape(const Operand& x, const std::vector<int64_t>& dims);
Tensor ravel(const Operand& x);
// Empty: reverses the dimensions.
Tensor transpose(const Operand& x,
                 const std::vector<int64_t>& permutation = {});
Tensor swapaxes(const Operand& x, int64_t a, int64_t b);
Tensor expand_dims(const Operand& x, int64_t dim);
Tensor squeeze(const Operand& x, int64_t dim);

Tensor broadcast_to(const Operand& x, const std::vector<int64_t>& dims);
// dims[i] is the result's dimension that x's dimension i becomes.
Tensor broadcast_in_dim(const Operand& x,
                        const std::vector<int64_t>& result_dims,
                        const std::vector<int64_t>& dims);

// Elements starts, starts + strides, .. below limits, per dimension.
Tensor slice(const Operand& x, const std::vector<int64_t>& starts,
             const std::vector<int64_t>& limits,
             const std::vector<int64_t>& strides = {});
// Slice of one dimension.
Tensor slice_in_dim(const Operand& x, int64_t start, int64_t limit,
                    int64_t dim = 0);
Tensor concatenate(const std::vector<Operand>& parts, int64_t dim = 0);
// A new dimension, one index per part.
Tensor stack(const std::vector<Operand>& parts, int64_t dim = 0);
// Per dimension: elements `low` before, `high` after (negative: cut off), and
// `interior` between neighbours. Empty lists are zeros.
Tensor pad(const Operand& x, const Operand& value,
           const std::vector<int64_t>& low, const std::vector<int64_t>& high,
           const std::vector<int64_t>& interior = {});

// One scalar integer start per dimension, clamped so that the slice fits.
Tensor dynamic_slice(const Operand& x, const std::vector<Operand>& starts,
                     const std::vector<int64_t>& sizes);
Tensor dynamic_update_slice(const Operand& x, const Operand& update,
                            const std::vector<Operand>& starts);

}  // namespace lockstep

#endif  // LOCKSTEP_CLIENT_TRACER_DATA_MOVEMENT_H_
