#include "tests/cuda_emulation/emulated_cuda.h"

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

#include "gtest/gtest.h"

namespace lockstep::internal::cuda {
namespace {

[[noreturn]] void Die(const std::string& why) {
  std::fprintf(stderr, "%s\n", why.c_str());
  std::abort();
}

void* OpenEmulation(const std::string& name) {
  std::string error;
  void* library = OpenLibrary(EmulationPath() + "/" + name, &error);
  if (library == nullptr) Die(error);
  return library;
}

template <class F>
void Find(void* library, const char* symbol, F& function) {
  function = reinterpret_cast<F>(dlsym(library, symbol));
  if (function == nullptr) Die(std::string(symbol) + " is missing");
}

}  // namespace

std::string EmulationPath() { return "tests/cuda_emulation"; }

void* OpenLibrary(const std::string& path, std::string* error) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) *error = dlerror();
  return library;
}

NvrtcFunctions FindNvrtc(void* library) {
  NvrtcFunctions functions;
#define LOCKSTEP_FIND(member, symbol, ...) \
  Find(library, symbol, functions.member);
  LOCKSTEP_NVRTC_FUNCTIONS(LOCKSTEP_FIND)
#undef LOCKSTEP_FIND
  return functions;
}

const DriverFunctions& Driver() {
  static const auto* const functions = [] {
    auto* functions = new DriverFunctions;
    void* library = OpenEmulation("libcuda.so.1");
#define LOCKSTEP_FIND(member, symbol, ...) \
  Find(library, symbol, functions->member);
    LOCKSTEP_CUDA_DRIVER_FUNCTIONS(LOCKSTEP_FIND)
#undef LOCKSTEP_FIND
    if (functions->cuInit(0) != CUDA_SUCCESS) Die("cuInit failed");
    return functions;
  }();
  return *functions;
}

const NvrtcFunctions& Nvrtc() {
  static const auto* const functions =
      new NvrtcFunctions(FindNvrtc(OpenEmulation("libnvrtc.so.13")));
  return *functions;
}

const CublasLtFunctions& CublasLt() {
  static const auto* const functions = [] {
    auto* functions = new CublasLtFunctions;
    void* library = OpenEmulation("libcublasLt.so.13");
#define LOCKSTEP_FIND(member, symbol, ...) \
  Find(library, symbol, functions->member);
    LOCKSTEP_CUBLAS_LT_FUNCTIONS(LOCKSTEP_FIND)
#undef LOCKSTEP_FIND
    return functions;
  }();
  return *functions;
}

const NcclFunctions& Nccl() {
  static const auto* const functions = [] {
    auto* functions = new NcclFunctions;
    void* library = OpenEmulation("libnccl.so.2");
#define LOCKSTEP_FIND(member, symbol, ...) \
  Find(library, symbol, functions->member);
    LOCKSTEP_NCCL_FUNCTIONS(LOCKSTEP_FIND)
#undef LOCKSTEP_FIND
    return functions;
  }();
  return *functions;
}

const EmulationHooks& Hooks() {
  static const auto* const hooks = [] {
    auto* hooks = new EmulationHooks;
    void* library = OpenEmulation("libcuda.so.1");
#define LOCKSTEP_FIND(member, result, symbol, ...) \
  Find(library, symbol, hooks->member);
    LOCKSTEP_CUDA_EMULATION_HOOKS(LOCKSTEP_FIND)
#undef LOCKSTEP_FIND
    return hooks;
  }();
  return *hooks;
}

Compilation Compile(const NvrtcFunctions& nvrtc, const std::string& text,
                    const std::vector<const char*>& options) {
  Compilation compilation;
  nvrtcProgram program = nullptr;
  compilation.result = nvrtc.nvrtcCreateProgram(
      &program, text.c_str(), "sample.cu", 0, nullptr, nullptr);
  if (compilation.result != NVRTC_SUCCESS) return compilation;
  compilation.result = nvrtc.nvrtcCompileProgram(
      program, static_cast<int>(options.size()), options.data());
  size_t size = 0;
  nvrtc.nvrtcGetProgramLogSize(program, &size);
  compilation.log.resize(size);
  nvrtc.nvrtcGetProgramLog(program, compilation.log.data());
  if (compilation.result == NVRTC_SUCCESS) {
    nvrtc.nvrtcGetCUBINSize(program, &size);
    compilation.cubin.resize(size);
    nvrtc.nvrtcGetCUBIN(program, compilation.cubin.data());
  }
  nvrtc.nvrtcDestroyProgram(&program);
  return compilation;
}

EmulatedDevice::EmulatedDevice(int ordinal) : ordinal_(ordinal) {
  EXPECT_EQ(Driver().cuDevicePrimaryCtxRetain(&context_, ordinal),
            CUDA_SUCCESS);
  EXPECT_EQ(Driver().cuCtxSetCurrent(context_), CUDA_SUCCESS);
  EXPECT_EQ(Driver().cuStreamCreate(&stream_, CU_STREAM_NON_BLOCKING),
            CUDA_SUCCESS);
}

EmulatedDevice::~EmulatedDevice() {
  EXPECT_EQ(Driver().cuDevicePrimaryCtxRelease(ordinal_), CUDA_SUCCESS);
}

CUfunction EmulatedDevice::Load(const std::string& text,
                                const std::string& name) {
  Compilation compilation = Compile(Nvrtc(), text);
  EXPECT_EQ(compilation.result, NVRTC_SUCCESS) << compilation.log;
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  if (compilation.result != NVRTC_SUCCESS) return function;
  EXPECT_EQ(Driver().cuModuleLoadData(&module, compilation.cubin.data()),
            CUDA_SUCCESS);
  EXPECT_EQ(Driver().cuModuleGetFunction(&function, module, name.c_str()),
            CUDA_SUCCESS);
  return function;
}

CUdeviceptr EmulatedDevice::PutBytes(const void* bytes, size_t size) {
  CUdeviceptr address = 0;
  EXPECT_EQ(Driver().cuMemAlloc(&address, size), CUDA_SUCCESS);
  EXPECT_EQ(Driver().cuMemcpyHtoDAsync(address, bytes, size, stream_),
            CUDA_SUCCESS);
  return address;
}

void EmulatedDevice::GetBytes(void* to, CUdeviceptr from, size_t size) {
  EXPECT_EQ(Driver().cuMemcpyDtoHAsync(to, from, size, stream_), CUDA_SUCCESS);
  EXPECT_EQ(Driver().cuStreamSynchronize(stream_), CUDA_SUCCESS);
}

}  // namespace lockstep::internal::cuda
