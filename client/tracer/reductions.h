#ifndef LOCKSTEP_CLIENT_TRACER_REDUCTIONS_H_
#define LOCKSTEP_CLIENT_TRACER_REDUCTIONS_H_

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <vector>

#include "client/tracer/tensor.h"

// Reductions of a tensor's own dimensions, under their NumPy and JAX names.

namespace lockstep {

// Dimensions to reduce: all of them, one, or a list. Negative ones count from
// the last.
class ReducedDims {
 public:
  ReducedDims() = default;
  ReducedDims(int64_t dim)
      : dims_(std::vector<int64_t>{dim}) {}  // NOLINT: implicit
  ReducedDims(int dim) : dims_(std::vector<int64_t>{dim}) {}  // NOLINT
  ReducedDims(std::vector<int64_t> dims)                      // NOLINT
      : dims_(std::move(dims)) {}
  ReducedDims(std::initializer_list<int64_t> dims) : dims_(dims) {}
  // None: all.
  const std::optional<std::vector<int64_t>>& dims() const { return dims_; }

 private:
  std::optional<std::vector<int64_t>> dims_;
};

// The sum of bool counts the trues in s32; of integers below 32 bits it is s32
// or u32. An empty sum is 0.
Tensor sum(const Operand& x, const ReducedDims& dims = {},
           bool keep_dims = false);
// A NaN wins. Of no elements: the least (greatest) value of the type.
Tensor max(const Operand& x, const ReducedDims& dims = {},
           bool keep_dims = false);
Tensor min(const Operand& x, const ReducedDims& dims = {},
           bool keep_dims = false);
// Integers give f32.
Tensor mean(const Operand& x, const ReducedDims& dims = {},
            bool keep_dims = false);
// On bool; other types count as "not zero".
Tensor any(const Operand& x, const ReducedDims& dims = {});
Tensor all(const Operand& x, const ReducedDims& dims = {});
// s32 index of the greatest element along `dim`; the first of equal ones, the
// first NaN if there is one.
Tensor argmax(const Operand& x, int64_t dim);

}  // namespace lockstep

#endif  // LOCKSTEP_CLIENT_TRACER_REDUCTIONS_H_
