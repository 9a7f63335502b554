#include <memory>

#include "tests/cuda_emulation/driver_call.h"
#include "tests/cuda_emulation/hooks.h"
#include "tests/cuda_emulation/memory_map.h"
#include "tests/cuda_emulation/settings.h"

namespace lockstep::internal::cuda {
namespace hooks {

#define LOCKSTEP_DECLARE(member, result, symbol, ...)              \
  extern "C" __attribute__((visibility("default"))) result member( \
      __VA_ARGS__) __asm__(symbol);
LOCKSTEP_CUDA_EMULATION_HOOKS(LOCKSTEP_DECLARE)
#undef LOCKSTEP_DECLARE

bool set(const char* settings) { return Settings::Get().Set(settings); }

int64_t count(const char* function) {
  return Settings::Get().Counted(function);
}

int64_t bytes(int device) { return MemoryMap::Get().BytesInUse(device); }

int fault(const char* function) { return Settings::Get().Count(function); }

int device() {
  std::shared_ptr<Context> context = Context::Current();
  return context == nullptr ? -1 : context->device();
}

void* content(CUdeviceptr address, size_t bytes) {
  return MemoryMap::Get().Content(address, bytes);
}

CUresult enqueue(CUstream stream, CUresult (*run)(void* data),
                 void (*forget)(void* data), void* data) {
  std::shared_ptr<void> owned(data, forget);
  std::shared_ptr<Context> context = Context::Current();
  if (context == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  if (context->error() != CUDA_SUCCESS) return context->error();
  return AddOperation(*context, stream,
                      {.kind = Operation::Kind::kLibrary,
                       .run = [run, owned] { return run(owned.get()); }});
}

}  // namespace hooks
}  // namespace lockstep::internal::cuda
