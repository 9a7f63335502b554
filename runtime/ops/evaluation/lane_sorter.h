#ifndef LOCKSTEP_RUNTIME_OPS_EVALUATION_LANE_SORTER_H_
#define LOCKSTEP_RUNTIME_OPS_EVALUATION_LANE_SORTER_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "runtime/ops/evaluation/body_runner.h"
#include "runtime/ops/evaluation/evaluation.h"
#include "runtime/types/literal.h"

namespace lockstep::internal {

// Sorts all lanes along one dimension at the same time: a merge sort from the
// bottom up, in which one run of the comparator serves all merges of a pass.
// Stable; any comparator ends it. Used by one thread; context, comparator and
// inputs outlive it. The inputs are not empty.
class LaneSorter {
 public:
  LaneSorter(EvaluationContext& context, const Region& comparator,
             absl::Span<const LiteralView> inputs, int64_t dim);

  // Errors are the comparator's.
  absl::Status Sort();

  // The indices of the elements, lane after lane; before Sort, where they are.
  const std::vector<int64_t>& order() const { return order_; }

 private:
  // Two sorted runs that become one.
  struct Merge {
    int64_t left, left_end, right, right_end, out;
  };

  absl::Status MergePass(int64_t width, std::vector<int64_t>& merged);
  bool FinishWhenOneSided(const Merge& merge, std::vector<int64_t>& merged);
  absl::Status TakeOneOfEach(std::vector<Merge>& merges,
                             std::vector<int64_t>& merged);
  // is_less_[i] = comparator(x[i], y[i]).
  absl::Status Compare(const std::vector<int64_t>& x,
                       const std::vector<int64_t>& y);

  const absl::Span<const LiteralView> inputs_;
  BodyRunner comparator_;
  int64_t length_ = 0;
  std::vector<int64_t> order_;
  std::vector<std::vector<std::byte>> elements_;
  std::vector<std::byte> is_less_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_OPS_EVALUATION_LANE_SORTER_H_
