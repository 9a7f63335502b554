#ifndef LOCKSTEP_CLIENT_TRACER_EMIT_H_
#define LOCKSTEP_CLIENT_TRACER_EMIT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "client/tracer/trace.h"

// One StableHLO op each, on values whose shapes and types fit already unless a
// comment says otherwise. The tracer's public operations are made of these.

namespace lockstep::internal {

// A constant of `shape` with all elements equal to `scalar`, converted to the
// shape's element type.
TraceValue* EmitSplat(Trace& trace, const Shape& shape, const Literal& scalar);
TraceValue* EmitNumber(Trace& trace, const Shape& shape, double number);
TraceValue* EmitConstant(Trace& trace, const Literal& literal);
// A number of the user's, with its own default type, weakly typed.
TraceValue* EmitWeakScalar(Trace& trace, const Literal& scalar);

// "stablehlo.tanh"; the result has the operand's shape.
TraceValue* EmitUnary(Trace& trace, absl::string_view op, TraceValue* x);
TraceValue* EmitBinary(Trace& trace, absl::string_view op, TraceValue* a,
                       TraceValue* b);
// "EQ", "NE", "GE", "GT", "LE", "LT".
TraceValue* EmitCompare(Trace& trace, absl::string_view direction,
                        TraceValue* a, TraceValue* b);
// `predicate` is a scalar or has the values' shape.
TraceValue* EmitSelect(Trace& trace, TraceValue* predicate, TraceValue* a,
                       TraceValue* b);
// Nothing when x has the type already.
TraceValue* EmitConvert(Trace& trace, TraceValue* x, ElementType type);

// Nothing when the shape stays.
TraceValue* EmitBroadcastInDim(Trace& trace, TraceValue* x,
                               absl::Span<const int64_t> dims,
                               absl::Span<const int64_t> result_dims);
// NumPy's: aligns the last dimensions.
TraceValue* EmitBroadcastTo(Trace& trace, TraceValue* x,
                            absl::Span<const int64_t> result_dims);
TraceValue* EmitReshape(Trace& trace, TraceValue* x,
                        absl::Span<const int64_t> result_dims);
TraceValue* EmitTranspose(Trace& trace, TraceValue* x,
                          absl::Span<const int64_t> permutation);
TraceValue* EmitConcatenate(Trace& trace, absl::Span<TraceValue* const> parts,
                            int64_t dim);
// One scalar start per dimension.
TraceValue* EmitDynamicSlice(Trace& trace, TraceValue* x,
                             absl::Span<TraceValue* const> starts,
                             absl::Span<const int64_t> sizes);
TraceValue* EmitIota(Trace& trace, const Shape& shape, int64_t dim);
// `op` is the body ("stablehlo.add"); `initial` a scalar of x's type.
TraceValue* EmitReduce(Trace& trace, TraceValue* x, TraceValue* initial,
                       absl::string_view op, absl::Span<const int64_t> dims);

// "(tensor<f32>, tensor<f32>) -> tensor<f32>".
std::string FunctionType(absl::Span<TraceValue* const> operands,
                         absl::Span<const Shape> results);
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
