#ifndef LOCKSTEP_RUNTIME_BACKENDS_CUDA_DOT_PLAN_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CUDA_DOT_PLAN_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/cuda/cublas_lt_api.h"
#include "runtime/ir/op.h"

namespace lockstep::internal {

// A dot as products of matrices in the way of cuBLASLt, whose matrices are
// stored by columns. The result of a dot is stored by rows, which is its
// transpose by columns:
//   result^T [n, m] = op(rhs) [n, k] * op(lhs) [k, m].
// A value type.
struct DotPlan {
  // As it lies in memory, by columns; in elements.
  struct Matrix {
    int64_t rows = 1;
    int64_t columns = 1;
    int64_t leading_dimension = 1;
    int64_t batch_stride = 0;
    // Whether op is the transpose.
    bool is_transposed = false;
    // What every address of it is a multiple of, in bytes.
    uint32_t alignment = 1;
    friend bool operator==(const Matrix&, const Matrix&) = default;
  };
  // Where the matrices of one call begin, in bytes from their tensors.
  struct Call {
    int64_t lhs = 0;
    int64_t rhs = 0;
    int64_t result = 0;
    friend bool operator==(const Call&, const Call&) = default;
  };

  cuda::cudaDataType_t operand_type = cuda::CUDA_R_32F;
  cuda::cudaDataType_t result_type = cuda::CUDA_R_32F;
  // Of the sums.
  cuda::cudaDataType_t scale_type = cuda::CUDA_R_32F;
  cuda::cublasComputeType_t compute_type = cuda::CUBLAS_COMPUTE_32F;
  Matrix lhs;
  Matrix rhs;
  Matrix result;  // by columns: n rows
  int64_t batch_count = 1;
  // One for each index of the dims that are neither the matrices' nor the
  // batch's.
  std::vector<Call> calls;
  // The most that an algorithm may use.
  int64_t workspace_bytes = 0;
  // What is done with a sum before it is rounded to the result's type.
  cuda::cublasLtEpilogue_t epilogue = cuda::CUBLASLT_EPILOGUE_DEFAULT;

  bool has_bias() const {
    return (epilogue & cuda::CUBLASLT_EPILOGUE_BIAS) != 0;
  }
  bool has_relu() const {
    return (epilogue & cuda::CUBLASLT_EPILOGUE_RELU) != 0;
  }
  bool has_gelu() const {
    return (epilogue & cuda::CUBLASLT_EPILOGUE_GELU) != 0;
  }

  // All of it: equal plans, equal keys.
  std::string Key() const;
  // "2x64x32x128": batch, m, n and k.
  std::string sizes;
};

// Nothing for a dot that keeps its kernel:
//   - element types that the library has no product of, or none with sums as
//     the program says: operands of two types, integers but s8 x s8 -> s32;
//   - layouts that only a copy makes matrices: no dim of an operand is
//     contiguous, sums over dims that are not one, more than 64 products;
//   - products of fewer than 2048 multiplications, which a kernel does in
//     the time that it takes to launch it;
//   - empty tensors.
// The op must be a verified dot or dot_general.
std::optional<DotPlan> PlanDot(const Op& op);

// Whether a dot_general should rather have the batching dims of its operands
// first, although they are transposed for it: it takes four calls and more (on
// an H200 eight of 16 x [1024 x 64 x 1024] take three times as long as one of
// 128), or so many that there is no plan.
bool IsSlowAsItLies(const Op& op);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CUDA_DOT_PLAN_H_
