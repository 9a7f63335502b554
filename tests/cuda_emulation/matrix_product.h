#ifndef LOCKSTEP_TESTS_CUDA_EMULATION_MATRIX_PRODUCT_H_
#define LOCKSTEP_TESTS_CUDA_EMULATION_MATRIX_PRODUCT_H_

#include <cstddef>
#include <cstdint>

#include "runtime/cuda/cublas_lt_api.h"

namespace lockstep::internal::cuda {

// A matrix, or a batch of them, in memory; sizes and strides in elements.
struct MatrixLayout {
  cudaDataType_t type;
  int64_t rows;
  int64_t columns;
  int64_t leading_dimension;
  cublasLtOrder_t order = CUBLASLT_ORDER_COL;
  int32_t batch_count = 1;
  int64_t batch_stride = 0;

  // Whether the numbers make a matrix.
  bool IsValid() const;
  int64_t Offset(int64_t batch, int64_t row, int64_t column) const {
    return batch * batch_stride + (order == CUBLASLT_ORDER_COL
                                       ? column * leading_dimension + row
                                       : row * leading_dimension + column);
  }
  // From the first element of the first matrix to behind the last of all.
  size_t Bytes() const;
};

// A cublasLtMatmulDesc_t. Pointers are of the device.
struct MatmulDescription {
  cublasComputeType_t compute_type;
  cudaDataType_t scale_type;
  cublasOperation_t transpose_a = CUBLAS_OP_N;
  cublasOperation_t transpose_b = CUBLAS_OP_N;
  cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  const void* bias = nullptr;
  int64_t bias_batch_stride = 0;
  const void* a_scale = nullptr;
  const void* b_scale = nullptr;

  bool has_bias() const { return (epilogue & CUBLASLT_EPILOGUE_BIAS) != 0; }
};

// D = epilogue(alpha * op(A) * op(B) + beta * C), what cuBLASLt computes.
struct MatrixProduct {
  MatmulDescription description;
  MatrixLayout a;
  MatrixLayout b;
  MatrixLayout c;
  MatrixLayout d;

  int64_t depth() const {
    return description.transpose_a == CUBLAS_OP_N ? a.columns : a.rows;
  }
  // CUBLAS_STATUS_INVALID_VALUE: shapes that do not fit. NOT_SUPPORTED: types,
  // layouts or an epilogue that the library has no code for.
  cublasStatus_t Check() const;
};

// Where the operands are for the host; null where there is none.
struct ProductMemory {
  const void* a;
  const void* b;
  const void* c;
  void* d;
  const void* bias;
  const float* a_scale;
  const float* b_scale;
};

size_t ElementSize(cudaDataType_t type);

// Parts of the depth, whose sums are added in order.
struct DepthParts {
  int count = 1;
  // To the type of the result, before they are added.
  bool are_rounded = false;
};

// Computes a product that Check accepts. `alpha`, `beta`: of the scale type.
void Multiply(const MatrixProduct& product, const ProductMemory& memory,
              const void* alpha, const void* beta, const DepthParts& parts);

}  // namespace lockstep::internal::cuda

#endif  // LOCKSTEP_TESTS_CUDA_EMULATION_MATRIX_PRODUCT_H_
