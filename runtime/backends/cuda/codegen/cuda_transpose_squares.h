#ifndef LOCKSTEP_RUNTIME_BACKENDS_CUDA_CODEGEN_CUDA_TRANSPOSE_SQUARES_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CUDA_CODEGEN_CUDA_TRANSPOSE_SQUARES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/backends/cuda/codegen/cuda_kernel_text.h"
#include "runtime/backends/cuda/codegen/cuda_loop_work.h"
#include "runtime/kernels/element_emitter.h"

namespace lockstep::internal {

// A transpose in registers: each thread takes a square of `width` * `width`
// elements of the loops `along`, the outputs' fastest, and `across`, that of
// the inputs that lie across the outputs. Both are multiples of the width.
class CudaTransposeSquares {
 public:
  static constexpr int kThreads = 256;

  // The work outlives it. `is_tiled`, by load: the inputs that lie across.
  CudaTransposeSquares(const CudaLoopWork& work, const MergedLoop& along,
                       const MergedLoop& across, std::vector<bool> is_tiled,
                       int64_t width);

  // How far the squares of a block reach.
  int64_t side_along() const { return width_ << along_bits_; }
  int64_t side_across() const { return width_ << across_bits_; }

  // The code of a block whose first element is at `along` and `across`.
  void Emit(CudaKernelText& text, ElementEmitter& emitter) const;

 private:
  // A thread's place among those along, 'a', or across, 'c'.
  std::string PlaceOf(char direction) const;
  std::string PackType(const CudaAccess& access) const;
  bool IsPacked(const CudaAccess& access) const;
  void SetPlace(CudaKernelText& text, ElementEmitter& emitter,
                absl::string_view along, absl::string_view across) const;
  void EmitLoads(CudaKernelText& text, ElementEmitter& emitter) const;
  void EmitLanes(CudaKernelText& text, ElementEmitter& emitter) const;

  const CudaLoopWork& work_;
  const MergedLoop along_;
  const MergedLoop across_;
  const std::vector<bool> is_tiled_;
  const int64_t width_;
  int along_bits_ = 0;
  int across_bits_ = 0;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CUDA_CODEGEN_CUDA_TRANSPOSE_SQUARES_H_
