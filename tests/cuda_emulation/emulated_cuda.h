#ifndef LOCKSTEP_TESTS_CUDA_EMULATION_EMULATED_CUDA_H_
#define LOCKSTEP_TESTS_CUDA_EMULATION_EMULATED_CUDA_H_

#include <string>
#include <vector>

#include "runtime/cuda/cublas_lt_api.h"
#include "runtime/cuda/driver_api.h"
#include "runtime/cuda/nccl_api.h"
#include "runtime/cuda/nvrtc_api.h"
#include "tests/cuda_emulation/hooks.h"

namespace lockstep::internal::cuda {

// Functions of one library by the names of their list. Null where it has not
// one.
struct DriverFunctions {
#define LOCKSTEP_MEMBER(member, symbol, ...) \
  CUresult (*member)(__VA_ARGS__) = nullptr;
  LOCKSTEP_CUDA_DRIVER_FUNCTIONS(LOCKSTEP_MEMBER)
#undef LOCKSTEP_MEMBER
};

struct NvrtcFunctions {
#define LOCKSTEP_MEMBER(member, symbol, ...) \
  nvrtcResult (*member)(__VA_ARGS__) = nullptr;
  LOCKSTEP_NVRTC_FUNCTIONS(LOCKSTEP_MEMBER)
#undef LOCKSTEP_MEMBER
};

struct CublasLtFunctions {
#define LOCKSTEP_MEMBER(member, symbol, ...) \
  cublasStatus_t (*member)(__VA_ARGS__) = nullptr;
  LOCKSTEP_CUBLAS_LT_FUNCTIONS(LOCKSTEP_MEMBER)
#undef LOCKSTEP_MEMBER
};

struct NcclFunctions {
#define LOCKSTEP_MEMBER(member, symbol, ...) \
  ncclResult_t (*member)(__VA_ARGS__) = nullptr;
  LOCKSTEP_NCCL_FUNCTIONS(LOCKSTEP_MEMBER)
#undef LOCKSTEP_MEMBER
};

struct EmulationHooks {
#define LOCKSTEP_MEMBER(member, result, symbol, ...) \
  result (*member)(__VA_ARGS__) = nullptr;
  LOCKSTEP_CUDA_EMULATION_HOOKS(LOCKSTEP_MEMBER)
#undef LOCKSTEP_MEMBER
};

// The emulated libraries, loaded into this process and initialised. All fail
// the process where a file or a symbol is missing.
const DriverFunctions& Driver();
const NvrtcFunctions& Nvrtc();
const CublasLtFunctions& CublasLt();
const NcclFunctions& Nccl();
const EmulationHooks& Hooks();

// The folder of the libraries, for LOCKSTEP_CUDA_PATH.
std::string EmulationPath();

// A library, or null; with dlerror's text.
void* OpenLibrary(const std::string& path, std::string* error);
NvrtcFunctions FindNvrtc(void* library);

struct Compilation {
  nvrtcResult result;
  std::string cubin;
  std::string log;
};
Compilation Compile(const NvrtcFunctions& nvrtc, const std::string& text,
                    const std::vector<const char*>& options = {
                        "--gpu-architecture=sm_90", "--std=c++17",
                        "--fmad=false", "-default-device"});

// A context of a device, current on this thread, with a stream. Ends the
// context, and with it its errors, when it goes.
class EmulatedDevice {
 public:
  explicit EmulatedDevice(int ordinal = 0);
  ~EmulatedDevice();
  EmulatedDevice(const EmulatedDevice&) = delete;
  EmulatedDevice& operator=(const EmulatedDevice&) = delete;

  CUcontext context() const { return context_; }
  CUstream stream() const { return stream_; }

  // The function of a program that has one kernel of that name.
  CUfunction Load(const std::string& text, const std::string& name);

  template <class T>
  CUdeviceptr Put(const std::vector<T>& values) {
    return PutBytes(values.data(), values.size() * sizeof(T));
  }
  template <class T>
  std::vector<T> Get(CUdeviceptr from, size_t count) {
    std::vector<T> values(count);
    GetBytes(values.data(), from, count * sizeof(T));
    return values;
  }

  // Launches on the stream, with blocks in one dimension.
  template <class... T>
  CUresult Launch(CUfunction function, unsigned blocks, unsigned threads,
                  T... parameters) {
    void* pointers[] = {&parameters..., nullptr};
    return Driver().cuLaunchKernel(function, blocks, 1, 1, threads, 1, 1, 0,
                                   stream_, pointers, nullptr);
  }

 private:
  CUdeviceptr PutBytes(const void* bytes, size_t size);
  void GetBytes(void* to, CUdeviceptr from, size_t size);

  const int ordinal_;
  CUcontext context_ = nullptr;
  CUstream stream_ = nullptr;
};

}  // namespace lockstep::internal::cuda

#endif  // LOCKSTEP_TESTS_CUDA_EMULATION_EMULATED_CUDA_H_
