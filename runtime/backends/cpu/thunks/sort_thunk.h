#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_THUNKS_SORT_THUNK_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_THUNKS_SORT_THUNK_H_

#include <memory>
#include <vector>

#include "runtime/backends/cpu/codegen/kernel_compiler.h"
#include "runtime/backends/cpu/sorting/sort_order.h"
#include "runtime/executable/host_thunk.h"
#include "runtime/kernels/kernel_request.h"

namespace lockstep::internal {

// stablehlo.sort, stable. Comparators that order by keys go by radix; others,
// and lanes whose keys cannot tell (NaNs), by merges from the bottom up, which
// end whatever the comparator says.
class SortThunk : public HostThunk {
 public:
  // Null when there is no code for the comparator.
  static std::unique_ptr<SortThunk> Create(const KernelRequest& request,
                                           KernelCompiler& compiler);

  std::vector<BufferUse> buffer_uses() const override;
  absl::Status ExecuteOnHost(HostContext& context) const override;

 private:
  SortThunk(const KernelRequest& request, int64_t dim,
            std::vector<SortKey> keys, std::shared_ptr<const Kernel> merge);

  // Sorts lanes [first, last) in memory of ScratchBytes.
  void SortLanes(HostContext& context, int64_t first, int64_t last,
                 std::byte* scratch) const;
  int64_t ScratchBytes() const;
  // Both by the comparator alone. `order` receives the positions.
  void Merge(HostContext& context, int64_t first_element, std::byte* scratch,
             uint32_t* order) const;
  // Neighbouring runs of `width`; `numbers` are those of the kernel.
  void MergePairs(int64_t width, uint32_t* from, uint32_t* to,
                  std::vector<char*>& buffers, int64_t* numbers) const;

  const std::vector<TensorSlice> operands_;
  const std::vector<TensorSlice> results_;
  int64_t lanes_ = 0;
  int64_t size_ = 0;                 // of a lane
  int64_t stride_ = 1;               // between its elements
  const std::vector<SortKey> keys_;  // none: the comparator decides
  const std::shared_ptr<const Kernel> merge_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_THUNKS_SORT_THUNK_H_
