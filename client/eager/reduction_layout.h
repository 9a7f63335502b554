#ifndef LOCKSTEP_CLIENT_EAGER_REDUCTION_LAYOUT_H_
#define LOCKSTEP_CLIENT_EAGER_REDUCTION_LAYOUT_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/mesh/named_sharding.h"
#include "runtime/mesh/replica_groups.h"

// How a reduction of an array over a mesh lies: pure arithmetic.

namespace lockstep::internal {

// `dims`, counted from the last where negative, ascending and each once.
std::vector<int64_t> AscendingDims(absl::Span<const int64_t> dims,
                                   int64_t rank);

struct ReductionLayout {
  // The operand's without the reduced dimensions, or with sizes of 1 there.
  NamedSharding result;
  // Positions in the mesh of devices with different parts of the reduced
  // dimensions and the same of the others, each part once; every device is in
  // one group. Empty: each device has all that its part of the result takes.
  ReplicaGroups groups;
};

// Of an operand of `rank` dimensions, of which `dims` (AscendingDims) are
// reduced.
absl::StatusOr<ReductionLayout> LayReduction(const NamedSharding& operand,
                                             int64_t rank,
                                             absl::Span<const int64_t> dims,
                                             bool keep_dims);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_EAGER_REDUCTION_LAYOUT_H_
