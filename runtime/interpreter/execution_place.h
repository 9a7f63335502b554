#ifndef LOCKSTEP_RUNTIME_INTERPRETER_EXECUTION_PLACE_H_
#define LOCKSTEP_RUNTIME_INTERPRETER_EXECUTION_PLACE_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "runtime/ops/collectives/collective.h"
#include "runtime/types/literal.h"

namespace lockstep::internal {

// Where one copy of a program runs: what a RegionEvaluator cannot know by
// itself. One per device; used by one thread.
class ExecutionPlace {
 public:
  virtual ~ExecutionPlace() = default;

  virtual int32_t replica_id() const = 0;
  virtual int32_t partition_id() const = 0;

  // Asked before every region: an error ends the evaluation with it.
  virtual absl::Status CheckRunning() = 0;

  // Runs a collective with the other members of its group, a send or a recv
  // with the host.
  virtual absl::Status RunCollective(
      const Op& op, const CollectiveSpec& spec,
      absl::Span<const LiteralView> operands,
      absl::Span<const MutableLiteralView> results) = 0;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_INTERPRETER_EXECUTION_PLACE_H_
