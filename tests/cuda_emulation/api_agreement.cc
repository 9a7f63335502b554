// Compiled by api_agreement_test.sh, with the headers of CUDA's toolkit: what
// runtime/cuda declares is what they declare. values.inc compares all
// enumerators.

#include "runtime/cuda/cublas_lt_api.h"
#include "runtime/cuda/driver_api.h"
#include "runtime/cuda/nccl_api.h"
#include "runtime/cuda/nvrtc_api.h"

namespace own = lockstep::internal::cuda;

// Macros in the toolkit, so read before.
constexpr unsigned kPortable = own::CU_MEMHOSTALLOC_PORTABLE;
constexpr int kUndefined = own::ncclConfig_t::kUndefined;

#include <cuda.h>
#include <nvrtc.h>

#include <cstddef>
#include <string_view>
#include <type_traits>

#include "values.inc"

// Drivers keep the symbols of earlier versions. Of this one the parameters are
// the same, and drivers before 12.8 have no other.
constexpr bool IsSymbol(std::string_view symbol, std::string_view text) {
  return text == symbol ||
         (symbol == "cuEventElapsedTime" && text == "cuEventElapsedTime_v2");
}

// The toolkit's macros turn the names into those of the symbols. In the global
// namespace the types of the parameters are the toolkit's.
#define LOCKSTEP_TEXT_OF(name) #name
#define LOCKSTEP_TEXT(name) LOCKSTEP_TEXT_OF(name)
#define LOCKSTEP_CHECK_FUNCTION(Result, member, symbol, ...) \
  static_assert(IsSymbol(symbol, LOCKSTEP_TEXT(member)));    \
  static_assert(std::is_same_v<decltype(&member), Result (*)(__VA_ARGS__)>);

#define LOCKSTEP_CHECK_DRIVER(member, symbol, ...) \
  LOCKSTEP_CHECK_FUNCTION(CUresult, member, symbol, __VA_ARGS__)
LOCKSTEP_CUDA_DRIVER_FUNCTIONS(LOCKSTEP_CHECK_DRIVER)

#define LOCKSTEP_CHECK_NVRTC(member, symbol, ...) \
  LOCKSTEP_CHECK_FUNCTION(nvrtcResult, member, symbol, __VA_ARGS__)
LOCKSTEP_NVRTC_FUNCTIONS(LOCKSTEP_CHECK_NVRTC)

#define LOCKSTEP_CHECK_FIELD(type, field)                               \
  static_assert(offsetof(own::type, field) == offsetof(::type, field)); \
  static_assert(sizeof(own::type::field) == sizeof(::type::field));

static_assert(sizeof(own::CUDA_MEMCPY2D) == sizeof(::CUDA_MEMCPY2D));
LOCKSTEP_CHECK_FIELD(CUDA_MEMCPY2D, srcXInBytes)
LOCKSTEP_CHECK_FIELD(CUDA_MEMCPY2D, srcY)
LOCKSTEP_CHECK_FIELD(CUDA_MEMCPY2D, srcMemoryType)
LOCKSTEP_CHECK_FIELD(CUDA_MEMCPY2D, srcHost)
LOCKSTEP_CHECK_FIELD(CUDA_MEMCPY2D, srcDevice)
LOCKSTEP_CHECK_FIELD(CUDA_MEMCPY2D, srcArray)
LOCKSTEP_CHECK_FIELD(CUDA_MEMCPY2D, srcPitch)
LOCKSTEP_CHECK_FIELD(CUDA_MEMCPY2D, dstXInBytes)
LOCKSTEP_CHECK_FIELD(CUDA_MEMCPY2D, dstY)
LOCKSTEP_CHECK_FIELD(CUDA_MEMCPY2D, dstMemoryType)
LOCKSTEP_CHECK_FIELD(CUDA_MEMCPY2D, dstHost)
LOCKSTEP_CHECK_FIELD(CUDA_MEMCPY2D, dstDevice)
LOCKSTEP_CHECK_FIELD(CUDA_MEMCPY2D, dstArray)
LOCKSTEP_CHECK_FIELD(CUDA_MEMCPY2D, dstPitch)
LOCKSTEP_CHECK_FIELD(CUDA_MEMCPY2D, WidthInBytes)
LOCKSTEP_CHECK_FIELD(CUDA_MEMCPY2D, Height)

static_assert(sizeof(own::CUgraphExecUpdateResultInfo) ==
              sizeof(::CUgraphExecUpdateResultInfo));
LOCKSTEP_CHECK_FIELD(CUgraphExecUpdateResultInfo, result)
LOCKSTEP_CHECK_FIELD(CUgraphExecUpdateResultInfo, errorNode)
LOCKSTEP_CHECK_FIELD(CUgraphExecUpdateResultInfo, errorFromNode)

static_assert(sizeof(own::CUuuid) == sizeof(::CUuuid));
static_assert(own::CU_STREAM_NON_BLOCKING == ::CU_STREAM_NON_BLOCKING);
static_assert(own::CU_EVENT_DISABLE_TIMING == ::CU_EVENT_DISABLE_TIMING);
static_assert(kPortable == CU_MEMHOSTALLOC_PORTABLE);

#if __has_include(<cublasLt.h>)

#include <cublasLt.h>

#include "cublas_lt_values.inc"

#define LOCKSTEP_CHECK_CUBLAS_LT(member, symbol, ...) \
  LOCKSTEP_CHECK_FUNCTION(cublasStatus_t, member, symbol, __VA_ARGS__)
LOCKSTEP_CUBLAS_LT_FUNCTIONS(LOCKSTEP_CHECK_CUBLAS_LT)

static_assert(sizeof(own::cublasLtMatmulAlgo_t) ==
              sizeof(::cublasLtMatmulAlgo_t));
static_assert(sizeof(own::cublasLtMatmulHeuristicResult_t) ==
              sizeof(::cublasLtMatmulHeuristicResult_t));
LOCKSTEP_CHECK_FIELD(cublasLtMatmulHeuristicResult_t, algo)
LOCKSTEP_CHECK_FIELD(cublasLtMatmulHeuristicResult_t, workspaceSize)
LOCKSTEP_CHECK_FIELD(cublasLtMatmulHeuristicResult_t, state)
LOCKSTEP_CHECK_FIELD(cublasLtMatmulHeuristicResult_t, wavesCount)
LOCKSTEP_CHECK_FIELD(cublasLtMatmulHeuristicResult_t, reserved)

#endif

#if __has_include(<nccl.h>)

#include <nccl.h>

#include "nccl_values.inc"

#define LOCKSTEP_CHECK_NCCL(member, symbol, ...) \
  LOCKSTEP_CHECK_FUNCTION(ncclResult_t, member, symbol, __VA_ARGS__)
LOCKSTEP_NCCL_FUNCTIONS(LOCKSTEP_CHECK_NCCL)

// Later versions have more fields, behind these.
LOCKSTEP_CHECK_FIELD(ncclConfig_t, size)
LOCKSTEP_CHECK_FIELD(ncclConfig_t, magic)
LOCKSTEP_CHECK_FIELD(ncclConfig_t, version)
LOCKSTEP_CHECK_FIELD(ncclConfig_t, blocking)
LOCKSTEP_CHECK_FIELD(ncclConfig_t, cgaClusterSize)
LOCKSTEP_CHECK_FIELD(ncclConfig_t, minCTAs)
LOCKSTEP_CHECK_FIELD(ncclConfig_t, maxCTAs)
LOCKSTEP_CHECK_FIELD(ncclConfig_t, netName)
LOCKSTEP_CHECK_FIELD(ncclConfig_t, splitShare)
static_assert(sizeof(own::ncclUniqueId) == sizeof(::ncclUniqueId));
static_assert(kUndefined == NCCL_CONFIG_UNDEF_INT);
constexpr ::ncclConfig_t kInitial = NCCL_CONFIG_INITIALIZER;
static_assert(kInitial.magic == own::ncclConfig_t().magic);
static_assert(kInitial.version >= own::ncclConfig_t().version);

#endif
