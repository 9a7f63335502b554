#ifndef LOCKSTEP_RUNTIME_MESH_PARTITIONING_TREE_PATH_SHARDING_RULE_H_
#define LOCKSTEP_RUNTIME_MESH_PARTITIONING_TREE_PATH_SHARDING_RULE_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/mesh/partition_spec.h"
#include "runtime/mesh/partitioning/sharding_rule.h"

namespace re2 {
class RE2;
}

namespace lockstep {

// S-12: specs by regular expressions over the paths of leaves. Copies share the
// compiled expressions.
class TreePathShardingRule : public ShardingRule {
 public:
  // Regular expressions of RE2, which has no back-references and does not look
  // around; searched for anywhere in a path. The first that is found gives the
  // spec. INVALID_ARGUMENT: one that is malformed; names it.
  static absl::StatusOr<TreePathShardingRule> Create(
      std::vector<std::pair<std::string, PartitionSpec>> rules,
      bool strict = true);

  // Scalars, and arrays of one element, are not sharded, whatever the rules
  // say. INVALID_ARGUMENT, when strict: no rule fits a path; names it. Not
  // strict: such arrays are not sharded.
  absl::StatusOr<std::vector<PartitionSpec>> Apply(
      absl::Span<const LeafShape> leaves) const override;

 private:
  struct Rule {
    std::shared_ptr<const re2::RE2> expression;
    PartitionSpec spec;
  };
  TreePathShardingRule() = default;
  const Rule* Find(const std::string& path) const;

  std::vector<Rule> rules_;
  bool is_strict_ = true;
};

}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_MESH_PARTITIONING_TREE_PATH_SHARDING_RULE_H_
