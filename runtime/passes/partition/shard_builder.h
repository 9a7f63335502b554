#ifndef LOCKSTEP_RUNTIME_PASSES_PARTITION_SHARD_BUILDER_H_
#define LOCKSTEP_RUNTIME_PASSES_PARTITION_SHARD_BUILDER_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "runtime/ir/op_builder.h"
#include "runtime/mesh/sharding/axis_ref.h"
#include "runtime/mesh/sharding/sharding_mesh.h"
#include "runtime/mesh/sharding/tensor_sharding.h"
#include "runtime/types/literal.h"

namespace lockstep::internal {

// Channels of the collectives of one module. Used by one thread.
class ChannelIds {
 public:
  explicit ChannelIds(int64_t first) : next_(first) {}
  int64_t Next() { return next_++; }

 private:
  int64_t next_;
};

// Appends to a region what every device does with its shards: StableHLO on
// local types, where devices of the mesh are partitions of the program. Axes
// are valid on the mesh, lists of them major to minor. Errors are those of
// OpBuilder. Used by one thread; borrows the mesh.
class ShardBuilder {
 public:
  ShardBuilder(Region* region, const ShardingMesh& mesh, ChannelIds& channels)
      : builder_(region), mesh_(mesh), channels_(channels) {}

  const ShardingMesh& mesh() const { return mesh_; }
  OpBuilder& ops() { return builder_; }

  // Of a shard; of what is no tensor the type.
  absl::StatusOr<Type> LocalType(const Type& type,
                                 const TensorSharding& sharding) const;

  // The only result of a new op, whose type is `type` if it is given.
  absl::StatusOr<Value*> Build(absl::string_view name,
                               std::vector<Value*> operands,
                               AttributeMap attributes = {});
  absl::StatusOr<Value*> BuildOfType(absl::string_view name,
                                     std::vector<Value*> operands, Type type,
                                     AttributeMap attributes = {});
  absl::StatusOr<Value*> Constant(Literal literal);
  absl::StatusOr<Value*> IndexConstant(int64_t value);
  // A scalar as a tensor of these dims.
  absl::StatusOr<Value*> Broadcast(Value* scalar,
                                   absl::Span<const int64_t> dims);

  // Which shard this device has of what `axes` split: a scalar of i64.
  absl::StatusOr<Value*> ShardIndex(absl::Span<const AxisRef> axes);

  // The one of `values` that is at `index`, a scalar of i64 within them.
  absl::StatusOr<Value*> Lookup(absl::Span<const int64_t> values, Value* index);

  // The part of this device along `axes` of each dim, which is padded where
  // they do not divide it. No communication.
  absl::StatusOr<Value*> Slice(Value* x,
                               absl::Span<const std::vector<AxisRef>> dim_axes);
  // The opposite: `x` in the place that Slice takes it from, and `scalar` in
  // those of other devices. No communication.
  absl::StatusOr<Value*> Unsliced(
      Value* x, absl::Span<const std::vector<AxisRef>> dim_axes, Value* scalar);
  // The parts of all devices along `axes`, one behind the other.
  absl::StatusOr<Value*> Gather(Value* x, int64_t dim,
                                absl::Span<const AxisRef> axes);
  // Parts along `target_dim` to the devices along `axes`, whose parts are
  // joined along `source_dim`.
  absl::StatusOr<Value*> Move(Value* x, absl::Span<const AxisRef> axes,
                              int64_t source_dim, int64_t target_dim);
  // From shards of `from` to shards of `to`, of the same shapes.
  absl::StatusOr<Value*> Permute(Value* x, const TensorSharding& from,
                                 const TensorSharding& to);
  // From shards on devices in the order of one mesh to those in that of
  // another, which has the same axes.
  absl::StatusOr<Value*> Reordered(Value* x, const TensorSharding& sharding,
                                   const ShardingMesh& from,
                                   const ShardingMesh& to);
  // On the i-th of the devices along `axes`, the `x` of the one at sources[i],
  // which sends to no other; zeros where that is -1.
  absl::StatusOr<Value*> Exchange(Value* x, absl::Span<const AxisRef> axes,
                                  absl::Span<const int64_t> sources);
  // `op` ("stablehlo.add") combines the values of the devices along `axes`.
  absl::StatusOr<Value*> AllReduce(Value* x, absl::Span<const AxisRef> axes,
                                   absl::string_view op);
  // The part along `dim` of what AllReduce gives.
  absl::StatusOr<Value*> ReduceScatter(Value* x, int64_t dim,
                                       absl::Span<const AxisRef> axes,
                                       absl::string_view op);
  // `x` on the first of the devices along `axes`, `scalar` on the others.
  absl::StatusOr<Value*> OnFirst(Value* x, absl::Span<const AxisRef> axes,
                                 Value* scalar);
  // The part of `x` from `start` on, as many as `length`, along `dim`.
  absl::StatusOr<Value*> Part(Value* x, int64_t dim, int64_t start,
                              int64_t length);
  // `first` where the place in the whole dim is below `end`, else `second`;
  // both are shards along `axes`.
  absl::StatusOr<Value*> Spliced(Value* first, Value* second, int64_t dim,
                                 absl::Span<const AxisRef> axes, int64_t end);
  // `x` at dims up to `size`, without what pads the last shard.
  absl::StatusOr<Value*> Shortened(Value* x, int64_t dim, int64_t size);
  // The dim at least `size` long, with zeros at its end.
  absl::StatusOr<Value*> Lengthened(Value* x, int64_t dim, int64_t size);
  // `x`, a shard along `axes` of a dim of `size`, with `scalar` in the place
  // of what pads it.
  absl::StatusOr<Value*> Masked(Value* x, int64_t dim, int64_t size,
                                absl::Span<const AxisRef> axes, Value* scalar);

 private:
  absl::StatusOr<Value*> LogicalId();
  // Whether the place along `dim` in the whole of what a device has a shard of
  // along `axes`, of these sizes, is below `end`.
  absl::StatusOr<Value*> IsBefore(absl::Span<const int64_t> sizes, int64_t dim,
                                  absl::Span<const AxisRef> axes, int64_t end);
  // Where the parts of this device begin that are as long as `sizes`, along
  // `axes` of each dim.
  absl::StatusOr<std::vector<Value*>> Starts(
      absl::Span<const std::vector<AxisRef>> dim_axes,
      absl::Span<const int64_t> sizes);
  // The dim as long as `shards` equal parts are.
  absl::StatusOr<Value*> Padded(Value* x, int64_t dim, int64_t shards);
  int64_t CountOf(absl::Span<const AxisRef> axes) const;
  // Groups and channel of a collective along `axes`.
  AttributeMap CollectiveAttributes(absl::Span<const AxisRef> axes,
                                    bool is_flattened);
  // From the first to the second device of each pair.
  absl::StatusOr<Value*> Sent(Value* x,
                              const std::vector<std::vector<int64_t>>& pairs);
  absl::StatusOr<std::unique_ptr<Region>> Body(absl::string_view op,
                                               ElementType type);
  // A collective that combines values by `op`.
  absl::StatusOr<Value*> Reduced(absl::string_view collective, Value* x,
                                 AttributeMap attributes, absl::string_view op);

  OpBuilder builder_;
  const ShardingMesh& mesh_;
  ChannelIds& channels_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_PASSES_PARTITION_SHARD_BUILDER_H_
