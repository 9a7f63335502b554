#ifndef LOCKSTEP_RUNTIME_KERNELS_LOOP_SPACE_H_
#define LOCKSTEP_RUNTIME_KERNELS_LOOP_SPACE_H_

#include <vector>

#include "runtime/kernels/index_map.h"

namespace lockstep::internal {

// The loops over the elements of one shape, outermost first, and the index of
// the element that they are at. A dimension may be several loops.
class LoopSpace {
 public:
  // A loop per dimension.
  explicit LoopSpace(absl::Span<const int64_t> dims);

  const Dims& sizes() const { return sizes_; }
  int64_t loops() const { return static_cast<int64_t>(sizes_.size()); }
  // The dimension that loop `i` runs over.
  int64_t dim_of(int64_t i) const { return dim_of_[i]; }
  // Of the current element.
  TensorIndex index() const;

  // Makes two loops of `loop`, the inner one of size `inner`.
  void Split(int64_t loop, int64_t inner);

 private:
  int64_t rank_;
  Dims sizes_;
  Dims dim_of_;
};

// Loops that can run as one, since everything that is read or written lies at
// the same distance from one iteration to the next. `loops` are neighbours,
// outermost first; the merged loop counts in steps of the last.
struct MergedLoop {
  int64_t size = 1;
  int64_t first = 0;
  int64_t last = 0;
};

// Merges neighbours of `order`, some of the loops of `sizes`, as far as the
// `uses` of the loops allow.
std::vector<MergedLoop> MergeLoops(absl::Span<const int64_t> sizes,
                                   absl::Span<const int64_t> order,
                                   const std::vector<LinearIndex>& uses);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_KERNELS_LOOP_SPACE_H_
