#ifndef LOCKSTEP_RUNTIME_CUDA_CUBLAS_LT_API_H_
#define LOCKSTEP_RUNTIME_CUDA_CUBLAS_LT_API_H_

#include <cstddef>
#include <cstdint>

#include "runtime/cuda/driver_api.h"

// What is used of cuBLASLt (12.0 and later), as driver_api.h does it of the
// driver; cublas_lt.h.

namespace lockstep::internal::cuda {

using cublasLtHandle_t = struct cublasLtContext*;
using cublasLtMatmulDesc_t = struct cublasLtMatmulDescOpaque_t*;
using cublasLtMatrixLayout_t = struct cublasLtMatrixLayoutOpaque_t*;
using cublasLtMatmulPreference_t = struct cublasLtMatmulPreferenceOpaque_t*;

enum cublasStatus_t : int {
  CUBLAS_STATUS_SUCCESS = 0,
  CUBLAS_STATUS_NOT_INITIALIZED = 1,
  CUBLAS_STATUS_ALLOC_FAILED = 3,
  CUBLAS_STATUS_INVALID_VALUE = 7,
  CUBLAS_STATUS_ARCH_MISMATCH = 8,
  CUBLAS_STATUS_MAPPING_ERROR = 11,
  CUBLAS_STATUS_EXECUTION_FAILED = 13,
  CUBLAS_STATUS_INTERNAL_ERROR = 14,
  CUBLAS_STATUS_NOT_SUPPORTED = 15,
  CUBLAS_STATUS_LICENSE_ERROR = 16,
};

enum libraryPropertyType : int {
  MAJOR_VERSION = 0,
  MINOR_VERSION = 1,
  PATCH_LEVEL = 2,
};

enum cudaDataType_t : int {
  CUDA_R_32F = 0,
  CUDA_R_64F = 1,
  CUDA_R_16F = 2,
  CUDA_R_8I = 3,
  CUDA_C_32F = 4,
  CUDA_C_64F = 5,
  CUDA_R_32I = 10,
  CUDA_R_16BF = 14,
  CUDA_R_8F_E4M3 = 28,
  CUDA_R_8F_E5M2 = 29,
};

enum cublasComputeType_t : int {
  CUBLAS_COMPUTE_32F = 68,
  CUBLAS_COMPUTE_64F = 70,
  CUBLAS_COMPUTE_32I = 72,
  CUBLAS_COMPUTE_32F_FAST_TF32 = 77,
};

enum cublasOperation_t : int {
  CUBLAS_OP_N = 0,
  CUBLAS_OP_T = 1,
};

enum cublasLtOrder_t : int {
  CUBLASLT_ORDER_COL = 0,
  CUBLASLT_ORDER_ROW = 1,
};

enum cublasLtMatrixLayoutAttribute_t : int {
  CUBLASLT_MATRIX_LAYOUT_ORDER = 1,
  CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT = 5,
  CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET = 6,
};

enum cublasLtMatmulDescAttributes_t : int {
  CUBLASLT_MATMUL_DESC_TRANSA = 3,
  CUBLASLT_MATMUL_DESC_TRANSB = 4,
  CUBLASLT_MATMUL_DESC_EPILOGUE = 7,
  CUBLASLT_MATMUL_DESC_BIAS_POINTER = 8,
  CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE = 10,
  CUBLASLT_MATMUL_DESC_A_SCALE_POINTER = 17,
  CUBLASLT_MATMUL_DESC_B_SCALE_POINTER = 18,
};

enum cublasLtEpilogue_t : int {
  CUBLASLT_EPILOGUE_DEFAULT = 1,
  CUBLASLT_EPILOGUE_RELU = 2,
  CUBLASLT_EPILOGUE_BIAS = 4,
  CUBLASLT_EPILOGUE_RELU_BIAS = 6,
  CUBLASLT_EPILOGUE_GELU = 32,
  CUBLASLT_EPILOGUE_GELU_BIAS = 36,
};

// How the sums of parts of the depth are added: without parts; in the result;
// in the workspace, in the type of the sums or in that of the result.
enum cublasLtReductionScheme_t : int {
  CUBLASLT_REDUCTION_SCHEME_NONE = 0,
  CUBLASLT_REDUCTION_SCHEME_INPLACE = 1,
  CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE = 2,
  CUBLASLT_REDUCTION_SCHEME_OUTPUT_TYPE = 4,
};

enum cublasLtMatmulPreferenceAttributes_t : int {
  CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES = 1,
  CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK = 3,
  CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES = 5,
  CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES = 6,
  CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES = 7,
  CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES = 8,
};

// Bytes that the same version of the library knows again.
struct cublasLtMatmulAlgo_t {
  uint64_t data[8];
};

struct cublasLtMatmulHeuristicResult_t {
  cublasLtMatmulAlgo_t algo;
  size_t workspaceSize;
  cublasStatus_t state;
  float wavesCount;
  int reserved[4];
};

// F(member, "symbol", parameters...), all of which return cublasStatus_t.
// Streams are the driver's.
#define LOCKSTEP_CUBLAS_LT_FUNCTIONS(F)                                        \
  F(cublasLtGetProperty, "cublasLtGetProperty", libraryPropertyType type,      \
    int* value)                                                                \
  F(cublasLtCreate, "cublasLtCreate", cublasLtHandle_t* handle)                \
  F(cublasLtDestroy, "cublasLtDestroy", cublasLtHandle_t handle)               \
  F(cublasLtMatmulDescCreate, "cublasLtMatmulDescCreate",                      \
    cublasLtMatmulDesc_t* matmul, cublasComputeType_t compute_type,            \
    cudaDataType_t scale_type)                                                 \
  F(cublasLtMatmulDescDestroy, "cublasLtMatmulDescDestroy",                    \
    cublasLtMatmulDesc_t matmul)                                               \
  F(cublasLtMatmulDescSetAttribute, "cublasLtMatmulDescSetAttribute",          \
    cublasLtMatmulDesc_t matmul, cublasLtMatmulDescAttributes_t attribute,     \
    const void* value, size_t bytes)                                           \
  F(cublasLtMatrixLayoutCreate, "cublasLtMatrixLayoutCreate",                  \
    cublasLtMatrixLayout_t* layout, cudaDataType_t type, uint64_t rows,        \
    uint64_t columns, int64_t leading_dimension)                               \
  F(cublasLtMatrixLayoutDestroy, "cublasLtMatrixLayoutDestroy",                \
    cublasLtMatrixLayout_t layout)                                             \
  F(cublasLtMatrixLayoutSetAttribute, "cublasLtMatrixLayoutSetAttribute",      \
    cublasLtMatrixLayout_t layout, cublasLtMatrixLayoutAttribute_t attribute,  \
    const void* value, size_t bytes)                                           \
  F(cublasLtMatmulPreferenceCreate, "cublasLtMatmulPreferenceCreate",          \
    cublasLtMatmulPreference_t* preference)                                    \
  F(cublasLtMatmulPreferenceDestroy, "cublasLtMatmulPreferenceDestroy",        \
    cublasLtMatmulPreference_t preference)                                     \
  F(cublasLtMatmulPreferenceSetAttribute,                                      \
    "cublasLtMatmulPreferenceSetAttribute",                                    \
    cublasLtMatmulPreference_t preference,                                     \
    cublasLtMatmulPreferenceAttributes_t attribute, const void* value,         \
    size_t bytes)                                                              \
  F(cublasLtMatmulAlgoGetHeuristic, "cublasLtMatmulAlgoGetHeuristic",          \
    cublasLtHandle_t handle, cublasLtMatmulDesc_t matmul,                      \
    cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,                        \
    cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,                        \
    cublasLtMatmulPreference_t preference, int count,                          \
    cublasLtMatmulHeuristicResult_t results[], int* found)                     \
  F(cublasLtMatmulAlgoCheck, "cublasLtMatmulAlgoCheck",                        \
    cublasLtHandle_t handle, cublasLtMatmulDesc_t matmul,                      \
    cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,                        \
    cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,                        \
    const cublasLtMatmulAlgo_t* algo, cublasLtMatmulHeuristicResult_t* result) \
  F(cublasLtMatmul, "cublasLtMatmul", cublasLtHandle_t handle,                 \
    cublasLtMatmulDesc_t matmul, const void* alpha, const void* a,             \
    cublasLtMatrixLayout_t a_layout, const void* b,                            \
    cublasLtMatrixLayout_t b_layout, const void* beta, const void* c,          \
    cublasLtMatrixLayout_t c_layout, void* d, cublasLtMatrixLayout_t d_layout, \
    const cublasLtMatmulAlgo_t* algo, void* workspace, size_t workspace_bytes, \
    CUstream stream)

}  // namespace lockstep::internal::cuda

#endif  // LOCKSTEP_RUNTIME_CUDA_CUBLAS_LT_API_H_
