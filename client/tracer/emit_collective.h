#ifndef LOCKSTEP_CLIENT_TRACER_EMIT_COLLECTIVE_H_
#define LOCKSTEP_CLIENT_TRACER_EMIT_COLLECTIVE_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "client/tracer/trace.h"
#include "runtime/mesh/replica_groups.h"

// The collective ops in the replica form of spec K-8: no channel, groups of
// replica ids; in the body of a shard_map between partitions: with a channel,
// groups of partition ids. An operand that failed gives its error.

namespace lockstep::internal {

// `body` is "stablehlo.add" and the like; it computes in `type`, which is also
// the result's.
ValueOr EmitAllReduce(Trace& trace, ValueOr x, absl::string_view body,
                      ElementType type, const ReplicaGroups& groups);
ValueOr EmitAllGather(Trace& trace, TraceValue* x, int64_t dim,
                      const ReplicaGroups& groups);
ValueOr EmitReduceScatter(Trace& trace, TraceValue* x, absl::string_view body,
                          int64_t dim, const ReplicaGroups& groups);
ValueOr EmitAllToAll(Trace& trace, ValueOr x, int64_t split_dim,
                     int64_t concat_dim, const ReplicaGroups& groups);
// (source, target) replica ids.
ValueOr EmitCollectivePermute(
    Trace& trace, TraceValue* x,
    const std::vector<std::pair<int64_t, int64_t>>& pairs);
// Their halves (spec K-24). Send gives a token, recv a value and a token.
ValueOr EmitSend(Trace& trace, TraceValue* x, TraceValue* token,
                 const std::vector<std::pair<int64_t, int64_t>>& pairs);
absl::StatusOr<std::vector<TraceValue*>> EmitRecv(
    Trace& trace, TraceValue* token, const Shape& shape,
    const std::vector<std::pair<int64_t, int64_t>>& pairs);
// To each group's members, from its first.
ValueOr EmitCollectiveBroadcast(Trace& trace, TraceValue* x,
                                const ReplicaGroups& groups);
// `operands`: as stablehlo.custom_call @ragged_all_to_all has them (spec K-21).
ValueOr EmitRaggedAllToAll(Trace& trace, std::vector<TraceValue*> operands,
                           const ReplicaGroups& groups);
// ui32. In the body of a shard_map the partition's id.
ValueOr EmitReplicaId(Trace& trace);
// The entry of `by_replica` for the replica that runs this, as a scalar. A
// constant when all entries are equal.
ValueOr EmitReplicaLookup(Trace& trace, const std::vector<int64_t>& by_replica,
                          ElementType type);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_TRACER_EMIT_COLLECTIVE_H_
