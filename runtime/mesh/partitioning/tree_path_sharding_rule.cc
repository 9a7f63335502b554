#include "runtime/mesh/partitioning/tree_path_sharding_rule.h"

#include <re2/re2.h>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/mesh/python_text.h"

namespace lockstep {

absl::StatusOr<TreePathShardingRule> TreePathShardingRule::Create(
    std::vector<std::pair<std::string, PartitionSpec>> rules, bool strict) {
  re2::RE2::Options options;
  options.set_log_errors(false);
  TreePathShardingRule result;
  result.is_strict_ = strict;
  for (auto& [text, spec] : rules) {
    auto expression = std::make_shared<const re2::RE2>(text, options);
    if (!expression->ok()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "rule ", result.rules_.size(), " is no regular expression: ",
          internal::QuotedName(text), ": ", expression->error()));
    }
    result.rules_.push_back({std::move(expression), std::move(spec)});
  }
  return result;
}

const TreePathShardingRule::Rule* TreePathShardingRule::Find(
    const std::string& path) const {
  for (const Rule& rule : rules_) {
    if (re2::RE2::PartialMatch(path, *rule.expression)) return &rule;
  }
  return nullptr;
}

absl::StatusOr<std::vector<PartitionSpec>> TreePathShardingRule::Apply(
    absl::Span<const LeafShape> leaves) const {
  std::vector<PartitionSpec> specs;
  specs.reserve(leaves.size());
  for (const LeafShape& leaf : leaves) {
    const bool is_scalar =
        leaf.shape.rank() == 0 || leaf.shape.element_count() == 1;
    const Rule* rule = is_scalar ? nullptr : Find(leaf.path);
    if (rule == nullptr && !is_scalar && is_strict_) {
      return absl::InvalidArgumentError(absl::StrCat(
          "no rule fits the path ", internal::QuotedName(leaf.path),
          "; the rules are ",
          absl::StrJoin(rules_, ", ", [](std::string* out, const Rule& rule) {
            absl::StrAppend(out,
                            internal::QuotedName(rule.expression->pattern()));
          })));
    }
    specs.push_back(rule == nullptr ? PartitionSpec() : rule->spec);
  }
  return specs;
}

}  // namespace lockstep
