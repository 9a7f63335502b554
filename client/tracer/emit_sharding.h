#ifndef LOCKSTEP_CLIENT_TRACER_EMIT_SHARDING_H_
#define LOCKSTEP_CLIENT_TRACER_EMIT_SHARDING_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "client/tracer/trace.h"
#include "runtime/mesh/mesh.h"
#include "runtime/mesh/partition_spec.h"
#include "runtime/mesh/sharding/manual_shardings.h"

// Ops of sdy, in programs over whole arrays. Meshes are those of Trace's
// SymbolOf, whose errors they have.

namespace lockstep::internal {

// INVALID_ARGUMENT: the spec names an axis that the mesh lacks, or is longer
// than the rank.
ValueOr EmitShardingConstraint(Trace& trace, TraceValue* x, const Mesh& mesh,
                               const PartitionSpec& spec);

// A sdy.manual_computation; `results` are the types of the whole values. The
// body ends with sdy.return. Errors of the op's definition.
absl::StatusOr<std::vector<TraceValue*>> EmitManualComputation(
    Trace& trace, const std::vector<TraceValue*>& operands,
    ManualShardings shardings, std::unique_ptr<Region> body,
    std::vector<Shape> results);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_TRACER_EMIT_SHARDING_H_
