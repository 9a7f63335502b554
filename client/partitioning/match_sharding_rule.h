#ifndef LOCKSTEP_CLIENT_PARTITIONING_MATCH_SHARDING_RULE_H_
#define LOCKSTEP_CLIENT_PARTITIONING_MATCH_SHARDING_RULE_H_

#include <concepts>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "client/arrays/array.h"
#include "client/trees/tree.h"
#include "client/trees/tree_conversion.h"
#include "runtime/mesh/mesh.h"
#include "runtime/mesh/named_sharding.h"
#include "runtime/mesh/partition_spec.h"
#include "runtime/mesh/partitioning/sharding_rule.h"
#include "runtime/types/shape.h"

namespace lockstep {

// What a tree of rules has for the arrays below one of its leaves: a rule, one
// spec for all of them, or null: their shardings are left open. A value type;
// copies share the rule.
class RuleOrSpec {
 public:
  RuleOrSpec() = default;
  RuleOrSpec(std::nullptr_t) {}                                // NOLINT
  RuleOrSpec(PartitionSpec spec) : value_(std::move(spec)) {}  // NOLINT
  template <std::derived_from<ShardingRule> T>
  RuleOrSpec(const T& rule)  // NOLINT
      : RuleOrSpec(std::make_shared<const T>(rule)) {}
  template <std::derived_from<ShardingRule> T>
  RuleOrSpec(std::shared_ptr<T> rule) {  // NOLINT
    if (rule != nullptr) value_ = RulePtr(std::move(rule));
  }

  bool is_null() const { return value_.index() == 0; }
  // ShardingRule::ApplyAt; must not be null. INVALID_ARGUMENT: the rule gives
  // another number of specs; and the errors of the rule.
  absl::StatusOr<std::vector<PartitionSpec>> ApplyAt(
      const std::string& path, absl::Span<const LeafShape> leaves) const;

 private:
  using RulePtr = std::shared_ptr<const ShardingRule>;
  std::variant<std::monostate, PartitionSpec, RulePtr> value_;
};

namespace internal {

inline Shape ShapeOfLeaf(const Array& array) { return array.shape(); }
inline Shape ShapeOfLeaf(const Shape& shape) { return shape; }

// The shapes of a tree of arrays, or of shapes.
template <typename T>
Tree<Shape> ShapesOf(const T& tree) {
  return ToTree<AnyLeaf, Shape>(
      tree, [](const auto& leaf) { return ShapeOfLeaf(leaf); });
}

absl::StatusOr<Tree<NamedSharding>> MatchShardingRule(
    const Tree<RuleOrSpec>& rules, const Tree<Shape>& shapes, const Mesh& mesh);

}  // namespace internal

// S-5: the shardings of a tree of arrays, or of shapes. `rules` is a prefix of
// the tree, with rules, specs and null; a rule sees what is below it, with
// paths from there. Where the rules have null, or nothing, the result has
// nothing: device_put leaves such arrays as they are.
//
//   match_sharding_rule(std::tuple(FsdpShardingRule(), PartitionSpec("data")),
//                       std::tuple(params, batch), mesh)
//
// Whether a sharding divides its array is not looked at. INVALID_ARGUMENT: the
// rules are no prefix of the tree; a spec names an axis that the mesh lacks.
// Errors, also those of rules, have the path of their leaf before them.
template <typename Rules, typename T>
absl::StatusOr<Tree<NamedSharding>> match_sharding_rule(const Rules& rules,
                                                        const T& tree,
                                                        const Mesh& mesh) {
  return internal::MatchShardingRule(internal::TreeOf<RuleOrSpec>(rules),
                                     internal::ShapesOf(tree), mesh);
}

}  // namespace lockstep

#endif  // LOCKSTEP_CLIENT_PARTITIONING_MATCH_SHARDING_RULE_H_
