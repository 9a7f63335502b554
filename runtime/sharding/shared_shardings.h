#ifndef LOCKSTEP_RUNTIME_SHARDING_SHARED_SHARDINGS_H_
#define LOCKSTEP_RUNTIME_SHARDING_SHARED_SHARDINGS_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/ir/module.h"
#include "runtime/ir/op.h"
#include "runtime/mesh/sharding/tensor_sharding.h"
#include "runtime/sharding/disjoint_sets.h"
#include "runtime/sharding/function_shardings.h"
#include "runtime/sharding/function_values.h"
#include "runtime/sharding/manual_border.h"
#include "runtime/sharding/value_shardings.h"

namespace lockstep::internal {

// Where a target of a data-flow edge stands: what has its sharding, and what
// the edge sees of it, are on different sides.
struct TargetBorder {
  std::unique_ptr<const ManualBorder> border;
  // Whether it is an argument of the body; else a result.
  bool is_inside = false;
};

// Which values of a function have one sharding in common, and what it starts
// with: the targets of a data-flow edge (data_flow_edges.h), with what the
// first says that has one, and the values of a sharding group. Borrows the
// function.
class SharedShardings {
 public:
  // INVALID_ARGUMENT: MergedGroups; a sdy.manual_computation without
  // ManualShardings, or with others than one for each operand and result.
  static absl::StatusOr<SharedShardings> Create(
      const Function& function, const FunctionShardings& shardings,
      const std::vector<ShardingGroup>& groups);

  const FunctionValues& values() const { return *values_; }
  // By the numbers of values: the first one that has the same sharding.
  const std::vector<int>& representatives() const { return representatives_; }
  // What a representative starts with.
  const std::optional<TensorSharding>& InitialOf(int representative) const {
    return initial_[representative];
  }
  // Those whose values start with different shardings, of which a warning
  // tells: they have nothing in common but what their users see.
  const std::vector<ShardingGroup>& open_groups() const { return open_groups_; }

  const std::vector<const Op*>& manual_computations() const {
    return manual_computations_;
  }
  // Null for values that are no targets of a sdy.manual_computation.
  const TargetBorder* BorderOf(const Value* target) const;

 private:
  explicit SharedShardings(const Function& function);
  absl::Status AddBorders(const Op& op, const FunctionShardings& shardings);
  void AddBorder(const Value* target, const TensorSharding& outside,
                 const std::vector<std::string>& manual_axes, bool is_inside);
  void JoinTargets(const Op& op);
  void JoinGroup(const ShardingGroup& group);

  std::unique_ptr<const FunctionValues> values_;
  DisjointSets sharers_;
  std::vector<std::optional<TensorSharding>> initial_;
  std::vector<int> representatives_;
  std::vector<ShardingGroup> open_groups_;
  std::vector<const Op*> manual_computations_;
  absl::flat_hash_map<const Value*, TargetBorder> borders_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_SHARDING_SHARED_SHARDINGS_H_
