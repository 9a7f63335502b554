#ifndef LOCKSTEP_RUNTIME_OPS_SDY_COLLECTIVE_CHECKS_H_
#define LOCKSTEP_RUNTIME_OPS_SDY_COLLECTIVE_CHECKS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "runtime/ir/op.h"
#include "runtime/mesh/sharding/axis_ref.h"
#include "runtime/mesh/sharding/sharding_mesh.h"
#include "runtime/mesh/sharding/tensor_sharding.h"

namespace lockstep::internal {

// The rules that the collectives of the dialect keep (Shardy,
// CollectiveOpInterface). Every error is the op's: what, expected, found.

// The shardings on both sides of a collective.
struct CollectiveShardings {
  TensorSharding in;
  TensorSharding out;
  // Of `out`, and of `in` unless other meshes are allowed.
  ShardingMesh mesh;
  ShardingMesh in_mesh;
};

struct CollectiveTraits {
  // An operand without a sharding is on every device.
  bool allows_missing_sharding = false;
  bool allows_other_mesh = false;
};

// Checks what holds for all of them: one operand and one result of its type, an
// out_sharding that fits, and an operand with a sharding on the same mesh.
// Nullopt, when there is no more to check: the op is in no module, or nothing
// says the sharding of the operand, which is an argument of a region.
absl::StatusOr<std::optional<CollectiveShardings>> CheckCollective(
    const Op& op, CollectiveTraits traits);

// The axes of one dimension, or other lists, behind a change.
//
// Without `removed`, with which `axes`, those of dimension `dim`, end.
absl::StatusOr<std::vector<AxisRef>> WithoutSuffix(
    const Op& op, absl::string_view attribute, int64_t dim,
    std::vector<AxisRef> axes, absl::Span<const AxisRef> removed,
    const AbstractMesh& mesh);
// With `added` behind them.
std::vector<AxisRef> WithSuffix(std::vector<AxisRef> axes,
                                absl::Span<const AxisRef> added,
                                const AbstractMesh& mesh);
// Of both, in the order of the mesh.
std::vector<AxisRef> UnionOf(absl::Span<const AxisRef> axes,
                             absl::Span<const AxisRef> others,
                             const AbstractMesh& mesh);

// `lists` can be in one sharding on the mesh.
absl::Status CheckAxisLists(const Op& op, absl::string_view attribute,
                            absl::Span<const std::vector<AxisRef>> lists,
                            const ShardingMesh& mesh);
// And they are one, in the order of the mesh.
absl::Status CheckSortedAxes(const Op& op, absl::string_view attribute,
                             const std::vector<AxisRef>& axes,
                             const ShardingMesh& mesh);
// None of `axes` overlaps one of `taken`, which are `what` ("unreduced axes of
// the operand").
absl::Status CheckDisjoint(const Op& op, absl::string_view attribute,
                           absl::Span<const AxisRef> axes,
                           absl::Span<const AxisRef> taken,
                           absl::string_view what);
// The axes of dimension `dim` of out_sharding.
absl::Status CheckOutAxes(const Op& op, int64_t dim,
                          absl::Span<const AxisRef> expected,
                          const CollectiveShardings& shardings);
// The unreduced axes of out_sharding.
absl::Status CheckOutUnreduced(const Op& op,
                               const std::vector<AxisRef>& expected,
                               const CollectiveShardings& shardings);
// And of what these are partial results: `reduction` ("sum").
absl::Status CheckOutReduction(const Op& op, absl::string_view reduction,
                               const CollectiveShardings& shardings);
// No axis becomes unreduced, and those that are so no longer had partial
// results of `reduction` ("sum").
absl::Status CheckReducedAxes(const Op& op, absl::string_view reduction,
                              const CollectiveShardings& shardings);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_OPS_SDY_COLLECTIVE_CHECKS_H_
