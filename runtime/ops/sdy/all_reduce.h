#ifndef LOCKSTEP_RUNTIME_OPS_SDY_ALL_REDUCE_H_
#define LOCKSTEP_RUNTIME_OPS_SDY_ALL_REDUCE_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/ir/op.h"

namespace lockstep::internal {

// Of the collectives of the dialect that have to do with partial results.

// The attribute with the axes of a sdy.all_reduce, and of a
// sdy.replicated_to_unreduced.
inline constexpr absl::string_view kReducedAxesAttribute = "reduction_axes";
inline constexpr absl::string_view kUnreducedAxesAttribute = "axes";

// "sum", "max", ..: the attribute that says so, if there is one.
std::string ReductionOf(const Op& op);
// The op of two scalars by which a sdy.all_reduce combines partial results:
// "stablehlo.add". INVALID_ARGUMENT for a reduction that is none.
absl::StatusOr<std::string> AllReduceCombiner(const Op& op);

// Says so in the attributes of one; `op` is one of those above.
void SetAllReduceCombiner(AttributeMap& attributes, absl::string_view op);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_OPS_SDY_ALL_REDUCE_H_
