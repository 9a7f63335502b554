#ifndef LOCKSTEP_RUNTIME_PASSES_PARTITION_SPLIT_READ_H_
#define LOCKSTEP_RUNTIME_PASSES_PARTITION_SPLIT_READ_H_

#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "runtime/ir/op.h"
#include "runtime/mesh/sharding/axis_ref.h"
#include "runtime/mesh/sharding/sharding_mesh.h"
#include "runtime/passes/partition/dim_reads.h"
#include "runtime/passes/partition/halo_plan.h"

namespace lockstep::internal {

// A read of a dim that is split, as are the places that read it.
struct SplitRead {
  DimRead read;
  std::vector<AxisRef> axes;
  LocalRead local;
  HaloPlan plan;
};

// None: devices would need other windows each, or parts of too many others.
std::optional<SplitRead> SplitReadOf(const DimRead& read, const Op& op,
                                     absl::Span<const Shape> operands,
                                     const std::vector<AxisRef>& axes,
                                     const AbstractMesh& mesh);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_PASSES_PARTITION_SPLIT_READ_H_
