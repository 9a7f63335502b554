#ifndef LOCKSTEP_RUNTIME_PASSES_IMPORT_SHARD_COMPONENTS_H_
#define LOCKSTEP_RUNTIME_PASSES_IMPORT_SHARD_COMPONENTS_H_

#include <cstddef>
#include <vector>

#include "runtime/ir/op.h"
#include "runtime/passes/import/shape_change.h"
#include "runtime/passes/import/value_origins.h"

namespace lockstep::internal {

// Ops of a region that shards connect: what makes shards of whole values, what
// computes with them, what makes whole values of them again. Indices of ops in
// the region, ascending.
struct ShardComponent {
  std::vector<size_t> to_shards;
  std::vector<size_t> inner;
  std::vector<size_t> to_whole;

  size_t first() const;
  // The op behind which all of it is known but whole values.
  size_t last() const;
};

// By what flows from op to op. Ops of origin kEffects belong to the component
// that uses their results; those of origin kConstants to none. Within shards of
// shards, shape changes are inner ops.
std::vector<ShardComponent> FindShardComponents(const Region& region,
                                                const ShapeChanges& changes,
                                                const ValueOrigins& origins);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_PASSES_IMPORT_SHARD_COMPONENTS_H_
