#ifndef LOCKSTEP_RUNTIME_BACKENDS_CUDA_CODEGEN_CUDA_ROW_WORK_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CUDA_CODEGEN_CUDA_ROW_WORK_H_

#include <cstdint>
#include <vector>

#include "runtime/backends/cuda/codegen/cuda_accesses.h"
#include "runtime/backends/cuda/codegen/cuda_row_plan.h"
#include "runtime/kernels/element_emitter.h"
#include "runtime/kernels/kernel_graph.h"
#include "runtime/kernels/loop_space.h"
#include "runtime/kernels/reduce_body.h"
#include "runtime/kernels/row_passes.h"

namespace lockstep::internal {

// What a walk through a row needs to know.
struct RowAccesses {
  int64_t length = 1;
  std::vector<MergedLoop> reduced_loops;  // of the row
  std::vector<MergedLoop> loops;          // all, those of the row last
  std::vector<CudaAccess> loads;
  std::vector<CudaAccess> stores;  // of elements of the row, by output
  std::vector<RowSpill> spills;    // what stays in registers between passes
  TensorIndex full_index;
};

// What the kernel of a graph of kind kReduce has to do. The rows' reductions go
// in passes, from 1; what has the elements' dims is written in one more. The
// graph outlives it.
class CudaRowWork {
 public:
  explicit CudaRowWork(const KernelGraph& graph);
  // Must have been called, and returned true: false is that there is no code.
  bool Plan();

  const KernelGraph& graph() const { return graph_; }
  const LoopSpace& space() const { return space_; }
  const std::vector<MergedLoop>& kept_loops() const { return kept_loops_; }
  const RowAccesses& accesses() const { return accesses_; }
  const RowPlan& plan() const { return plan_; }
  int64_t rows() const { return rows_; }
  int passes() const { return static_cast<int>(reduces_of_pass_.size()) - 1; }
  // All reductions, and those of a pass.
  const std::vector<ReduceBody>& reduces() const { return reduces_; }
  const std::vector<const ReduceBody*>& reduces_of(int pass) const {
    return reduces_of_pass_[static_cast<size_t>(pass)];
  }
  // Whether the value has the elements' dims; else it has the rows'.
  bool IsFull(const Value* value) const {
    return value->shape().dims() == full_.dims();
  }
  // Of the row that the element at `full` belongs to.
  TensorIndex KeptOf(const TensorIndex& full) const;

 private:
  void Rehearse(ElementEmitter& emitter);
  void FindAccesses();
  RowSizes Sizes() const;
  bool AreColumns() const;

  const KernelGraph& graph_;
  CudaLoads loads_;
  LoopSpace space_;
  std::vector<ReduceBody> reduces_;
  std::vector<std::vector<const ReduceBody*>> reduces_of_pass_;
  Shape full_;
  Shape kept_;
  std::vector<bool> is_reduced_;
  std::vector<MergedLoop> kept_loops_;
  RowAccesses accesses_;
  int64_t rows_ = 1;
  RowPlan plan_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CUDA_CODEGEN_CUDA_ROW_WORK_H_
