#include "runtime/mesh/partitioning/sharding_rule.h"

#include <utility>

#include "runtime/base/status.h"

namespace lockstep {

PolicyShardingRule::PolicyShardingRule(Policy policy)
    : policy_(std::move(policy)) {}

absl::StatusOr<std::vector<PartitionSpec>> PolicyShardingRule::Apply(
    absl::Span<const LeafShape> leaves) const {
  std::vector<PartitionSpec> specs;
  specs.reserve(leaves.size());
  for (const LeafShape& leaf : leaves) {
    absl::StatusOr<PartitionSpec> spec = policy_(leaf.path, leaf.shape);
    if (!spec.ok()) return internal::Annotate(spec.status(), leaf.path);
    specs.push_back(*std::move(spec));
  }
  return specs;
}

}  // namespace lockstep
