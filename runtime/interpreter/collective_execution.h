#ifndef LOCKSTEP_RUNTIME_INTERPRETER_COLLECTIVE_EXECUTION_H_
#define LOCKSTEP_RUNTIME_INTERPRETER_COLLECTIVE_EXECUTION_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "runtime/collectives/host_communicator.h"
#include "runtime/ops/collectives/collective.h"
#include "runtime/types/literal.h"

namespace lockstep::internal {

// The processes (flattened ids, in group order) that run a collective together
// with `process`; empty when it is in no group. For a permute: all that share
// its replica or its partition.
std::vector<int32_t> CollectiveGroup(const CollectiveSpec& spec,
                                     int32_t replica_count,
                                     int32_t partition_count, int32_t process);

// Where the operand of a permute comes from and goes to: ranks in a group.
struct PermuteRoute {
  std::optional<int> source;
  std::vector<int> targets;
};
PermuteRoute PermuteRouteOf(const CollectiveSpec& spec, int32_t replica_count,
                            int32_t partition_count,
                            absl::Span<const int32_t> group, int rank);

// Runs `spec` among the members of `communicator`; operand i under call.number
// + i. `reduction` is that of all_reduce and reduce_scatter, `route` that of
// collective_permute.
absl::Status ExecuteCollective(const CollectiveSpec& spec,
                               HostCommunicator& communicator,
                               CollectiveCall call, const Reduction* reduction,
                               const PermuteRoute& route,
                               absl::Span<const LiteralView> operands,
                               absl::Span<const MutableLiteralView> results);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_INTERPRETER_COLLECTIVE_EXECUTION_H_
