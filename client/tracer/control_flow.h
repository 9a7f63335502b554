#ifndef LOCKSTEP_CLIENT_TRACER_CONTROL_FLOW_H_
#define LOCKSTEP_CLIENT_TRACER_CONTROL_FLOW_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "client/tracer/source_location.h"
#include "client/tracer/tensor.h"

// Control flow that depends on traced values. The functions given are traced
// once; they may use tensors from outside. A C++ loop with a known count is
// simply unrolled by tracing.

namespace lockstep {

using TensorList = std::vector<Tensor>;

// Repeats body(values) while condition(values), a bool scalar, holds.
// INVALID_ARGUMENT when the body's results differ from `initial` in number,
// shape or type.
TensorList while_loop(const std::function<Tensor(const TensorList&)>& condition,
                      const std::function<TensorList(const TensorList&)>& body,
                      const TensorList& initial,
                      SourceLocation location = SourceLocation::current());

// body(i, value) for i = lower .. upper - 1; i is an s32 scalar.
Tensor fori_loop(
    int32_t lower, int32_t upper,
    const std::function<Tensor(const Tensor&, const Tensor&)>& body,
    const Tensor& initial, SourceLocation location = SourceLocation::current());

// Runs one of two functions whose results have the same shapes and types.
TensorList cond(const Operand& predicate,
                const std::function<TensorList()>& if_true,
                const std::function<TensorList()>& if_false,
                SourceLocation location = SourceLocation::current());

}  // namespace lockstep

#endif  // LOCKSTEP_CLIENT_TRACER_CONTROL_FLOW_H_
