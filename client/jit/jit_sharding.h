#ifndef LOCKSTEP_CLIENT_JIT_JIT_SHARDING_H_
#define LOCKSTEP_CLIENT_JIT_JIT_SHARDING_H_

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "client/arrays/sharding.h"
#include "client/partitioning/match_sharding_rule.h"
#include "client/trees/tree.h"
#include "client/trees/tree_conversion.h"
#include "runtime/mesh/mesh.h"
#include "runtime/mesh/named_sharding.h"

namespace lockstep {

// How arrays of a program are laid out: a sharding, a spec or a rule over the
// mesh of the program, or null: as propagation finds. A value type.
class JitSharding {
 public:
  JitSharding() = default;
  JitSharding(NamedSharding sharding);  // NOLINT
  // That of an array; null for one in host memory.
  JitSharding(const Sharding& sharding);  // NOLINT
  template <typename T>
    requires std::convertible_to<const T&, RuleOrSpec>
  JitSharding(const T& rule) : rule_(rule) {}  // NOLINT

  const RuleOrSpec& rule() const { return rule_; }
  // That of a NamedSharding.
  const std::optional<Mesh>& mesh() const { return mesh_; }
  // UNIMPLEMENTED: of another kind (CheckShardingKind), or in memory of another
  // kind than "device".
  const absl::Status& status() const { return status_; }

 private:
  RuleOrSpec rule_;
  std::optional<Mesh> mesh_;
  absl::Status status_;
};

// A tree prefix of arguments or results, in containers of any kind: one for
// all, or a list with one for each. Without any, all are null.
//
//   {PartitionSpec("data"), nullptr}
class JitShardings {
 public:
  JitShardings() = default;
  template <typename T>
    requires(!std::same_as<T, JitShardings>)
  JitShardings(const T& shardings)  // NOLINT
      : tree_(internal::TreeOf<JitSharding>(shardings)) {}
  JitShardings(std::initializer_list<JitShardings> shardings) {
    Tree<JitSharding>::ListType children;
    for (const JitShardings& child : shardings) {
      children.push_back(child.tree_);
    }
    tree_ = Tree<JitSharding>::List(std::move(children));
  }

  const Tree<JitSharding>& tree() const { return tree_; }
  // The same with this one where they are null, or have nothing.
  JitShardings WithNullAs(const JitSharding& sharding) const;

 private:
  Tree<JitSharding> tree_;
};

}  // namespace lockstep

#endif  // LOCKSTEP_CLIENT_JIT_JIT_SHARDING_H_
