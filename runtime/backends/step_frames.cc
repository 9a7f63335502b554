#include "runtime/backends/step_frames.h"

namespace lockstep::internal {

int StepFrames::LoopOf(int frame) const {
  while (frame != 0 && !frames_[frame].is_loop) frame = frames_[frame].parent;
  return frame;
}

StepFrames::Relation StepFrames::Between(int a, int b) const {
  int below_a = a, below_b = b;  // the last ones that are not common
  while (a != b) {
    const bool moves_a = frames_[a].depth >= frames_[b].depth;
    const bool moves_b = frames_[b].depth >= frames_[a].depth;
    if (moves_a) {
      below_a = a;
      a = frames_[a].parent;
    }
    if (moves_b) {
      below_b = b;
      b = frames_[b].parent;
    }
  }
  const Frame& x = frames_[below_a];
  const Frame& y = frames_[below_b];
  const bool are_branches = below_a != a && below_b != b && !x.is_loop &&
                            !y.is_loop && x.conditional == y.conditional &&
                            x.branch != y.branch;
  return {LoopOf(a), are_branches};
}

}  // namespace lockstep::internal
