#ifndef LOCKSTEP_RUNTIME_KERNELS_ROW_PASSES_H_
#define LOCKSTEP_RUNTIME_KERNELS_ROW_PASSES_H_

#include <set>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "runtime/kernels/kernel_graph.h"

namespace lockstep::internal {

// How many reductions follow from each other up to a value.
class ReductionDepth {
 public:
  explicit ReductionDepth(const KernelGraph& graph);

  int Of(const Value* value);
  // The reductions met so far, each after those that it follows from.
  const std::vector<const Op*>& reduces() const { return reduces_; }

 private:
  absl::flat_hash_map<const Value*, int> depths_;
  std::vector<const Op*> reduces_;
};

// A value of full shape that several passes over a row use.
struct RowSpill {
  const Value* value = nullptr;
  int first_pass = 0;
};

// Which values of full shape the passes of a row kernel compute.
class RowPasses {
 public:
  // The graph outlives it.
  RowPasses(const KernelGraph& graph, absl::Span<const int64_t> full_dims);

  // `pass` uses `value`, and what it is computed from.
  void Need(const Value* value, int pass);

  // The values to keep: dear to compute, used by several passes, and of those
  // the last ones of their chains. In the order of the program.
  std::vector<RowSpill> Spills() const;

 private:
  bool IsDear(const Value* value) const;

  absl::flat_hash_map<const Value*, std::set<int>> passes_;
  std::vector<const Value*> order_;  // of first need, operands first
  Dims full_dims_;
  std::set<const Value*> inputs_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_KERNELS_ROW_PASSES_H_
