#ifndef LOCKSTEP_RUNTIME_BACKENDS_SHARED_TENSORS_H_
#define LOCKSTEP_RUNTIME_BACKENDS_SHARED_TENSORS_H_

#include <vector>

#include "runtime/backends/kernel_emitter.h"
#include "runtime/backends/schedule.h"
#include "runtime/backends/step_frames.h"
#include "runtime/executable/buffer_planner.h"

namespace lockstep::internal {

// Which tensors lie in the same memory, one after the other in time: the
// result of a thunk that writes over an operand that nothing needs any more,
// and the target of a copy whose source is not needed afterwards. A tensor that
// a loop carries and a branch in it updates stays where it is, too.
class SharedTensors {
 public:
  // `ranges` are ComputeLiveRanges of the schedule. `kernels` may be null.
  SharedTensors(const Schedule& schedule, const std::vector<LiveRange>& ranges,
                const KernelEmitter* kernels);

  // The tensor that stands for all that share its memory.
  TensorId RepresentativeOf(TensorId tensor) const;
  // When any of them is live; of a representative.
  const LiveRange& range(TensorId tensor) const { return ranges_[tensor]; }
  // Whether a thunk at `position` writes `to` over `from`, element by element;
  // both are representatives.
  bool IsOverwrittenAt(TensorId from, TensorId to, int64_t position) const;

 private:
  struct Touch {
    TensorId tensor;
    int64_t position;
    int frame;
    const Step* step;
  };
  struct Overwrite {
    TensorId from, to;
    int64_t position;
    int frame;
  };

  void Walk(const std::vector<Step>& steps);
  void WalkStep(const Step& step);
  void TouchStep(const Step& step);
  void TouchAll(const std::vector<TensorId>& tensors, const Step& step);
  void AddOverwrites(const Step& step);
  bool IsTemporary(TensorId tensor) const;
  bool IsTouchedBetween(TensorId group, int64_t begin, int64_t end) const;
  void TryOverwrite(const Overwrite& overwrite);
  void TryCopy(const Overwrite& copy);
  // Whether every use of `to`, until a copy puts `from` into it, comes before
  // what changes the memory that the two would share.
  bool IsUnchangedWhileUsed(TensorId from, TensorId to,
                            const Overwrite& copy) const;
  bool IsCopyBetween(const Step& step, TensorId from, TensorId to) const;
  void Unite(TensorId from, TensorId to);

  const Schedule& schedule_;
  const KernelEmitter* const kernels_;
  std::vector<TensorId> parents_;
  std::vector<LiveRange> ranges_;
  // All in the order of the walk, which is that of ComputeLiveRanges.
  std::vector<Touch> touches_;
  std::vector<Overwrite> overwrites_;
  std::vector<Overwrite> copies_;
  int64_t position_ = 0;
  StepFrames frames_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_SHARED_TENSORS_H_
