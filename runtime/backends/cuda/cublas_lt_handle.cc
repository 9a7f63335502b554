#include "runtime/backends/cuda/cublas_lt_handle.h"

#include <map>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

// A device that is there has at most one. Whoever is found here under the
// address of a device keeps that device, so the address is not another's.
struct Handles {
  absl::Mutex mutex;
  std::map<const CudaDevice*, std::weak_ptr<const CublasLtHandle>> by_device
      ABSL_GUARDED_BY(mutex);
};

Handles& AllHandles() {
  static auto* handles = new Handles();
  return *handles;
}

}  // namespace

absl::StatusOr<std::shared_ptr<const CublasLtHandle>> CublasLtHandle::On(
    const cuda::CublasLt& library, CudaDevice& device) {
  Handles& handles = AllHandles();
  absl::MutexLock lock(&handles.mutex);
  if (auto known = handles.by_device[&device].lock()) return known;
  cuda::cublasLtHandle_t handle = nullptr;
  RETURN_IF_ERROR(LOCKSTEP_CUBLAS_LT_CALL(library, cublasLtCreate, &handle));
  const std::shared_ptr<const CublasLtHandle> made(
      new CublasLtHandle(library, device, handle));
  std::erase_if(handles.by_device,
                [](const auto& entry) { return entry.second.expired(); });
  handles.by_device[&device] = made;
  return made;
}

CublasLtHandle::CublasLtHandle(const cuda::CublasLt& library,
                               CudaDevice& device,
                               cuda::cublasLtHandle_t handle)
    : library_(library),
      owner_(device.shared_from_this()),
      device_(device),
      handle_(handle) {}

CublasLtHandle::~CublasLtHandle() {
  // A device that is lost has lost what the library keeps there too.
  if (device_.MakeCurrent().ok()) library_.cublasLtDestroy(handle_);
}

}  // namespace lockstep::internal
