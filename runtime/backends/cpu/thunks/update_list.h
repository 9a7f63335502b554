#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_THUNKS_UPDATE_LIST_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_THUNKS_UPDATE_LIST_H_

#include <cstdint>
#include <vector>

#include "runtime/ops/geometry/indexed_windows.h"
#include "runtime/types/literal.h"

namespace lockstep::internal {

// Where the updates of a scatter go: runs of neighbours in the updates and in
// the input, in the order of the updates. What is outside the input is left
// out.
class UpdateList {
 public:
  UpdateList(const IndexedWindows& windows, const Shape& input,
             const Shape& indices, const Shape& updates);

  // Whether runs have one element each.
  bool has_single_elements() const { return run_ == 1 && clipped_ < 0; }

  // Writes runs, {target, source} or {target, source, count}, to `list`, at
  // most `room`, and returns how many; 0 at the end. One after the other from
  // the first to the last; the walk begins with `position` 0.
  int64_t Fill(const LiteralView& indices, int64_t* position, int64_t room,
               int64_t* list) const;

 private:
  // A dim of the updates outside the runs.
  struct Loop {
    int64_t size = 1;
    int64_t index_stride = 0;  // elements of the indices
    // What it moves along in the input; -1: nothing.
    int64_t input_dim = -1;
  };
  // A dim of the input in which the place of a run varies.
  struct Axis {
    int64_t size = 0;
    int64_t stride = 0;
    // Offset of the index component in the indices; -1: none.
    int64_t component = -1;
    int64_t moved = 0;  // by the loops; while walking
  };

  template <typename Index>
  int64_t FillFrom(const Index* indices, int64_t* position, int64_t room,
                   int64_t* list) const;

  std::vector<Loop> loops_;  // outermost first
  std::vector<Axis> axes_;
  std::vector<int64_t> axis_of_loop_;
  int64_t count_ = 1;  // of all loops
  int64_t run_ = 1;    // elements of a run
  // The axis along which runs lie, of which they may leave the input; -1:
  // none. Its elements are `inner_` apart.
  int64_t clipped_ = -1;
  int64_t inner_ = 1;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_THUNKS_UPDATE_LIST_H_
