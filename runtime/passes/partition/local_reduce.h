#ifndef LOCKSTEP_RUNTIME_PASSES_PARTITION_LOCAL_REDUCE_H_
#define LOCKSTEP_RUNTIME_PASSES_PARTITION_LOCAL_REDUCE_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/ir/op.h"
#include "runtime/passes/partition/local_op.h"
#include "runtime/passes/partition/shard_builder.h"

namespace lockstep::internal {

// Reductions of several values at once: of the largest element and its index.
// Their bodies are no combiner of a collective, so devices gather the results
// of all shards, and reduce them in the same way. They keep the order of
// elements, on which results may depend: the first dim alone is split.

// The reduced dim that may be split, of inputs of this shape; -1: none.
int64_t SplitReducedDim(const Op& reduce, const Shape& input);

// Makes what pads shards along that dim init values, of which any number may
// be reduced.
absl::Status MaskReducedShards(const Op& reduce,
                               std::vector<ShardedValue>& operands,
                               ShardBuilder& builder);

// Of what `local`, the same op on shards, gives on all devices along the axes
// of that dim.
absl::StatusOr<std::vector<Value*>> ReduceAcrossShards(
    const Op& reduce, const std::vector<ShardedValue>& operands,
    const Op& local, ShardBuilder& builder);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_PASSES_PARTITION_LOCAL_REDUCE_H_
