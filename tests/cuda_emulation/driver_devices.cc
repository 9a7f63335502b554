#include <atomic>
#include <cstdio>
#include <cstring>
#include <map>

#include "tests/cuda_emulation/driver_call.h"
#include "tests/cuda_emulation/fault_guard.h"
#include "tests/cuda_emulation/memory_map.h"
#include "tests/cuda_emulation/settings.h"

namespace lockstep::internal::cuda {
namespace {

std::atomic<bool> is_initialized{false};

struct ErrorText {
  const char* name;
  const char* text;
};

const std::map<int, ErrorText>& ErrorTexts() {
  static const auto* const texts = new std::map<int, ErrorText>{
      {0, {"CUDA_SUCCESS", "no error"}},
      {1, {"CUDA_ERROR_INVALID_VALUE", "invalid argument"}},
      {2, {"CUDA_ERROR_OUT_OF_MEMORY", "out of memory"}},
      {3, {"CUDA_ERROR_NOT_INITIALIZED", "initialization error"}},
      {4, {"CUDA_ERROR_DEINITIALIZED", "driver shutting down"}},
      {100, {"CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"}},
      {101, {"CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"}},
      {200, {"CUDA_ERROR_INVALID_IMAGE", "device kernel image is invalid"}},
      {201, {"CUDA_ERROR_INVALID_CONTEXT", "invalid device context"}},
      {209,
       {"CUDA_ERROR_NO_BINARY_FOR_GPU",
        "no kernel image is available for execution on the device"}},
      {400, {"CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"}},
      {500, {"CUDA_ERROR_NOT_FOUND", "named symbol not found"}},
      {600, {"CUDA_ERROR_NOT_READY", "device not ready"}},
      {700,
       {"CUDA_ERROR_ILLEGAL_ADDRESS",
        "an illegal memory access was encountered"}},
      {701,
       {"CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES",
        "too many resources requested for launch"}},
      {719, {"CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"}},
      {800, {"CUDA_ERROR_NOT_PERMITTED", "operation not permitted"}},
      {802, {"CUDA_ERROR_SYSTEM_NOT_READY", "system not yet initialized"}},
      {900,
       {"CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED",
        "operation not permitted when stream is capturing"}},
      {901,
       {"CUDA_ERROR_STREAM_CAPTURE_INVALIDATED",
        "operation failed due to a previous error during capture"}},
      {904,
       {"CUDA_ERROR_STREAM_CAPTURE_UNJOINED",
        "capturing stream has unjoined work"}},
      {905,
       {"CUDA_ERROR_STREAM_CAPTURE_ISOLATION",
        "dependency created on uncaptured work in another stream"}},
      {907,
       {"CUDA_ERROR_CAPTURED_EVENT",
        "operation not permitted on an event last recorded in a capturing "
        "stream"}},
      {908,
       {"CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD",
        "attempt to terminate a thread-local capture sequence from another "
        "thread"}},
      {910,
       {"CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE",
        "the graph update was not performed because it included changes which "
        "violated constraints specific to instantiated graph update"}},
      {999, {"CUDA_ERROR_UNKNOWN", "unknown error"}},
  };
  return *texts;
}

CUresult EnterForDevice(const char* function, CUdevice device) {
  if (CUresult error = Enter(function)) return error;
  bool exists = device >= 0 && device < Settings::Get().devices();
  return exists ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

}  // namespace

bool IsInitialized() { return is_initialized; }

CUresult cuInit(unsigned flags) {
  if (int error = Settings::Get().Count("cuInit")) {
    return static_cast<CUresult>(error);
  }
  if (Context::IsInHostFunction()) return kNotPermitted;
  if (flags != 0) return CUDA_ERROR_INVALID_VALUE;
  if (Settings::Get().devices() == 0) return CUDA_ERROR_NO_DEVICE;
  FaultGuard::Install();
  is_initialized = true;
  return CUDA_SUCCESS;
}

CUresult cuDriverGetVersion(int* version) {
  if (version == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (int error = Settings::Get().Count("cuDriverGetVersion")) {
    return static_cast<CUresult>(error);
  }
  *version = Settings::Get().driver();
  return CUDA_SUCCESS;
}

CUresult cuGetErrorName(CUresult error, const char** name) {
  auto found = ErrorTexts().find(error);
  bool is_known = found != ErrorTexts().end();
  *name = is_known ? found->second.name : nullptr;
  return is_known ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetErrorString(CUresult error, const char** text) {
  auto found = ErrorTexts().find(error);
  bool is_known = found != ErrorTexts().end();
  *text = is_known ? found->second.text : nullptr;
  return is_known ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuDeviceGetCount(int* count) {
  if (CUresult error = Enter("cuDeviceGetCount")) return error;
  if (count == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *count = Settings::Get().devices();
  return CUDA_SUCCESS;
}

CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  if (CUresult error = EnterForDevice("cuDeviceGet", ordinal)) return error;
  *device = ordinal;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetName(char* name, int size, CUdevice device) {
  if (CUresult error = EnterForDevice("cuDeviceGetName", device)) return error;
  if (size <= 0) return CUDA_ERROR_INVALID_VALUE;
  std::snprintf(name, static_cast<size_t>(size), "Emulated H100");
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice device) {
  if (CUresult error = EnterForDevice("cuDeviceGetUuid", device)) return error;
  std::memcpy(uuid->bytes, "emulated-device", sizeof(uuid->bytes));
  uuid->bytes[15] = static_cast<char>(device);
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetPCIBusId(char* id, int size, CUdevice device) {
  if (CUresult error = EnterForDevice("cuDeviceGetPCIBusId", device)) {
    return error;
  }
  if (size < 13) return CUDA_ERROR_INVALID_VALUE;
  std::snprintf(id, static_cast<size_t>(size), "0000:%02X:00.0",
                0x10 + static_cast<unsigned>(device));
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute,
                              CUdevice device) {
  if (CUresult error = EnterForDevice("cuDeviceGetAttribute", device)) {
    return error;
  }
  // Of an H100, but for the multiprocessors: few, so that grids are small.
  static const auto* const values = new std::map<int, int>{
      {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 1024},
      {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, 49152},
      {CU_DEVICE_ATTRIBUTE_CLOCK_RATE, 1980000},
      {CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 4},
      {CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE, 2619000},
      {CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH, 5120},
      {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, 2048},
      {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 9},
      {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 0},
      {CU_DEVICE_ATTRIBUTE_HOST_NUMA_ID, 0},
  };
  auto found = values->find(attribute);
  if (found == values->end()) return CUDA_ERROR_INVALID_VALUE;
  *value = found->second;
  return CUDA_SUCCESS;
}

CUresult cuDeviceTotalMem(size_t* bytes, CUdevice device) {
  if (CUresult error = EnterForDevice("cuDeviceTotalMem", device)) return error;
  *bytes = static_cast<size_t>(Settings::Get().memory());
  return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
  if (CUresult error = EnterForDevice("cuDevicePrimaryCtxRetain", device)) {
    return error;
  }
  *context = Context::Retain(device)->handle();
  return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRelease(CUdevice device) {
  if (CUresult error = EnterForDevice("cuDevicePrimaryCtxRelease", device)) {
    return error;
  }
  return Context::Release(device);
}

CUresult cuCtxSetCurrent(CUcontext context) {
  if (CUresult error = Enter("cuCtxSetCurrent")) return error;
  return Context::SetCurrent(context);
}

CUresult cuCtxSynchronize() {
  std::shared_ptr<Context> context;
  if (CUresult error = Enter("cuCtxSynchronize", &context)) return error;
  if (CUresult error = Captures::Get().BreakForWait(*context)) return error;
  context->Synchronize();
  return context->error();
}

}  // namespace lockstep::internal::cuda
