#ifndef LOCKSTEP_RUNTIME_INTERPRETER_REGION_EVALUATOR_H_
#define LOCKSTEP_RUNTIME_INTERPRETER_REGION_EVALUATOR_H_

#include <memory>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/interpreter/execution_place.h"
#include "runtime/ir/module.h"
#include "runtime/ops/evaluation/evaluation.h"

namespace lockstep::internal {

// Evaluates regions op by op with the ops' own definitions. Keeps an
// environment of values, so that a region sees those of the regions around it.
// The program must be verified. Used by one thread.
class RegionEvaluator : public EvaluationContext {
 public:
  // Both outlive the evaluator. `module` may be null: then calls fail.
  RegionEvaluator(const Module* module, ExecutionPlace& place)
      : module_(module), place_(place) {}

  // Makes a value known that regions may use from outside, for callers that
  // evaluate the ops around a region themselves. The bytes must stay valid
  // while such a region runs; a value may be bound again.
  void Bind(const Value* value, LiteralView view) { values_[value] = view; }

  absl::Status RunRegion(const Region& region,
                         absl::Span<const LiteralView> arguments,
                         absl::Span<const MutableLiteralView> results) override;
  absl::Status RunFunction(
      absl::string_view name, absl::Span<const LiteralView> arguments,
      absl::Span<const MutableLiteralView> results) override;
  int32_t replica_id() const override { return place_.replica_id(); }
  int32_t partition_id() const override { return place_.partition_id(); }
  absl::Status RunCollective(
      const Op& op, const CollectiveSpec& spec,
      absl::Span<const LiteralView> operands,
      absl::Span<const MutableLiteralView> results) override {
    return place_.RunCollective(op, spec, operands, results);
  }

 private:
  class Frame;

  absl::StatusOr<LiteralView> Find(const Op& user, const Value* value) const;
  absl::Status Evaluate(const Op& op, Frame& frame);
  // For ops on tuples and tokens.
  absl::Status BindElement(const Op& op);

  const Module* const module_;
  ExecutionPlace& place_;
  // There is no recursion, so a value has one meaning at a time.
  absl::flat_hash_map<const Value*, LiteralView> values_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_INTERPRETER_REGION_EVALUATOR_H_
