#ifndef LOCKSTEP_RUNTIME_OPS_CHECKS_REGION_CHECKS_H_
#define LOCKSTEP_RUNTIME_OPS_CHECKS_REGION_CHECKS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "runtime/ir/op.h"

namespace lockstep::internal {

// "(tensor<f32>, tensor<i1>)".
std::string TypesToString(absl::Span<const Type> types);

std::vector<Type> OperandTypes(const Op& op);
// Of what the region's terminator returns; INVALID_ARGUMENT when there is none.
absl::StatusOr<std::vector<Type>> ReturnedTypes(const Op& op,
                                                const Region& region);

// The region takes arguments of these types and returns results of those.
// `what` names it in messages: "cond", "branch 1".
absl::Status CheckRegionArguments(const Op& op, absl::string_view what,
                                  const Region& region,
                                  absl::Span<const Type> expected);
absl::Status CheckRegionResults(const Op& op, absl::string_view what,
                                const Region& region,
                                absl::Span<const Type> expected);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_OPS_CHECKS_REGION_CHECKS_H_
