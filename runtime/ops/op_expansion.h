#ifndef LOCKSTEP_RUNTIME_OPS_OP_EXPANSION_H_
#define LOCKSTEP_RUNTIME_OPS_OP_EXPANSION_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "runtime/ir/clone.h"
#include "runtime/ir/module.h"
#include "runtime/ir/op_def.h"

namespace lockstep::internal {

// Ops that are a composition of other ops, such as batch_norm_training: their
// definitions say how they verify and what they become. The frontend expands
// them in every verified program, so that nothing else knows them. So are
// reductions over devices whose body promotes its operands: these become
// conversions before a reduction of one type.

// Where an expansion puts its ops: before the op that it stands for, with the
// location of that.
class ExpansionBuilder {
 public:
  // The first error of an op that does not verify; OK so far.
  const absl::Status& status() const { return status_; }

  // A new op with one result, which verifies or sets status().
  Value* Create(absl::string_view name, std::vector<Value*> operands,
                Type result, AttributeMap attributes = {},
                std::vector<std::unique_ptr<Region>> regions = {});
  // The elementwise StableHLO op of this name on operands of one type, with a
  // result of that type: "add".
  Value* Elementwise(absl::string_view name, std::vector<Value*> operands);
  // `value` in all elements, converted from double.
  Value* Splat(const Shape& shape, double value);
  // broadcast_in_dim; the value itself where that changes nothing.
  Value* Broadcast(Value* value, absl::Span<const int64_t> positions,
                   absl::Span<const int64_t> dims);
  // The sum over some dimensions.
  Value* Sum(Value* value, absl::Span<const int64_t> dims);

 private:
  friend class OpExpander;
  Region* region_ = nullptr;
  Location location_;
  absl::Status status_;
};

// The values that stand for the op's results, of their types. The op verifies.
using ExpandFn = absl::StatusOr<std::vector<Value*>> (*)(
    const Op& op, ExpansionBuilder& builder);

// As OpRegistry::Add, for an op that ExpandOps replaces.
void AddExpandedOp(OpDef def, ExpandFn expand);
bool IsExpandedOp(absl::string_view name);
// The same of every stablehlo.custom_call of `target`, which is of no other op.
void AddExpandedCall(absl::string_view target, ExpandFn expand);

// At namespace scope of the op's file.
#define REGISTER_EXPANDED_OP(...)                                      \
  static const bool LOCKSTEP_CONCAT_(lockstep_op_, __COUNTER__) = [] { \
    ::lockstep::internal::AddExpandedOp(__VA_ARGS__);                  \
    return true;                                                       \
  }()
#define REGISTER_EXPANDED_CALL(...)                                    \
  static const bool LOCKSTEP_CONCAT_(lockstep_op_, __COUNTER__) = [] { \
    ::lockstep::internal::AddExpandedCall(__VA_ARGS__);                \
    return true;                                                       \
  }()

// Replaces the ops of a verified module that are compositions. Errors: those of
// the ops that they become, and of the expansions.
absl::Status ExpandOps(Module& module);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_OPS_OP_EXPANSION_H_
