#ifndef LOCKSTEP_RUNTIME_OPS_GEOMETRY_REDUCE_PLAN_H_
#define LOCKSTEP_RUNTIME_OPS_GEOMETRY_REDUCE_PLAN_H_

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "runtime/types/shape.h"

namespace lockstep::internal {

// How a row-major walk over the input of a reduction meets the results:
// dimensions of the input, outermost first, merged where possible, with the
// step of the result's index along each (0: this dimension is reduced).
struct ReducePlan {
  struct Dim {
    int64_t size;
    int64_t result_stride;
  };
  absl::InlinedVector<Dim, 4> dims;

  static ReducePlan Create(absl::Span<const int64_t> input_dims,
                           absl::Span<const int64_t> reduced_dims);
};

// The dims that stay and the dims that go, each in order.
struct SplitDims {
  Dims kept;
  Dims reduced;
};
SplitDims SplitReducedDims(int64_t rank,
                           absl::Span<const int64_t> reduced_dims);

// results[..] = f(results[..], x), x running over the input in row-major order.
template <typename Result, typename Input, typename F>
const Input* ReduceInto(absl::Span<const ReducePlan::Dim> dims, Result* results,
                        const Input* x, F f) {
  if (dims.empty()) {
    *results = f(*results, static_cast<Result>(*x));
    return x + 1;
  }
  const auto [size, stride] = dims[0];
  if (dims.size() > 1) {
    for (int64_t i = 0; i < size; ++i) {
      x = ReduceInto(dims.subspan(1), results + i * stride, x, f);
    }
    return x;
  }
  if (stride == 0) {
    Result result = *results;
    for (int64_t i = 0; i < size; ++i) {
      result = f(result, static_cast<Result>(x[i]));
    }
    *results = result;
  } else {
    for (int64_t i = 0; i < size; ++i) {
      Result& result = results[i * stride];
      result = f(result, static_cast<Result>(x[i]));
    }
  }
  return x + size;
}

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_OPS_GEOMETRY_REDUCE_PLAN_H_
