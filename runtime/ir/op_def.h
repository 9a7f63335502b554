#ifndef LOCKSTEP_RUNTIME_IR_OP_DEF_H_
#define LOCKSTEP_RUNTIME_IR_OP_DEF_H_

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/base/status.h"
#include "runtime/ir/assembly.h"
#include "runtime/ir/op.h"
#include "runtime/types/literal.h"

namespace lockstep::internal {

class OpBuilder;          // runtime/ir/op_builder.h
class EvaluationContext;  // runtime/ops/evaluation/evaluation.h
class ScalarBuilder;      // runtime/ops/scalar_builder.h
class OpShardingRule;     // runtime/ir/op_sharding_rule.h

// What backends have one thunk for, when an op is not elementwise.
enum class OpKind {
  kElementwise,  // one output element from the operands' elements there
  kConstant,
  kDataMovement,  // elements change place only
  kDot,
  kConvolution,
  kReduce,
  kReduceWindow,
  kSelectAndScatter,
  kGather,
  kScatter,
  kSort,  // sort, top_k
  kFft,
  kLinearAlgebra,  // cholesky, triangular_solve
  kRandom,
  kMap,
  kFusion,       // lockstep.fusion
  kTuple,        // tuple, get_tuple_element
  kControlFlow,  // while, if, case, call, composite
  kCollective,
  kIdentity,  // optimization_barrier
  kSharding,  // of sdy: what stands between values and their shardings
  kPlace,     // replica_id, partition_id
  kCustomCall,
  kTerminator,
};

struct ShardingRuleOptions {
  // Never shard by propagation what slices, padding and windows move along.
  bool is_conservative = false;
};

// All that is known of one op. Built once, in the op's own file; immutable
// afterwards.
class OpDef {
 public:
  // The result types that follow from operands, attributes and regions. Checks
  // every constraint of the specification on the way.
  using InferFn = std::function<absl::StatusOr<std::vector<Type>>(const Op&)>;
  // Checks the op, its declared result types included.
  using VerifyFn = std::function<absl::Status(const Op&)>;
  // The definition of the op, as the oracle runs it. `results` have the op's
  // result types and undefined content.
  using EvaluateFn =
      std::function<absl::Status(EvaluationContext& context, const Op& op,
                                 absl::Span<const LiteralView> operands,
                                 absl::Span<const MutableLiteralView> results)>;
  // How the dims of operands and results are sharded together. Nullopt: this
  // op, with these types and attributes, runs unsharded, as does an op without
  // the slot. The op verifies; its operands' definitions and its users matter
  // to a few ops, so a rule holds until those change.
  using ShardingRuleFn =
      std::function<absl::StatusOr<std::optional<OpShardingRule>>(
          const Op&, const ShardingRuleOptions&)>;
  // Emits one output element from the operands' elements, as scalar handles;
  // only where Emits(op).
  using EmitFn =
      std::function<int(ScalarBuilder&, const Op&, absl::Span<const int>)>;

  // The tangents of the results, from those of the operands. A null tangent is
  // zero. Appends what it needs.
  using JvpFn = std::function<absl::StatusOr<std::vector<Value*>>(
      OpBuilder& builder, const Op& op, absl::Span<Value* const> tangents)>;
  // Of an op that is linear in the operands for which `is_linear` holds: their
  // cotangents from those of the results; null for the other operands.
  using TransposeFn = std::function<absl::StatusOr<std::vector<Value*>>(
      OpBuilder& builder, const Op& op, absl::Span<Value* const> cotangents,
      const std::vector<bool>& is_linear)>;
  // Values with a batch dimension, or none.
  struct Batched {
    std::vector<Value*> values;
    std::vector<std::optional<int64_t>> dims;  // one per value
  };
  // The op on all members of a batch at once. `operands` stand for the op's,
  // in order; at least one has a batch dimension.
  using BatchFn = std::function<absl::StatusOr<Batched>(
      OpBuilder& builder, const Op& op, const Batched& operands)>;

  OpDef(std::string name, OpKind kind) : name_(std::move(name)), kind_(kind) {}

  // Each returns *this, so that a definition reads as one expression.
  OpDef&& Assembly(AssemblyForm form) &&;
  // Verify = the inferred types equal the declared ones. Where the op permits
  // others, Verify comes after it.
  OpDef&& Infer(InferFn infer) &&;
  OpDef&& Verify(VerifyFn verify) &&;
  OpDef&& Evaluate(EvaluateFn evaluate) &&;
  OpDef&& Sharding(ShardingRuleFn sharding) &&;
  OpDef&& Jvp(JvpFn jvp) &&;
  OpDef&& Transpose(TransposeFn transpose) &&;
  OpDef&& Batch(BatchFn batch) &&;
  OpDef&& Emit(EmitFn emit) &&;
  // Where the emission does not hold for all element types of the op.
  OpDef&& EmitWhen(std::function<bool(const Op&)> condition) &&;
  // What names of its results begin with in text ("cst"); else they are
  // numbers.
  OpDef&& ResultName(std::function<absl::string_view(const Op&)> name) &&;
  // The same of the arguments of its regions; else "arg0", "arg1", ..
  OpDef&& ArgumentName(absl::string_view name) &&;

  const std::string& name() const { return name_; }
  OpKind kind() const { return kind_; }
  bool is_terminator() const { return kind_ == OpKind::kTerminator; }
  // Null members when the op has none: then only the generic form.
  const AssemblyForm& assembly() const { return assembly_; }
  const InferFn& infer() const { return infer_; }
  const VerifyFn& verify() const { return verify_; }
  const EvaluateFn& evaluate() const { return evaluate_; }
  const ShardingRuleFn& sharding() const { return sharding_; }
  const JvpFn& jvp() const { return jvp_; }
  const TransposeFn& transpose() const { return transpose_; }
  const BatchFn& batch() const { return batch_; }
  const EmitFn& emit() const { return emit_; }
  const std::function<absl::string_view(const Op&)>& result_name() const {
    return result_name_;
  }
  const std::string& argument_name() const { return argument_name_; }
  // Whether `op`, of this definition, can be emitted with its element types.
  // Types of fewer than 8 bits and floats of 8 bits never can.
  bool Emits(const Op& op) const;

 private:
  std::string name_;
  OpKind kind_;
  AssemblyForm assembly_;
  InferFn infer_;
  VerifyFn verify_;
  EvaluateFn evaluate_;
  ShardingRuleFn sharding_;
  JvpFn jvp_;
  TransposeFn transpose_;
  BatchFn batch_;
  EmitFn emit_;
  std::function<absl::string_view(const Op&)> result_name_;
  std::string argument_name_;
  std::function<bool(const Op&)> emit_condition_;
};

// The ops there are. Filled before main by REGISTER_OP; read-only afterwards.
class OpRegistry {
 public:
  static OpRegistry& Get();
  // A name twice is our bug.
  void Add(OpDef def);
  // Null when there is none. "func.call" and "call" are the same op.
  const OpDef* Find(absl::string_view name) const;
  // Sorted by name.
  std::vector<const OpDef*> All() const;

 private:
  std::map<std::string, std::unique_ptr<const OpDef>, std::less<>> defs_;
};

// At namespace scope of the op's file.
#define REGISTER_OP(...)                                               \
  static const bool LOCKSTEP_CONCAT_(lockstep_op_, __COUNTER__) = [] { \
    ::lockstep::internal::OpRegistry::Get().Add(__VA_ARGS__);          \
    return true;                                                       \
  }()

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_IR_OP_DEF_H_
