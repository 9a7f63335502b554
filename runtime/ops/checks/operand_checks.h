#ifndef LOCKSTEP_RUNTIME_OPS_CHECKS_OPERAND_CHECKS_H_
#define LOCKSTEP_RUNTIME_OPS_CHECKS_OPERAND_CHECKS_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "runtime/ir/op.h"
#include "runtime/ops/element_types.h"

namespace lockstep::internal {

// Checks that ops share. Every error is the op's (Op::Error): what, expected,
// found.

// Exactly `count` operands, all of them tensors.
absl::Status CheckOperandCount(const Op& op, int count);
// At least `count` operands, all of them tensors.
absl::Status CheckMinOperandCount(const Op& op, int count);
absl::Status CheckResultCount(const Op& op, int count);
absl::Status CheckRegionCount(const Op& op, int count);
absl::Status CheckElementType(const Op& op, int operand, ElementTypes types);
// Operands `a` and `b` have one type.
absl::Status CheckSameType(const Op& op, int a, int b);
absl::Status CheckSameElementType(const Op& op, int a, int b);
absl::Status CheckRank(const Op& op, int operand, int64_t rank);
// `dim` is a dimension of a tensor of `rank`; `what` names the attribute.
absl::Status CheckDim(const Op& op, absl::string_view what, int64_t dim,
                      int64_t rank);
// All of `dims` are, and none occurs twice.
absl::Status CheckDistinctDims(const Op& op, absl::string_view what,
                               absl::Span<const int64_t> dims, int64_t rank);
// `values` has one entry per dimension of a tensor of `rank`.
absl::Status CheckOnePerDim(const Op& op, absl::string_view what,
                            absl::Span<const int64_t> values, int64_t rank);
// A result shape; its byte size must not overflow.
absl::StatusOr<Shape> ResultShape(const Op& op, ElementType type,
                                  absl::Span<const int64_t> dims);
// The first result, which must be a tensor: for ops whose result type is
// declared, not inferred.
absl::StatusOr<Shape> DeclaredShape(const Op& op);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_OPS_CHECKS_OPERAND_CHECKS_H_
