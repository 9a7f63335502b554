#ifndef LOCKSTEP_RUNTIME_PASSES_PARTITION_LOCAL_INDEXING_H_
#define LOCKSTEP_RUNTIME_PASSES_PARTITION_LOCAL_INDEXING_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/ir/op.h"
#include "runtime/ops/geometry/indexed_windows.h"
#include "runtime/passes/partition/local_op.h"
#include "runtime/passes/partition/shard_builder.h"

namespace lockstep::internal {

// Ops that find elements of whole dims by number, on devices that have shards
// of these dims. Indices are as i64 from there on.

// Components of the indices of gather and scatter apart, as i64, each as a
// tensor of the positions; and together again. Indices too large for it are
// the largest one.
absl::StatusOr<std::vector<Value*>> IndexComponents(
    Value* indices, const IndexedWindows& windows, ShardBuilder& builder);
absl::StatusOr<Value*> JoinedIndices(std::vector<Value*> components,
                                     const Shape& indices,
                                     const IndexedWindows& windows,
                                     ShardBuilder& builder);

// Where the shard of this device begins in a dim of `value`, as a scalar.
absl::StatusOr<Value*> ShardStart(const ShardedValue& value, int64_t dim,
                                  ShardBuilder& builder);

// Makes indices of a gather those in the shard of the operand. Whether its
// window is in the shard, for each position; null where all are.
absl::StatusOr<Value*> TakeIndicesOfGather(const Op& op,
                                           std::vector<ShardedValue>& operands,
                                           ShardBuilder& builder);
// The result of a gather, with zeros where it is not inside; the sum over the
// devices is the whole one.
absl::StatusOr<Value*> ZeroOutside(const Op& op, Value* result, Value* inside,
                                   ShardBuilder& builder);

// Makes indices of a scatter those in the shard of the input. Where updates are
// split along positions, the device with the first ones has the input and the
// others have what updates leave as they are.
absl::Status LocalizeScatter(const Op& op, std::vector<ShardedValue>& operands,
                             ShardBuilder& builder);

// A dynamic_update_slice, of whose update each device writes what falls into
// its shard; null where the op on shards does that.
absl::StatusOr<Value*> UpdateShard(const std::vector<ShardedValue>& operands,
                                   ShardBuilder& builder);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_PASSES_PARTITION_LOCAL_INDEXING_H_
