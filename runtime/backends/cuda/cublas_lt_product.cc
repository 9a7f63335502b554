#include "runtime/backends/cuda/cublas_lt_product.h"

#include <complex>
#include <cstring>
#include <tuple>

#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

using cuda::CublasLt;

// A factor in a type of scales.
class Scale {
 public:
  Scale(cuda::cudaDataType_t type, double value) {
    switch (type) {
      case cuda::CUDA_R_64F:
        Set(value);
        break;
      case cuda::CUDA_C_32F:
        Set(std::complex<float>(static_cast<float>(value)));
        break;
      case cuda::CUDA_C_64F:
        Set(std::complex<double>(value));
        break;
      case cuda::CUDA_R_32I:
        Set(static_cast<int32_t>(value));
        break;
      default:
        Set(static_cast<float>(value));
    }
  }
  const void* get() const { return bytes_; }

 private:
  template <typename T>
  void Set(T value) {
    static_assert(sizeof(T) <= sizeof(bytes_));
    std::memcpy(bytes_, &value, sizeof(T));
  }
  alignas(16) std::byte bytes_[16] = {};
};

}  // namespace

absl::StatusOr<std::unique_ptr<const CublasLtProduct>> CublasLtProduct::Create(
    std::shared_ptr<const CublasLtHandle> handle, const DotPlan& plan) {
  std::unique_ptr<CublasLtProduct> product(
      new CublasLtProduct(std::move(handle), plan));
  RETURN_IF_ERROR(product->Describe(0, product->description_));
  for (const auto& [matrix, type, layout] :
       {std::tuple(&plan.rhs, plan.operand_type, &product->rhs_),
        std::tuple(&plan.lhs, plan.operand_type, &product->lhs_),
        std::tuple(&plan.result, plan.result_type, &product->result_)}) {
    RETURN_IF_ERROR(product->DescribeMatrix(*matrix, type, *layout));
  }
  return product;
}

absl::Status CublasLtProduct::Describe(cuda::CUdeviceptr bias,
                                       Description& description) const {
  const CublasLt& library = handle_->library();
  RETURN_IF_ERROR(LOCKSTEP_CUBLAS_LT_CALL(
      library, cublasLtMatmulDescCreate,
      description.Fill(library.cublasLtMatmulDescDestroy), plan_.compute_type,
      plan_.scale_type));
  for (const auto& [attribute, is_transposed] :
       {std::pair(cuda::CUBLASLT_MATMUL_DESC_TRANSA, plan_.rhs.is_transposed),
        std::pair(cuda::CUBLASLT_MATMUL_DESC_TRANSB,
                  plan_.lhs.is_transposed)}) {
    const int32_t operation =
        is_transposed ? cuda::CUBLAS_OP_T : cuda::CUBLAS_OP_N;
    RETURN_IF_ERROR(LOCKSTEP_CUBLAS_LT_CALL(
        library, cublasLtMatmulDescSetAttribute, description.get(), attribute,
        &operation, sizeof(operation)));
  }
  if (plan_.epilogue == cuda::CUBLASLT_EPILOGUE_DEFAULT) {
    return absl::OkStatus();
  }
  RETURN_IF_ERROR(LOCKSTEP_CUBLAS_LT_CALL(
      library, cublasLtMatmulDescSetAttribute, description.get(),
      cuda::CUBLASLT_MATMUL_DESC_EPILOGUE, &plan_.epilogue,
      sizeof(plan_.epilogue)));
  if (!plan_.has_bias()) return absl::OkStatus();
  return LOCKSTEP_CUBLAS_LT_CALL(
      library, cublasLtMatmulDescSetAttribute, description.get(),
      cuda::CUBLASLT_MATMUL_DESC_BIAS_POINTER, &bias, sizeof(bias));
}

absl::Status CublasLtProduct::DescribeMatrix(const DotPlan::Matrix& matrix,
                                             cuda::cudaDataType_t type,
                                             Layout& layout) const {
  const CublasLt& library = handle_->library();
  RETURN_IF_ERROR(LOCKSTEP_CUBLAS_LT_CALL(
      library, cublasLtMatrixLayoutCreate,
      layout.Fill(library.cublasLtMatrixLayoutDestroy), type,
      static_cast<uint64_t>(matrix.rows), static_cast<uint64_t>(matrix.columns),
      matrix.leading_dimension));
  const auto count = static_cast<int32_t>(plan_.batch_count);
  RETURN_IF_ERROR(LOCKSTEP_CUBLAS_LT_CALL(
      library, cublasLtMatrixLayoutSetAttribute, layout.get(),
      cuda::CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &count, sizeof(count)));
  return LOCKSTEP_CUBLAS_LT_CALL(
      library, cublasLtMatrixLayoutSetAttribute, layout.get(),
      cuda::CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &matrix.batch_stride,
      sizeof(matrix.batch_stride));
}

absl::Status CublasLtProduct::Prefer(Preference& preference) const {
  const CublasLt& library = handle_->library();
  RETURN_IF_ERROR(LOCKSTEP_CUBLAS_LT_CALL(
      library, cublasLtMatmulPreferenceCreate,
      preference.Fill(library.cublasLtMatmulPreferenceDestroy)));
  const auto set = [&](cuda::cublasLtMatmulPreferenceAttributes_t attribute,
                       const auto& value) {
    return LOCKSTEP_CUBLAS_LT_CALL(
        library, cublasLtMatmulPreferenceSetAttribute, preference.get(),
        attribute, &value, sizeof(value));
  };
  RETURN_IF_ERROR(set(cuda::CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                      static_cast<uint64_t>(plan_.workspace_bytes)));
  // The others round sums of parts of the depth to the result's type.
  RETURN_IF_ERROR(
      set(cuda::CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK,
          static_cast<uint32_t>(cuda::CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE)));
  for (const auto& [attribute, matrix] :
       {std::pair(cuda::CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, &plan_.rhs),
        std::pair(cuda::CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, &plan_.lhs),
        std::pair(cuda::CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES,
                  &plan_.result),
        std::pair(cuda::CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES,
                  &plan_.result)}) {
    RETURN_IF_ERROR(set(attribute, matrix->alignment));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::optional<CublasLtProduct::Algorithm>>
CublasLtProduct::FindAlgorithm() const {
  const CublasLt& library = handle_->library();
  Preference preference;
  RETURN_IF_ERROR(Prefer(preference));
  cuda::cublasLtMatmulHeuristicResult_t answer = {};
  int count = 0;
  const absl::Status outcome = LOCKSTEP_CUBLAS_LT_CALL(
      library, cublasLtMatmulAlgoGetHeuristic, handle_->get(),
      description_.get(), rhs_.get(), lhs_.get(), result_.get(), result_.get(),
      preference.get(), 1, &answer, &count);
  // Not for these types or layouts, or not for this device.
  if (absl::IsUnimplemented(outcome)) return std::nullopt;
  RETURN_IF_ERROR(outcome);
  if (count == 0 || answer.state != cuda::CUBLAS_STATUS_SUCCESS) {
    return std::nullopt;
  }
  return Algorithm{answer.algo, answer.workspaceSize};
}

std::optional<CublasLtProduct::Algorithm> CublasLtProduct::Check(
    const cuda::cublasLtMatmulAlgo_t& bytes) const {
  cuda::cublasLtMatmulHeuristicResult_t checked = {};
  if (handle_->library().cublasLtMatmulAlgoCheck(
          handle_->get(), description_.get(), rhs_.get(), lhs_.get(),
          result_.get(), result_.get(), &bytes,
          &checked) != cuda::CUBLAS_STATUS_SUCCESS ||
      checked.workspaceSize > static_cast<uint64_t>(plan_.workspace_bytes)) {
    return std::nullopt;
  }
  return Algorithm{bytes, checked.workspaceSize};
}

absl::Status CublasLtProduct::Multiply(const Algorithm& algorithm, double alpha,
                                       const Addresses& addresses,
                                       cuda::CUstream stream) const {
  const CublasLt& library = handle_->library();
  // The address of a bias is part of the description, which others use too.
  Description own;
  if (plan_.has_bias()) RETURN_IF_ERROR(Describe(addresses.bias, own));
  const Description& description = plan_.has_bias() ? own : description_;
  const Scale factor(plan_.scale_type, alpha);
  const Scale zero(plan_.scale_type, 0);
  const auto pointer = [](cuda::CUdeviceptr address, int64_t offset = 0) {
    return reinterpret_cast<void*>(address + static_cast<uintptr_t>(offset));
  };
  for (const DotPlan::Call& call : plan_.calls) {
    void* const result = pointer(addresses.result, call.result);
    RETURN_IF_ERROR(LOCKSTEP_CUBLAS_LT_CALL(
        library, cublasLtMatmul, handle_->get(), description.get(),
        factor.get(), pointer(addresses.rhs, call.rhs), rhs_.get(),
        pointer(addresses.lhs, call.lhs), lhs_.get(), zero.get(), result,
        result_.get(), result, result_.get(), &algorithm.bytes,
        algorithm.workspace_bytes == 0 ? nullptr : pointer(addresses.workspace),
        algorithm.workspace_bytes, stream));
  }
  return absl::OkStatus();
}

}  // namespace lockstep::internal
