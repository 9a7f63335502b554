#ifndef LOCKSTEP_RUNTIME_BACKENDS_CUDA_CODEGEN_CUDA_ROW_REDUCTION_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CUDA_CODEGEN_CUDA_ROW_REDUCTION_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "runtime/backends/cuda/codegen/cuda_kernel_text.h"
#include "runtime/backends/cuda/codegen/cuda_row_plan.h"
#include "runtime/kernels/element_emitter.h"
#include "runtime/kernels/reduce_body.h"

namespace lockstep::internal {

// The code of one reduction: what it has come to in a thread, and how threads
// combine that. All outlive it.
class CudaRowReduction {
 public:
  // Declares the accumulators. `plan`: of the threads that combine.
  CudaRowReduction(const ReduceBody& body, const RowPlan& plan,
                   CudaKernelText& text, ElementEmitter& emitter);

  const ReduceBody& body() const { return body_; }
  const std::string& accumulator(int i) const { return accumulators_[i]; }

  // Combines with elements that stand behind all those before.
  void Add(const std::vector<int>& elements) { Combine(elements, "true"); }
  // Over the partners of a row, into all of them.
  void CombinePartners();
  // body(init values, all elements). Where threads begin with the init values
  // that has happened.
  void AddInits();
  // The op's results, in all threads.
  std::vector<int> Finish();

 private:
  std::vector<int> Accumulators() const;
  void Assign(const std::vector<int>& values);
  // With others that stand behind; `has_others`: whether there are any.
  void Combine(const std::vector<int>& others, absl::string_view has_others);
  // Over `lanes` neighbours, into the first of them.
  void CombineLanes(int lanes);
  // Over `slots` slots of shared memory of `size`, into all threads. A thread
  // that `gives` writes `slot`; a thread reads `read` of the slots i, from 0.
  void CombineShared(int size, int slots, absl::string_view gives,
                     absl::string_view slot, absl::string_view read);

  const ReduceBody& body_;
  const RowPlan& plan_;
  CudaKernelText& text_;
  CudaLines& lines_;
  ElementEmitter& emitter_;
  // Threads begin with the init values; else with their first element, the
  // init values come at the end, and `has_` tells whether there is one.
  const bool begins_with_init_;
  std::string has_;
  std::vector<std::string> accumulators_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CUDA_CODEGEN_CUDA_ROW_REDUCTION_H_
