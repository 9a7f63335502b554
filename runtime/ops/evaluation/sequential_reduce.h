#ifndef LOCKSTEP_RUNTIME_OPS_EVALUATION_SEQUENTIAL_REDUCE_H_
#define LOCKSTEP_RUNTIME_OPS_EVALUATION_SEQUENTIAL_REDUCE_H_

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "runtime/ops/evaluation/evaluation.h"

namespace lockstep::internal {

// Reduces with any body. `operands` are the inputs, then the init values, in
// the body's types. Every step combines one element of each result: for all
// results at once when the body is elementwise, else one after the other.
absl::Status ReduceSequentially(EvaluationContext& context, const Region& body,
                                absl::Span<const LiteralView> operands,
                                absl::Span<const int64_t> reduced_dims,
                                absl::Span<const MutableLiteralView> results);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_OPS_EVALUATION_SEQUENTIAL_REDUCE_H_
