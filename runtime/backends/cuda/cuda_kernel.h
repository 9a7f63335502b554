#ifndef LOCKSTEP_RUNTIME_BACKENDS_CUDA_CUDA_KERNEL_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CUDA_CUDA_KERNEL_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "absl/types/span.h"
#include "runtime/backends/cuda/codegen/kernel_program.h"
#include "runtime/cuda/driver_api.h"
#include "runtime/devices/cuda/cuda_device.h"

namespace lockstep::internal {

// A kernel's machine code, and where it is loaded. Shared by the executables
// that use it; complete once CudaKernelCompiler::Finish has returned.
// Thread-safe.
class CudaKernel {
 public:
  // Without its text.
  explicit CudaKernel(KernelProgram program) : program_(std::move(program)) {}
  ~CudaKernel();
  CudaKernel(const CudaKernel&) = delete;
  CudaKernel& operator=(const CudaKernel&) = delete;

  const KernelProgram& program() const { return program_; }
  // By the compiler, before the kernel is used.
  void set_code(std::string code) { code_ = std::move(code); }
  const std::string& code() const { return code_; }

  // Puts the kernel on a stream of a device whose context is current, with the
  // addresses of its buffers and of its scratch memory if it has some; loads it
  // the first time.
  absl::Status Launch(CudaDevice& device, cuda::CUstream stream,
                      absl::Span<const cuda::CUdeviceptr> addresses) const;

 private:
  // By launch of the program.
  struct Loaded {
    cuda::CUfunction function = nullptr;
    unsigned blocks = 1;
  };
  struct LoadedModule {
    std::shared_ptr<LocalDevice> owner;
    CudaDevice* device = nullptr;
    cuda::CUmodule module = nullptr;
    std::vector<Loaded> functions;
  };

  // Stays where it is as long as the kernel.
  absl::StatusOr<const std::vector<Loaded>*> LoadOn(CudaDevice& device) const;

  const KernelProgram program_;
  std::string code_;
  mutable absl::Mutex mutex_;
  mutable std::map<const CudaDevice*, LoadedModule> modules_
      ABSL_GUARDED_BY(mutex_);
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CUDA_CUDA_KERNEL_H_
