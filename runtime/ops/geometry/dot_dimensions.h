#ifndef LOCKSTEP_RUNTIME_OPS_GEOMETRY_DOT_DIMENSIONS_H_
#define LOCKSTEP_RUNTIME_OPS_GEOMETRY_DOT_DIMENSIONS_H_

#include <vector>

#include "absl/status/statusor.h"
#include "runtime/ir/op.h"

namespace lockstep::internal {

// The dot_dimension_numbers of dot_general. Missing lists are empty.
struct DotDimensions {
  std::vector<int64_t> lhs_batching;
  std::vector<int64_t> rhs_batching;
  std::vector<int64_t> lhs_contracting;
  std::vector<int64_t> rhs_contracting;
};

absl::StatusOr<DotDimensions> DotDimensionsOf(const Op& op);

// #stablehlo.dot<lhs_batching_dimensions = [..], ..>.
Attribute ToAttribute(const DotDimensions& dimensions);

// The dimensions of a tensor of `rank` that are in neither list, in order.
std::vector<int64_t> FreeDims(int64_t rank, absl::Span<const int64_t> batching,
                              absl::Span<const int64_t> contracting);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_OPS_GEOMETRY_DOT_DIMENSIONS_H_
