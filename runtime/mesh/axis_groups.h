#ifndef LOCKSTEP_RUNTIME_MESH_AXIS_GROUPS_H_
#define LOCKSTEP_RUNTIME_MESH_AXIS_GROUPS_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "runtime/mesh/replica_groups.h"

namespace lockstep::internal {

// Groups over named axes (spec J-14). `sizes` are the axis sizes, outermost
// first; `axes` are positions in `sizes`, the first being the major one.
// replica_count / product(sizes) trailing replicas each form groups of their
// own. INVALID_ARGUMENT: sizes that do not divide replica_count, an axis out
// of range or twice.
absl::StatusOr<ReplicaGroups> AxisGroups(int64_t replica_count,
                                         absl::Span<const int64_t> sizes,
                                         absl::Span<const int64_t> axes);

// Checks `axis_index_groups` against an axis of `axis_size` indices (spec K-2,
// in the order of its table of errors). `equal_sizes`: `collective` needs
// groups of one size.
absl::Status ValidateAxisIndexGroups(absl::string_view collective,
                                     const ReplicaGroups& index_groups,
                                     int64_t axis_size, bool equal_sizes);

// AxisGroups, each group cut further by `index_groups` (spec K-1): for each
// group G and each list s, the group [G[i] for i in s].
ReplicaGroups CutGroups(const ReplicaGroups& groups,
                        const ReplicaGroups& index_groups);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_MESH_AXIS_GROUPS_H_
