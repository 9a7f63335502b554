#ifndef LOCKSTEP_RUNTIME_BACKENDS_CUDA_CODEGEN_CUDA_ROW_WALK_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CUDA_CODEGEN_CUDA_ROW_WALK_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "runtime/backends/cuda/codegen/cuda_accesses.h"
#include "runtime/backends/cuda/codegen/cuda_kernel_text.h"
#include "runtime/backends/cuda/codegen/cuda_row_plan.h"
#include "runtime/backends/cuda/codegen/cuda_row_work.h"
#include "runtime/kernels/element_emitter.h"

namespace lockstep::internal {

// A thread's part of the walk through a row, or through a slice of it: packs
// that it loads, and what it keeps of them from pass to pass. The text has
// `has_row`, whether the row is there, and `slice` where there are several.
class CudaRowWalk {
 public:
  // All outlive it. `partner`: which of the row's threads this one is.
  CudaRowWalk(const RowPlan& plan, const RowAccesses& accesses,
              absl::string_view partner, CudaKernelText& text,
              ElementEmitter& emitter)
      : plan_(plan),
        accesses_(accesses),
        partner_(partner),
        text_(text),
        lines_(text.lines()),
        emitter_(emitter),
        load_packs_(accesses.loads.size()),
        store_packs_(accesses.stores.size()),
        kept_(accesses.spills.size()) {}

  // `body` for each element of the part; threads take neighbours where
  // `keeps_order`. Passes are numbered as those of the accesses.
  void Emit(int pass, bool keeps_order, const std::function<void()>& body);
  // In a body: the element of store `store` is `scalar`.
  void Store(size_t store, int scalar);

 private:
  int64_t groups() const { return accesses_.length / plan_.width; }
  int64_t loop() const { return accesses_.reduced_loops.back().last; }
  bool IsPacked(const CudaAccess& access) const {
    return IsPackable(access, loop(), plan_.width, accesses_.loops);
  }
  // Whether no thread's groups reach past the end.
  bool IsEven() const;
  std::string PackType(const CudaAccess& access) const;

  void EmitElements(bool keeps_order, const std::function<void()>& body);
  void EmitKept(int pass, const std::function<void()>& body);
  void EmitStreamed(int pass, const std::function<void()>& body);
  // Loads these for all groups of the thread, from group `base` on.
  void LoadGroups(absl::string_view base, const std::vector<size_t>& loads);
  void EmitGroups(absl::string_view base, int pass,
                  const std::function<void()>& body);
  void EmitLanes(int pass, const std::function<void()>& body);
  // A loop over the groups, with the variables at the first element of one.
  void ForEachGroup(absl::string_view base, const std::function<void()>& body);

  const RowPlan& plan_;
  const RowAccesses& accesses_;
  const std::string partner_;
  CudaKernelText& text_;
  CudaLines& lines_;
  ElementEmitter& emitter_;
  // The names of packs and arrays, "" where there is none: by load, store and
  // spill.
  std::vector<std::string> load_packs_;
  std::vector<std::string> store_packs_;
  std::vector<std::string> kept_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CUDA_CODEGEN_CUDA_ROW_WALK_H_
