#ifndef LOCKSTEP_CLIENT_TRACER_EMIT_H_
#define LOCKSTEP_CLIENT_TRACER_EMIT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "client/tracer/trace.h"

// One StableHLO op each. The tracer's public operations are made of these. An
// operand that failed gives its error, so that calls may nest; the errors of
// the op are those of its definition.

namespace lockstep::internal {

// A constant of `shape` with all elements equal to `scalar`, converted to the
// shape's element type.
ValueOr EmitSplat(Trace& trace, const Shape& shape, const Literal& scalar);
ValueOr EmitNumber(Trace& trace, const Shape& shape, double number);
ValueOr EmitConstant(Trace& trace, const Literal& literal);
// A number of the user's, with its own default type, weakly typed.
ValueOr EmitWeakScalar(Trace& trace, const Literal& scalar);

// "stablehlo.tanh".
ValueOr EmitUnary(Trace& trace, absl::string_view op, ValueOr x);
ValueOr EmitBinary(Trace& trace, absl::string_view op, ValueOr a, ValueOr b);
// "EQ", "NE", "GE", "GT", "LE", "LT".
ValueOr EmitCompare(Trace& trace, absl::string_view direction, ValueOr a,
                    ValueOr b);
ValueOr EmitSelect(Trace& trace, ValueOr predicate, ValueOr a, ValueOr b);
// Nothing when x has the type already.
ValueOr EmitConvert(Trace& trace, ValueOr x, ElementType type);

// Nothing when the shape stays.
ValueOr EmitBroadcastInDim(Trace& trace, ValueOr x,
                           absl::Span<const int64_t> dims,
                           absl::Span<const int64_t> result_dims);
// NumPy's: aligns the last dimensions.
ValueOr EmitBroadcastTo(Trace& trace, ValueOr x,
                        absl::Span<const int64_t> result_dims);
ValueOr EmitReshape(Trace& trace, ValueOr x,
                    absl::Span<const int64_t> result_dims);
ValueOr EmitTranspose(Trace& trace, ValueOr x,
                      absl::Span<const int64_t> permutation);
ValueOr EmitConcatenate(Trace& trace, const std::vector<TraceValue*>& parts,
                        int64_t dim);
// One scalar start per dimension.
ValueOr EmitDynamicSlice(Trace& trace, TraceValue* x,
                         const std::vector<TraceValue*>& starts,
                         absl::Span<const int64_t> sizes);
ValueOr EmitDynamicUpdateSlice(Trace& trace, TraceValue* x, TraceValue* update,
                               const std::vector<TraceValue*>& starts);
ValueOr EmitIota(Trace& trace, const Shape& shape, int64_t dim);
// `op` is the body ("stablehlo.add"); `initial` a scalar of x's type.
ValueOr EmitReduce(Trace& trace, ValueOr x, ValueOr initial,
                   absl::string_view op, absl::Span<const int64_t> dims);

// The region { ^(a, b): return op(a, b) } on scalars of `type`.
absl::StatusOr<std::vector<std::unique_ptr<Region>>> ReductionBody(
    Trace& trace, absl::string_view op, ElementType type);

// "1, 2".
std::string Joined(absl::Span<const int64_t> values);
// The dims of a shape.
Dims DimsOf(const TraceValue* value);

// A dimension counted from the end when negative. INVALID_ARGUMENT names it
// and the rank.
absl::StatusOr<int64_t> CheckedDim(int64_t dim, int64_t rank);
// CheckedDim on each; INVALID_ARGUMENT also for a dimension that comes twice.
absl::StatusOr<std::vector<int64_t>> CheckedDims(absl::Span<const int64_t> dims,
                                                 int64_t rank);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_TRACER_EMIT_H_
