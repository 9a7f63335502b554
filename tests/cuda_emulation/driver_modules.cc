#include <algorithm>
#include <map>
#include <mutex>

#include "tests/cuda_emulation/driver_call.h"
#include "tests/cuda_emulation/settings.h"

namespace lockstep::internal::cuda {
namespace {

// What a module's handle stands for.
struct LoadedModule {
  std::shared_ptr<EmulatedModule> module;
  std::mutex mutex;
  std::map<std::string, CUfunction> functions;
};

using Modules = HandleTable<CUmodule, LoadedModule>;

constexpr unsigned kMaxThreads = 1024;
constexpr size_t kMaxShared = 49152;
constexpr unsigned kMaxGrid = 65535;  // In y and z.

}  // namespace

CUresult cuModuleLoadData(CUmodule* module, const void* image) {
  std::shared_ptr<Context> context;
  if (CUresult error = Enter("cuModuleLoadData", &context)) return error;
  if (CUresult error = Captures::Get().BreakForUnsafeCall()) return error;
  auto loaded = std::make_shared<LoadedModule>();
  loaded->module = EmulatedModule::Load(image);
  if (loaded->module == nullptr) return CUDA_ERROR_INVALID_IMAGE;
  *module = Modules::Get().Add(std::move(loaded));
  return CUDA_SUCCESS;
}

CUresult cuModuleUnload(CUmodule module) {
  std::shared_ptr<Context> context;
  CUresult error = Enter("cuModuleUnload", &context);
  if (context == nullptr) return error;
  std::shared_ptr<LoadedModule> removed = Modules::Get().Remove(module);
  if (removed == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  context->Synchronize();
  for (const auto& [name, function] : removed->functions) {
    Functions::Get().Remove(function);
  }
  return error;
}

CUresult cuModuleGetFunction(CUfunction* function, CUmodule module,
                             const char* name) {
  std::shared_ptr<Context> context;
  if (CUresult error = Enter("cuModuleGetFunction", &context)) return error;
  std::shared_ptr<LoadedModule> found = Modules::Get().Find(module);
  if (found == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  const lockstep_emulation::Kernel* kernel = found->module->Find(name);
  if (kernel == nullptr) return CUDA_ERROR_NOT_FOUND;
  std::lock_guard lock(found->mutex);
  CUfunction& handle = found->functions[name];
  if (handle == nullptr) {
    handle = Functions::Get().Add(std::make_shared<EmulatedFunction>(
        EmulatedFunction{.module = found->module, .kernel = kernel}));
  }
  *function = handle;
  return CUDA_SUCCESS;
}

CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute,
                            CUfunction function) {
  std::shared_ptr<Context> context;
  if (CUresult error = Enter("cuFuncGetAttribute", &context)) return error;
  std::shared_ptr<EmulatedFunction> found = Functions::Get().Find(function);
  if (found == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
      *value = found->kernel->max_threads;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
      *value = static_cast<int>(found->module->shared_bytes());
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
      *value = 0;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_NUM_REGS:
      *value = 32;
      return CUDA_SUCCESS;
  }
  return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks,
                                                     CUfunction function,
                                                     int threads,
                                                     size_t shared_bytes) {
  std::shared_ptr<Context> context;
  if (CUresult error =
          Enter("cuOccupancyMaxActiveBlocksPerMultiprocessor", &context)) {
    return error;
  }
  std::shared_ptr<EmulatedFunction> found = Functions::Get().Find(function);
  if (found == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (threads <= 0) return CUDA_ERROR_INVALID_VALUE;
  constexpr int kThreads = 2048;
  constexpr int kBlocks = 32;
  constexpr size_t kShared = size_t{228} << 10;
  constexpr size_t kReserved = 1024;  // Of shared memory, per block.
  shared_bytes += found->module->shared_bytes() + kReserved;
  *blocks = std::min({kBlocks, kThreads / ((threads + 31) / 32 * 32),
                      static_cast<int>(kShared / shared_bytes)});
  if (threads > found->kernel->max_threads) *blocks = 0;
  return CUDA_SUCCESS;
}

CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y,
                        unsigned grid_z, unsigned block_x, unsigned block_y,
                        unsigned block_z, unsigned shared_bytes,
                        CUstream stream, void** parameters, void** extra) {
  std::shared_ptr<Context> context;
  if (CUresult error = Enter("cuLaunchKernel", &context)) return error;
  std::shared_ptr<EmulatedFunction> found = Functions::Get().Find(function);
  if (found == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  const lockstep_emulation::Index grid = {grid_x, grid_y, grid_z};
  const lockstep_emulation::Index block = {block_x, block_y, block_z};
  uint64_t threads = uint64_t{block_x} * block_y * block_z;
  uint64_t blocks = uint64_t{grid_x} * grid_y * grid_z;
  if (threads == 0 || blocks == 0 || threads > kMaxThreads ||
      threads > static_cast<uint64_t>(found->kernel->max_threads) ||
      block_z > 64 || grid_x > 0x7fffffff || grid_y > kMaxGrid ||
      grid_z > kMaxGrid || extra != nullptr ||
      shared_bytes + found->module->shared_bytes() > kMaxShared) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  if (parameters == nullptr && found->kernel->parameter_count > 0) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  auto launch = std::make_shared<EmulatedKernelLaunch>(
      found, grid, block, shared_bytes, parameters);
  return AddOperation(*context, stream,
                      {.kind = Operation::Kind::kKernel,
                       .run = [launch]() -> CUresult {
                         if (int error = Settings::Get().Count("kernel")) {
                           return static_cast<CUresult>(error);
                         }
                         return launch->Run();
                       },
                       .function = found.get()});
}

}  // namespace lockstep::internal::cuda
