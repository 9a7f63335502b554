#ifndef LOCKSTEP_RUNTIME_BACKENDS_REFERENCE_THUNK_PLACE_H_
#define LOCKSTEP_RUNTIME_BACKENDS_REFERENCE_THUNK_PLACE_H_

#include "runtime/executable/thunk.h"
#include "runtime/interpreter/execution_place.h"

namespace lockstep::internal {

// The device and launch that a thunk runs in, for the regions of its op. Used
// by the thread of the launch; the context outlives it.
class ThunkPlace : public ExecutionPlace {
 public:
  explicit ThunkPlace(const HostContext& context) : context_(context) {}

  int32_t replica_id() const override { return context_.replica_id; }
  int32_t partition_id() const override { return context_.partition_id; }
  absl::Status CheckRunning() override {
    return context_.cancellation->status();
  }
  // INTERNAL: collectives are thunks of their own.
  absl::Status RunCollective(
      const Op& op, const CollectiveSpec& spec,
      absl::Span<const LiteralView> operands,
      absl::Span<const MutableLiteralView> results) override;

 private:
  const HostContext& context_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_REFERENCE_THUNK_PLACE_H_
