#include "client/partitioning/match_sharding_rule.h"

#include "absl/strings/str_cat.h"
#include "client/trees/tree_prefix.h"
#include "runtime/base/at_path.h"
#include "runtime/base/status.h"

namespace lockstep {

absl::StatusOr<std::vector<PartitionSpec>> RuleOrSpec::ApplyAt(
    const std::string& path, absl::Span<const LeafShape> leaves) const {
  if (const auto* spec = std::get_if<PartitionSpec>(&value_)) {
    return std::vector<PartitionSpec>(leaves.size(), *spec);
  }
  ASSIGN_OR_RETURN(std::vector<PartitionSpec> specs,
                   std::get<RulePtr>(value_)->ApplyAt(path, leaves));
  if (specs.size() != leaves.size()) {
    return internal::AtPath(absl::InvalidArgumentError(absl::StrCat(
                                "the rule gives ", specs.size(), " specs for ",
                                leaves.size(), " leaves")),
                            path);
  }
  return specs;
}

namespace internal {
namespace {

// `path`: of the subtree in the whole tree.
absl::StatusOr<Tree<NamedSharding>> ShardSubtree(const RuleOrSpec& rule,
                                                 const Tree<Shape>& shapes,
                                                 const Mesh& mesh,
                                                 const std::string& path) {
  std::vector<LeafShape> leaves;
  shapes.Transform([&](const Shape& shape, const std::string& below) {
    leaves.push_back({below, shape});
    return 0;
  });
  ASSIGN_OR_RETURN(std::vector<PartitionSpec> specs,
                   rule.ApplyAt(path, leaves));
  std::vector<NamedSharding> shardings;
  for (size_t i = 0; i < leaves.size(); ++i) {
    absl::StatusOr<NamedSharding> sharding =
        NamedSharding::Create(mesh, std::move(specs[i]));
    if (!sharding.ok()) {
      return AtPath(sharding.status(), path, leaves[i].path);
    }
    shardings.push_back(*std::move(sharding));
  }
  size_t next = 0;
  return shapes.Transform(
      [&](const Shape&, const std::string&) { return shardings[next++]; });
}

}  // namespace

absl::StatusOr<Tree<NamedSharding>> MatchShardingRule(
    const Tree<RuleOrSpec>& rules, const Tree<Shape>& shapes,
    const Mesh& mesh) {
  return TransformByPrefix<NamedSharding>(
      rules, shapes,
      [&](const RuleOrSpec* rule, const Tree<Shape>& below,
          const std::string& path) -> absl::StatusOr<Tree<NamedSharding>> {
        if (rule == nullptr || rule->is_null()) return Tree<NamedSharding>();
        return ShardSubtree(*rule, below, mesh, path);
      });
}

}  // namespace internal
}  // namespace lockstep
