#ifndef LOCKSTEP_RUNTIME_CUDA_DRIVER_API_H_
#define LOCKSTEP_RUNTIME_CUDA_DRIVER_API_H_

#include <cstddef>
#include <cstdint>

// What is used of the CUDA driver API, declared here so that one binary is
// built with and without the toolkit: names, values and layouts are those of
// cuda.h (12.0 and later), which api_agreement_test compares where it is there.

namespace lockstep::internal::cuda {

using CUdevice = int;
using CUdeviceptr = unsigned long long;
using CUcontext = struct CUctx_st*;
using CUstream = struct CUstream_st*;
using CUevent = struct CUevent_st*;
using CUmodule = struct CUmod_st*;
using CUfunction = struct CUfunc_st*;
using CUgraph = struct CUgraph_st*;
using CUgraphExec = struct CUgraphExec_st*;
using CUhostFn = void (*)(void* user_data);

enum CUresult : int {
  CUDA_SUCCESS = 0,
  CUDA_ERROR_INVALID_VALUE = 1,
  CUDA_ERROR_OUT_OF_MEMORY = 2,
  CUDA_ERROR_NOT_INITIALIZED = 3,
  CUDA_ERROR_DEINITIALIZED = 4,
  CUDA_ERROR_NO_DEVICE = 100,
  CUDA_ERROR_INVALID_DEVICE = 101,
  CUDA_ERROR_INVALID_IMAGE = 200,
  CUDA_ERROR_INVALID_CONTEXT = 201,
  CUDA_ERROR_NO_BINARY_FOR_GPU = 209,
  CUDA_ERROR_INVALID_HANDLE = 400,
  CUDA_ERROR_NOT_FOUND = 500,
  CUDA_ERROR_NOT_READY = 600,
  CUDA_ERROR_ILLEGAL_ADDRESS = 700,
  CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES = 701,
  CUDA_ERROR_LAUNCH_FAILED = 719,
  CUDA_ERROR_SYSTEM_NOT_READY = 802,
  CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED = 900,
  CUDA_ERROR_STREAM_CAPTURE_INVALIDATED = 901,
  CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE = 910,
  CUDA_ERROR_UNKNOWN = 999,
};

enum CUdevice_attribute : int {
  CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 1,
  CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK = 8,
  CU_DEVICE_ATTRIBUTE_CLOCK_RATE = 13,
  CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
  CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE = 36,
  CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH = 37,
  CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR = 39,
  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,
  CU_DEVICE_ATTRIBUTE_HOST_NUMA_ID = 134,
};

enum CUfunction_attribute : int {
  CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 0,
  CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES = 1,
  CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES = 3,
  CU_FUNC_ATTRIBUTE_NUM_REGS = 4,
};

enum CUstreamCaptureMode : int {
  CU_STREAM_CAPTURE_MODE_GLOBAL = 0,
  CU_STREAM_CAPTURE_MODE_THREAD_LOCAL = 1,
  CU_STREAM_CAPTURE_MODE_RELAXED = 2,
};

enum CUmemorytype : int {
  CU_MEMORYTYPE_HOST = 1,
  CU_MEMORYTYPE_DEVICE = 2,
};

struct CUuuid {
  char bytes[16];
};

struct CUDA_MEMCPY2D {
  size_t srcXInBytes;
  size_t srcY;
  CUmemorytype srcMemoryType;
  const void* srcHost;
  CUdeviceptr srcDevice;
  void* srcArray;
  size_t srcPitch;
  size_t dstXInBytes;
  size_t dstY;
  CUmemorytype dstMemoryType;
  void* dstHost;
  CUdeviceptr dstDevice;
  void* dstArray;
  size_t dstPitch;
  size_t WidthInBytes;
  size_t Height;
};

struct CUgraphExecUpdateResultInfo {
  int result;
  void* errorNode;
  void* errorFromNode;
};

inline constexpr unsigned CU_STREAM_NON_BLOCKING = 1;
inline constexpr unsigned CU_EVENT_BLOCKING_SYNC = 1;
inline constexpr unsigned CU_EVENT_DISABLE_TIMING = 2;
inline constexpr unsigned CU_MEMHOSTALLOC_PORTABLE = 1;

// F(member, "symbol", parameters...), all of which return CUresult. Symbols are
// those of the versions whose parameters these are.
#define LOCKSTEP_CUDA_DRIVER_FUNCTIONS(F)                                      \
  F(cuInit, "cuInit", unsigned flags)                                          \
  F(cuDriverGetVersion, "cuDriverGetVersion", int* version)                    \
  F(cuGetErrorName, "cuGetErrorName", CUresult error, const char** name)       \
  F(cuGetErrorString, "cuGetErrorString", CUresult error, const char** text)   \
  F(cuDeviceGetCount, "cuDeviceGetCount", int* count)                          \
  F(cuDeviceGet, "cuDeviceGet", CUdevice* device, int ordinal)                 \
  F(cuDeviceGetName, "cuDeviceGetName", char* name, int size, CUdevice device) \
  F(cuDeviceGetUuid, "cuDeviceGetUuid_v2", CUuuid* uuid, CUdevice device)      \
  F(cuDeviceGetPCIBusId, "cuDeviceGetPCIBusId", char* id, int size,            \
    CUdevice device)                                                           \
  F(cuDeviceGetAttribute, "cuDeviceGetAttribute", int* value,                  \
    CUdevice_attribute attribute, CUdevice device)                             \
  F(cuDeviceTotalMem, "cuDeviceTotalMem_v2", size_t* bytes, CUdevice device)   \
  F(cuDevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain", CUcontext* context,  \
    CUdevice device)                                                           \
  F(cuDevicePrimaryCtxRelease, "cuDevicePrimaryCtxRelease_v2",                 \
    CUdevice device)                                                           \
  F(cuCtxSetCurrent, "cuCtxSetCurrent", CUcontext context)                     \
  F(cuCtxSynchronize, "cuCtxSynchronize")                                      \
  F(cuMemGetInfo, "cuMemGetInfo_v2", size_t* free, size_t* total)              \
  F(cuMemAlloc, "cuMemAlloc_v2", CUdeviceptr* address, size_t bytes)           \
  F(cuMemFree, "cuMemFree_v2", CUdeviceptr address)                            \
  F(cuMemHostAlloc, "cuMemHostAlloc", void** address, size_t bytes,            \
    unsigned flags)                                                            \
  F(cuMemFreeHost, "cuMemFreeHost", void* address)                             \
  F(cuMemcpyHtoDAsync, "cuMemcpyHtoDAsync_v2", CUdeviceptr to,                 \
    const void* from, size_t bytes, CUstream stream)                           \
  F(cuMemcpyDtoHAsync, "cuMemcpyDtoHAsync_v2", void* to, CUdeviceptr from,     \
    size_t bytes, CUstream stream)                                             \
  F(cuMemcpyDtoDAsync, "cuMemcpyDtoDAsync_v2", CUdeviceptr to,                 \
    CUdeviceptr from, size_t bytes, CUstream stream)                           \
  F(cuMemcpyPeerAsync, "cuMemcpyPeerAsync", CUdeviceptr to,                    \
    CUcontext to_context, CUdeviceptr from, CUcontext from_context,            \
    size_t bytes, CUstream stream)                                             \
  F(cuMemcpy2DAsync, "cuMemcpy2DAsync_v2", const CUDA_MEMCPY2D* copy,          \
    CUstream stream)                                                           \
  F(cuMemsetD8Async, "cuMemsetD8Async", CUdeviceptr to, unsigned char value,   \
    size_t bytes, CUstream stream)                                             \
  F(cuStreamCreate, "cuStreamCreate", CUstream* stream, unsigned flags)        \
  F(cuStreamDestroy, "cuStreamDestroy_v2", CUstream stream)                    \
  F(cuStreamQuery, "cuStreamQuery", CUstream stream)                           \
  F(cuStreamSynchronize, "cuStreamSynchronize", CUstream stream)               \
  F(cuStreamWaitEvent, "cuStreamWaitEvent", CUstream stream, CUevent event,    \
    unsigned flags)                                                            \
  F(cuEventCreate, "cuEventCreate", CUevent* event, unsigned flags)            \
  F(cuEventDestroy, "cuEventDestroy_v2", CUevent event)                        \
  F(cuEventRecord, "cuEventRecord", CUevent event, CUstream stream)            \
  F(cuEventQuery, "cuEventQuery", CUevent event)                               \
  F(cuEventSynchronize, "cuEventSynchronize", CUevent event)                   \
  F(cuEventElapsedTime, "cuEventElapsedTime", float* milliseconds,             \
    CUevent begin, CUevent end)                                                \
  F(cuLaunchHostFunc, "cuLaunchHostFunc", CUstream stream, CUhostFn function,  \
    void* user_data)                                                           \
  F(cuModuleLoadData, "cuModuleLoadData", CUmodule* module, const void* image) \
  F(cuModuleUnload, "cuModuleUnload", CUmodule module)                         \
  F(cuModuleGetFunction, "cuModuleGetFunction", CUfunction* function,          \
    CUmodule module, const char* name)                                         \
  F(cuFuncGetAttribute, "cuFuncGetAttribute", int* value,                      \
    CUfunction_attribute attribute, CUfunction function)                       \
  F(cuOccupancyMaxActiveBlocksPerMultiprocessor,                               \
    "cuOccupancyMaxActiveBlocksPerMultiprocessor", int* blocks,                \
    CUfunction function, int threads, size_t shared_bytes)                     \
  F(cuLaunchKernel, "cuLaunchKernel", CUfunction function, unsigned grid_x,    \
    unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,      \
    unsigned block_z, unsigned shared_bytes, CUstream stream,                  \
    void** parameters, void** extra)                                           \
  F(cuStreamBeginCapture, "cuStreamBeginCapture_v2", CUstream stream,          \
    CUstreamCaptureMode mode)                                                  \
  F(cuStreamEndCapture, "cuStreamEndCapture", CUstream stream, CUgraph* graph) \
  F(cuGraphInstantiate, "cuGraphInstantiateWithFlags", CUgraphExec* exec,      \
    CUgraph graph, unsigned long long flags)                                   \
  F(cuGraphExecUpdate, "cuGraphExecUpdate_v2", CUgraphExec exec,               \
    CUgraph graph, CUgraphExecUpdateResultInfo* info)                          \
  F(cuGraphLaunch, "cuGraphLaunch", CUgraphExec exec, CUstream stream)         \
  F(cuGraphExecDestroy, "cuGraphExecDestroy", CUgraphExec exec)                \
  F(cuGraphDestroy, "cuGraphDestroy", CUgraph graph)

}  // namespace lockstep::internal::cuda

#endif  // LOCKSTEP_RUNTIME_CUDA_DRIVER_API_H_
