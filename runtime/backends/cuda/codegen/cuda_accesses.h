#ifndef LOCKSTEP_RUNTIME_BACKENDS_CUDA_CODEGEN_CUDA_ACCESSES_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CUDA_CODEGEN_CUDA_ACCESSES_H_

#include <cstdint>
#include <vector>

#include "runtime/kernels/element_emitter.h"
#include "runtime/kernels/index_map.h"
#include "runtime/kernels/loop_space.h"

namespace lockstep::internal {

// A load or store of an element.
struct CudaAccess {
  int buffer = 0;
  LinearIndex offset;
  ElementType type = ElementType::kF32;
  bool is_conditional = false;  // always: other places may not be there
  // The passes of the kernel that do it.
  int first_pass = 0;
  int last_pass = 0;
};

// What an emission loads from the inputs, each position once.
class CudaLoads {
 public:
  explicit CudaLoads(const KernelGraph& graph) : graph_(graph) {}

  // Lets the emitter's loads be noted, as those of the pass that is set. Those
  // noted before are forgotten.
  void Record(ElementEmitter& emitter);
  void set_pass(int pass) { pass_ = pass; }
  const std::vector<CudaAccess>& loads() const { return loads_; }

 private:
  const KernelGraph& graph_;
  int pass_ = 0;
  std::vector<CudaAccess> loads_;
};

// Whether the elements of `width` iterations of `loop`, from a multiple of
// `width` on, lie side by side from a multiple of `width` on, for all places of
// the other `loops`.
bool IsPackable(const CudaAccess& access, int64_t loop, int64_t width,
                const std::vector<MergedLoop>& loops);

// How many iterations of the last of `loops` a thread takes at once: as many
// elements as there are in 16 bytes of the smallest type and in 32 of the
// largest, of what it can load and store like that; a power of 2 that divides
// the loop unless `may_have_rest`. 1 where there is no such load or store.
int PackWidth(const std::vector<CudaAccess>& loads,
              const std::vector<CudaAccess>& stores,
              const std::vector<MergedLoop>& loops, bool may_have_rest);

// Whether a scalar of each input and output is one register.
bool AreWords(const KernelGraph& graph);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CUDA_CODEGEN_CUDA_ACCESSES_H_
