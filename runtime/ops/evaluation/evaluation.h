#ifndef LOCKSTEP_RUNTIME_OPS_EVALUATION_EVALUATION_H_
#define LOCKSTEP_RUNTIME_OPS_EVALUATION_EVALUATION_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "runtime/ir/op.h"
#include "runtime/ops/collectives/collective.h"
#include "runtime/types/literal.h"

namespace lockstep::internal {

// What an op's reference evaluation may ask for beyond its operands. One per
// device and thread.
class EvaluationContext {
 public:
  virtual ~EvaluationContext() = default;

  // Runs a region of the op being evaluated with these arguments; `results`
  // receive the operands of its terminator. Values of enclosing regions are
  // in scope. Ends with the cancellation's cause when cancelled.
  virtual absl::Status RunRegion(
      const Region& region, absl::Span<const LiteralView> arguments,
      absl::Span<const MutableLiteralView> results) = 0;

  // Runs a function of the module: INVALID_ARGUMENT when there is none.
  virtual absl::Status RunFunction(
      absl::string_view name, absl::Span<const LiteralView> arguments,
      absl::Span<const MutableLiteralView> results) = 0;

  // This copy of the program.
  virtual int32_t replica_id() const = 0;
  virtual int32_t partition_id() const = 0;

  // Runs a collective with the other members of its group.
  virtual absl::Status RunCollective(
      const Op& op, const CollectiveSpec& spec,
      absl::Span<const LiteralView> operands,
      absl::Span<const MutableLiteralView> results) = 0;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_OPS_EVALUATION_EVALUATION_H_
