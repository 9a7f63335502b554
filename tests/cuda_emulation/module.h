#ifndef LOCKSTEP_TESTS_CUDA_EMULATION_MODULE_H_
#define LOCKSTEP_TESTS_CUDA_EMULATION_MODULE_H_

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "runtime/cuda/driver_api.h"
#include "tests/cuda_emulation/kernel_abi.h"

namespace lockstep::internal::cuda {

// A loaded program. Any thread.
class EmulatedModule {
 public:
  // Null when `image` is not what NVRTC made (cubin.h).
  static std::shared_ptr<EmulatedModule> Load(const void* image);
  ~EmulatedModule();
  EmulatedModule(const EmulatedModule&) = delete;
  EmulatedModule& operator=(const EmulatedModule&) = delete;

  const lockstep_emulation::Program& program() const { return *program_; }
  // Null if it has no such kernel.
  const lockstep_emulation::Kernel* Find(const std::string& name) const;
  // Of all its kernels.
  size_t shared_bytes() const { return shared_bytes_; }

  // Fills the shared memory of the calling thread with garbage.
  void SpoilSharedMemory() const;

 private:
  EmulatedModule(void* library, const lockstep_emulation::Program* program);
  void FindSharedMemory();

  void* const library_;
  const lockstep_emulation::Program* const program_;
  // The thread's variables of the program: all shared memory but its registers.
  size_t thread_bytes_ = 0;
  size_t registers_at_ = 0;
  size_t shared_bytes_ = 0;
};

// A kernel of a module; what CUfunction points to.
struct EmulatedFunction {
  std::shared_ptr<EmulatedModule> module;
  const lockstep_emulation::Kernel* kernel;
};

// Memory is made of these where anything may lie in it.
struct alignas(16) AlignedUnit {
  std::byte bytes[16];
};

// One launch of a kernel.
struct EmulatedKernelLaunch {
  // Keeps copies of the parameters' values.
  EmulatedKernelLaunch(std::shared_ptr<const EmulatedFunction> function,
                       lockstep_emulation::Index grid,
                       lockstep_emulation::Index block, size_t shared_bytes,
                       void** parameters);

  // On this thread; says on stderr why it failed.
  CUresult Run() const;

  std::shared_ptr<const EmulatedFunction> function;
  lockstep_emulation::Index grid;
  lockstep_emulation::Index block;
  size_t shared_bytes;
  std::vector<AlignedUnit> values;   // Of all parameters,
  std::vector<size_t> value_begins;  // which begin at these units.
};

}  // namespace lockstep::internal::cuda

#endif  // LOCKSTEP_TESTS_CUDA_EMULATION_MODULE_H_
