#ifndef LOCKSTEP_RUNTIME_CUDA_NCCL_API_H_
#define LOCKSTEP_RUNTIME_CUDA_NCCL_API_H_

#include <cstddef>

#include "runtime/cuda/driver_api.h"

// What is used of NCCL (2.18 and later), as driver_api.h does it of the driver;
// nccl.h.

namespace lockstep::internal::cuda {

using ncclComm_t = struct ncclComm*;

struct ncclUniqueId {
  char internal[128];
};

enum ncclResult_t : int {
  ncclSuccess = 0,
  ncclUnhandledCudaError = 1,
  ncclSystemError = 2,
  ncclInternalError = 3,
  ncclInvalidArgument = 4,
  ncclInvalidUsage = 5,
  ncclRemoteError = 6,
  ncclInProgress = 7,
};

enum ncclDataType_t : int {
  ncclInt8 = 0,
  ncclUint8 = 1,
  ncclInt32 = 2,
  ncclUint32 = 3,
  ncclInt64 = 4,
  ncclUint64 = 5,
  ncclFloat16 = 6,
  ncclFloat32 = 7,
  ncclFloat64 = 8,
  ncclBfloat16 = 9,
};

enum ncclRedOp_t : int {
  ncclSum = 0,
  ncclProd = 1,
  ncclMax = 2,
  ncclMin = 3,
};

// As of 2.18; later versions take it for what it is, by `size` and `version`.
struct ncclConfig_t {
  size_t size = sizeof(ncclConfig_t);
  unsigned magic = 0xcafebeef;
  unsigned version = 21800;
  int blocking = kUndefined;
  int cgaClusterSize = kUndefined;
  int minCTAs = kUndefined;
  int maxCTAs = kUndefined;
  const char* netName = nullptr;
  int splitShare = kUndefined;

  static constexpr int kUndefined = -2147483647 - 1;
};

// F(member, "symbol", parameters...), all of which return ncclResult_t.
// Streams are the driver's.
#define LOCKSTEP_NCCL_FUNCTIONS(F)                                             \
  F(ncclGetVersion, "ncclGetVersion", int* version)                            \
  F(ncclGetUniqueId, "ncclGetUniqueId", ncclUniqueId* id)                      \
  F(ncclCommInitRankConfig, "ncclCommInitRankConfig", ncclComm_t* comm,        \
    int ranks, ncclUniqueId id, int rank, ncclConfig_t* config)                \
  F(ncclCommGetAsyncError, "ncclCommGetAsyncError", ncclComm_t comm,           \
    ncclResult_t* error)                                                       \
  F(ncclCommFinalize, "ncclCommFinalize", ncclComm_t comm)                     \
  F(ncclCommDestroy, "ncclCommDestroy", ncclComm_t comm)                       \
  F(ncclCommAbort, "ncclCommAbort", ncclComm_t comm)                           \
  F(ncclGroupStart, "ncclGroupStart")                                          \
  F(ncclGroupEnd, "ncclGroupEnd")                                              \
  F(ncclAllReduce, "ncclAllReduce", const void* from, void* to, size_t count,  \
    ncclDataType_t type, ncclRedOp_t op, ncclComm_t comm, CUstream stream)     \
  F(ncclReduceScatter, "ncclReduceScatter", const void* from, void* to,        \
    size_t receive_count, ncclDataType_t type, ncclRedOp_t op,                 \
    ncclComm_t comm, CUstream stream)                                          \
  F(ncclAllGather, "ncclAllGather", const void* from, void* to,                \
    size_t send_count, ncclDataType_t type, ncclComm_t comm, CUstream stream)  \
  F(ncclBroadcast, "ncclBroadcast", const void* from, void* to, size_t count,  \
    ncclDataType_t type, int root, ncclComm_t comm, CUstream stream)           \
  F(ncclSend, "ncclSend", const void* from, size_t count, ncclDataType_t type, \
    int peer, ncclComm_t comm, CUstream stream)                                \
  F(ncclRecv, "ncclRecv", void* to, size_t count, ncclDataType_t type,         \
    int peer, ncclComm_t comm, CUstream stream)

}  // namespace lockstep::internal::cuda

#endif  // LOCKSTEP_RUNTIME_CUDA_NCCL_API_H_
