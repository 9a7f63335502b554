#ifndef LOCKSTEP_RUNTIME_OPS_CUSTOM_CALLS_CUSTOM_CALL_TARGET_H_
#define LOCKSTEP_RUNTIME_OPS_CUSTOM_CALLS_CUSTOM_CALL_TARGET_H_

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "runtime/ir/op.h"
#include "runtime/ir/op_def.h"
#include "runtime/ir/op_sharding_rule.h"
#include "runtime/types/literal.h"

namespace lockstep::internal {

// What is known of one target of custom_call. Built once, in the file of its
// family; immutable afterwards, so any thread may use it.
struct CustomCallTarget {
  // Whether this call can run: its operands, results and configuration, and
  // what it needs on this machine. INVALID_ARGUMENT or UNIMPLEMENTED, with the
  // op's location: what, expected, found.
  using CheckFn = std::function<absl::Status(const Op&)>;
  // As OpDef::ShardingRuleFn. Goes before what the program says of the op.
  using ShardingFn =
      std::function<absl::StatusOr<std::optional<OpShardingRule>>(const Op&)>;
  // The members `first` to `last` - 1 of a batch; the operands and results are
  // those of the whole batch. Threads may evaluate members side by side.
  using EvaluateMembersFn = std::function<absl::Status(
      const Op& op, absl::Span<const LiteralView> operands,
      absl::Span<const MutableLiteralView> results, int64_t first,
      int64_t last)>;
  // How many members a batch has, and what each costs, in operations on
  // numbers, about.
  struct Batch {
    int64_t size = 1;
    int64_t member_cost = 1;
  };
  using BatchFn = std::function<absl::StatusOr<Batch>(const Op&)>;

  CheckFn check;
  // The definition of the target; the call was checked.
  OpDef::EvaluateFn evaluate;
  ShardingFn sharding = nullptr;
  // Both or none: where members of a batch do not depend on each other.
  BatchFn batch = nullptr;
  EvaluateMembersFn evaluate_members = nullptr;
};

// The targets there are. Filled before main by REGISTER_CUSTOM_CALL_TARGETS;
// read-only afterwards.
class CustomCallTargets {
 public:
  static CustomCallTargets& Get();
  // A name twice is our bug.
  void Add(absl::string_view name, CustomCallTarget target);
  // Null when there is none.
  const CustomCallTarget* Find(absl::string_view name) const;
  // Sorted.
  std::vector<std::string> Names() const;

 private:
  std::map<std::string, CustomCallTarget, std::less<>> targets_;
};

// Of a custom_call. "" for ops of other names and calls without a target.
absl::string_view CustomCallTargetName(const Op& op);
// Null where it is not known.
const CustomCallTarget* FindCustomCallTarget(const Op& op);

// At namespace scope of the family's file: REGISTER_CUSTOM_CALL_TARGETS(add),
// with void add(CustomCallTargets&).
#define REGISTER_CUSTOM_CALL_TARGETS(add)                                   \
  static const bool LOCKSTEP_CONCAT_(lockstep_targets_, __COUNTER__) = [] { \
    add(::lockstep::internal::CustomCallTargets::Get());                    \
    return true;                                                            \
  }()

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_OPS_CUSTOM_CALLS_CUSTOM_CALL_TARGET_H_
