#include <cstring>
#include <string>

#include "tests/cuda_emulation/driver_call.h"
#include "tests/cuda_emulation/memory_map.h"
#include "tests/cuda_emulation/settings.h"

namespace lockstep::internal::cuda {
namespace {

// Rows of bytes on one side of a copy.
struct Rows {
  CUdeviceptr address;  // Or null, and
  char* host;
  size_t pitch;

  // Where `bytes` are, or null.
  char* Find(size_t bytes) const {
    if (host != nullptr) return host;
    return static_cast<char*>(MemoryMap::Get().Content(address, bytes));
  }
};

Rows Device(CUdeviceptr address) { return {address, nullptr, 0}; }
Rows Host(const void* pointer) {
  return {0, static_cast<char*>(const_cast<void*>(pointer)), 0};
}

// Ends one copy or fill, of `height` rows of `width` bytes.
CUresult CopyRows(const Rows& to, const Rows& from, size_t width,
                  size_t height) {
  if (int error = Settings::Get().Count("copy")) {
    return static_cast<CUresult>(error);
  }
  if (width == 0 || height == 0) return CUDA_SUCCESS;
  char* target = to.Find((height - 1) * to.pitch + width);
  const char* source = from.Find((height - 1) * from.pitch + width);
  if (target == nullptr || source == nullptr) return CUDA_ERROR_ILLEGAL_ADDRESS;
  for (size_t row = 0; row < height; ++row) {
    std::memmove(target + row * to.pitch, source + row * from.pitch, width);
  }
  return CUDA_SUCCESS;
}

// From pageable memory the driver copies before it returns; all else is read
// and written at the operation's turn.
CUresult AddCopy(Context& context, CUstream stream, const Rows& to,
                 const Rows& from, size_t width, size_t height) {
  Operation operation{.kind = Operation::Kind::kCopy, .run = nullptr};
  if (from.host != nullptr && !MemoryMap::Get().IsPinned(from.host)) {
    size_t bytes =
        width == 0 || height == 0 ? 0 : (height - 1) * from.pitch + width;
    operation.run = [=, staged = std::string(from.host, bytes)] {
      Rows source = {0, const_cast<char*>(staged.data()), from.pitch};
      return CopyRows(to, source, width, height);
    };
  } else {
    operation.run = [=] { return CopyRows(to, from, width, height); };
  }
  return AddOperation(context, stream, std::move(operation));
}

CUresult Copy(const char* function, const Rows& to, const Rows& from,
              size_t bytes, CUstream stream) {
  std::shared_ptr<Context> context;
  if (CUresult error = Enter(function, &context)) return error;
  return AddCopy(*context, stream, to, from, bytes, 1);
}

}  // namespace

CUresult cuMemGetInfo(size_t* free, size_t* total) {
  std::shared_ptr<Context> context;
  if (CUresult error = Enter("cuMemGetInfo", &context)) return error;
  int64_t in_use = MemoryMap::Get().BytesInUse(context->device());
  *total = static_cast<size_t>(Settings::Get().memory());
  *free = *total - static_cast<size_t>(in_use);
  return CUDA_SUCCESS;
}

CUresult cuMemAlloc(CUdeviceptr* address, size_t bytes) {
  std::shared_ptr<Context> context;
  if (CUresult error = Enter("cuMemAlloc", &context)) return error;
  if (CUresult error = Captures::Get().BreakForUnsafeCall()) return error;
  return MemoryMap::Get().Allocate(context->device(), bytes,
                                   Settings::Get().memory(), address);
}

CUresult cuMemFree(CUdeviceptr address) {
  std::shared_ptr<Context> context;
  if (CUresult error = Enter("cuMemFree", &context)) return error;
  if (CUresult error = Captures::Get().BreakForUnsafeCall()) return error;
  if (address == 0) return CUDA_SUCCESS;
  context->Synchronize();  // As the driver does.
  return MemoryMap::Get().Free(address);
}

CUresult cuMemHostAlloc(void** address, size_t bytes, unsigned flags) {
  std::shared_ptr<Context> context;
  if (CUresult error = Enter("cuMemHostAlloc", &context)) return error;
  if (CUresult error = Captures::Get().BreakForUnsafeCall()) return error;
  return MemoryMap::Get().AllocatePinned(bytes, address);
}

CUresult cuMemFreeHost(void* address) {
  std::shared_ptr<Context> context;
  if (CUresult error = Enter("cuMemFreeHost", &context)) return error;
  if (CUresult error = Captures::Get().BreakForUnsafeCall()) return error;
  context->Synchronize();
  return MemoryMap::Get().FreePinned(address);
}

CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void* from, size_t bytes,
                           CUstream stream) {
  return Copy("cuMemcpyHtoDAsync", Device(to), Host(from), bytes, stream);
}

CUresult cuMemcpyDtoHAsync(void* to, CUdeviceptr from, size_t bytes,
                           CUstream stream) {
  return Copy("cuMemcpyDtoHAsync", Host(to), Device(from), bytes, stream);
}

CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes,
                           CUstream stream) {
  return Copy("cuMemcpyDtoDAsync", Device(to), Device(from), bytes, stream);
}

CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext to_context,
                           CUdeviceptr from, CUcontext from_context,
                           size_t bytes, CUstream stream) {
  if (to_context == nullptr || from_context == nullptr) {
    return CUDA_ERROR_INVALID_CONTEXT;
  }
  return Copy("cuMemcpyPeerAsync", Device(to), Device(from), bytes, stream);
}

CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D* copy, CUstream stream) {
  std::shared_ptr<Context> context;
  if (CUresult error = Enter("cuMemcpy2DAsync", &context)) return error;
  if (copy->WidthInBytes > copy->srcPitch && copy->Height > 1) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  if (copy->WidthInBytes > copy->dstPitch && copy->Height > 1) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  size_t from_begin = copy->srcY * copy->srcPitch + copy->srcXInBytes;
  size_t to_begin = copy->dstY * copy->dstPitch + copy->dstXInBytes;
  Rows from = copy->srcMemoryType == CU_MEMORYTYPE_HOST
                  ? Host(static_cast<const char*>(copy->srcHost) + from_begin)
                  : Device(copy->srcDevice + from_begin);
  Rows to = copy->dstMemoryType == CU_MEMORYTYPE_HOST
                ? Host(static_cast<char*>(copy->dstHost) + to_begin)
                : Device(copy->dstDevice + to_begin);
  from.pitch = copy->srcPitch;
  to.pitch = copy->dstPitch;
  return AddCopy(*context, stream, to, from, copy->WidthInBytes, copy->Height);
}

CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t bytes,
                         CUstream stream) {
  std::shared_ptr<Context> context;
  if (CUresult error = Enter("cuMemsetD8Async", &context)) return error;
  return AddOperation(
      *context, stream,
      {.kind = Operation::Kind::kFill, .run = [=]() -> CUresult {
         if (int error = Settings::Get().Count("copy")) {
           return static_cast<CUresult>(error);
         }
         void* target = MemoryMap::Get().Content(to, bytes);
         if (target == nullptr) return CUDA_ERROR_ILLEGAL_ADDRESS;
         std::memset(target, value, bytes);
         return CUDA_SUCCESS;
       }});
}

}  // namespace lockstep::internal::cuda
