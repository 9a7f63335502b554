#include "tests/cuda_emulation/driver_call.h"

#include "tests/cuda_emulation/settings.h"

namespace lockstep::internal::cuda {

CUresult Enter(const char* function) {
  if (int error = Settings::Get().Count(function)) {
    return static_cast<CUresult>(error);
  }
  if (Context::IsInHostFunction()) return kNotPermitted;
  return IsInitialized() ? CUDA_SUCCESS : CUDA_ERROR_NOT_INITIALIZED;
}

CUresult Enter(const char* function, std::shared_ptr<Context>* context) {
  if (CUresult error = Enter(function)) return error;
  *context = Context::Current();
  return *context == nullptr ? CUDA_ERROR_INVALID_CONTEXT : (*context)->error();
}

std::shared_ptr<Stream> FindStream(Context& context, CUstream handle) {
  if (handle == nullptr) return context.DefaultStream();
  return Streams::Get().Find(handle);
}

CUresult AddOperation(Context& context, CUstream handle, Operation operation) {
  std::shared_ptr<Stream> stream = FindStream(context, handle);
  if (stream == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  auto shared = std::make_shared<const Operation>(std::move(operation));
  CUresult result = CUDA_SUCCESS;
  if (!Captures::Get().Add(stream, shared, &result)) stream->Add(shared);
  return result;
}

CUresult RunGraph(const Graph& graph) {
  for (const auto& operation : graph.operations) {
    if (CUresult error = operation->run()) return error;
  }
  return CUDA_SUCCESS;
}

}  // namespace lockstep::internal::cuda
