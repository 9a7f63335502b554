#ifndef LOCKSTEP_RUNTIME_MESH_PARTITIONING_SHARDING_RULE_H_
#define LOCKSTEP_RUNTIME_MESH_PARTITIONING_SHARDING_RULE_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/mesh/partition_spec.h"
#include "runtime/types/shape.h"

namespace lockstep {

// What a sharding rule knows of a leaf of a tree of arrays.
struct LeafShape {
  // Keys, indices and names of members below the tree, joined by "/".
  std::string path;
  Shape shape;
};

// S-14: decides how the arrays of a tree are sharded. Implementations are
// immutable; any thread may call them.
class ShardingRule {
 public:
  virtual ~ShardingRule() = default;
  // The specs of the leaves of a tree, one each, in order.
  virtual absl::StatusOr<std::vector<PartitionSpec>> Apply(
      absl::Span<const LeafShape> leaves) const = 0;
  // The same for a tree at `path` in a larger one: errors begin with `path`,
  // joined with that of a leaf where those of Apply begin with it.
  virtual absl::StatusOr<std::vector<PartitionSpec>> ApplyAt(
      const std::string& path, absl::Span<const LeafShape> leaves) const;
};

// S-13: a function decides for each leaf by itself, scalars too. Its errors are
// annotated with the path.
class PolicyShardingRule : public ShardingRule {
 public:
  using Policy = std::function<absl::StatusOr<PartitionSpec>(
      const std::string& path, const Shape& shape)>;
  explicit PolicyShardingRule(Policy policy);
  absl::StatusOr<std::vector<PartitionSpec>> Apply(
      absl::Span<const LeafShape> leaves) const override;
  absl::StatusOr<std::vector<PartitionSpec>> ApplyAt(
      const std::string& path,
      absl::Span<const LeafShape> leaves) const override;

 private:
  Policy policy_;
};

}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_MESH_PARTITIONING_SHARDING_RULE_H_
