#include "runtime/mesh/partitioning/sharding_rule.h"

#include <utility>

#include "runtime/base/at_path.h"

namespace lockstep {

absl::StatusOr<std::vector<PartitionSpec>> ShardingRule::ApplyAt(
    const std::string& path, absl::Span<const LeafShape> leaves) const {
  absl::StatusOr<std::vector<PartitionSpec>> specs = Apply(leaves);
  if (!specs.ok()) return internal::AtPath(specs.status(), path);
  return specs;
}

PolicyShardingRule::PolicyShardingRule(Policy policy)
    : policy_(std::move(policy)) {}

absl::StatusOr<std::vector<PartitionSpec>> PolicyShardingRule::Apply(
    absl::Span<const LeafShape> leaves) const {
  return ApplyAt("", leaves);
}

absl::StatusOr<std::vector<PartitionSpec>> PolicyShardingRule::ApplyAt(
    const std::string& path, absl::Span<const LeafShape> leaves) const {
  std::vector<PartitionSpec> specs;
  specs.reserve(leaves.size());
  for (const LeafShape& leaf : leaves) {
    absl::StatusOr<PartitionSpec> spec = policy_(leaf.path, leaf.shape);
    if (!spec.ok()) return internal::AtPath(spec.status(), path, leaf.path);
    specs.push_back(*std::move(spec));
  }
  return specs;
}

}  // namespace lockstep
