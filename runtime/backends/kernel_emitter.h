#ifndef LOCKSTEP_RUNTIME_BACKENDS_KERNEL_EMITTER_H_
#define LOCKSTEP_RUNTIME_BACKENDS_KERNEL_EMITTER_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/collectives/reduction.h"
#include "runtime/executable/thunk.h"
#include "runtime/executable/thunk_sequence.h"
#include "runtime/ir/op.h"
#include "runtime/kernels/kernel_request.h"

namespace lockstep::internal {

struct MemoryLayout;
struct Schedule;
struct Step;

// A loop whose tensors have their places in memory: a step of kind kWhile.
struct LoopRequest {
  const Schedule& schedule;
  const MemoryLayout& layout;
  const Step& step;
};

// What a backend adds to the emission that all share: thunks for the ops that
// compute. Used by one thread, for one module.
class KernelEmitter {
 public:
  virtual ~KernelEmitter() = default;

  // UNIMPLEMENTED, with the op's location, for what the backend lacks.
  virtual absl::StatusOr<std::unique_ptr<Thunk>> Emit(
      const KernelRequest& request) = 0;

  // A loop as one thunk; null: the loop runs thunk by thunk. Is asked for outer
  // loops first, and for those inside one only where that runs thunk by thunk.
  virtual absl::StatusOr<std::unique_ptr<Thunk>> EmitLoop(
      const LoopRequest& request) {
    return nullptr;
  }

  // The results that the op's thunk can write over operands of the same size.
  virtual std::vector<InPlaceUse> InPlaceUses(const Op& op) const { return {}; }

  // How much memory beside operands and results the op's thunk needs while it
  // runs. It comes from the arena: nothing is allocated during a launch.
  virtual int64_t ScratchBytes(const Op& op) const { return 0; }

  // How `op`, an all_reduce or reduce_scatter with this body, combines two
  // values. UNIMPLEMENTED, with the op's location, for a body that it cannot
  // run.
  virtual absl::StatusOr<std::shared_ptr<const Reduction>> EmitReduction(
      const Op& op, const Region& body) = 0;

  // Whether collectives may run on devices, which move packed parts; else all
  // are of hosts, whose all_to_all moves parts as they lie (TensorParts).
  virtual bool has_device_collectives() const { return false; }

  // A sequence that is complete, with thunks in a row put together where the
  // backend runs them as one. Nested sequences come before that of their owner.
  virtual ThunkSequence Combine(ThunkSequence sequence) const {
    return sequence;
  }
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_KERNEL_EMITTER_H_
