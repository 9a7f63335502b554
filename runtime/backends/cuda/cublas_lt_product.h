#ifndef LOCKSTEP_RUNTIME_BACKENDS_CUDA_CUBLAS_LT_PRODUCT_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CUDA_CUBLAS_LT_PRODUCT_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/backends/cuda/cublas_lt_handle.h"
#include "runtime/backends/cuda/dot_plan.h"
#include "runtime/cuda/cublas_lt.h"
#include "runtime/cuda/driver_api.h"

namespace lockstep::internal {

// An object of the library, destroyed when it goes.
template <typename T>
class CublasLtOwned {
 public:
  using Destroy = cuda::cublasStatus_t (*)(T);

  CublasLtOwned() = default;
  ~CublasLtOwned() {
    if (object_ != nullptr) destroy_(object_);
  }
  CublasLtOwned(const CublasLtOwned&) = delete;
  CublasLtOwned& operator=(const CublasLtOwned&) = delete;

  T get() const { return object_; }
  // Where a function that makes one puts it.
  T* Fill(Destroy destroy) {
    destroy_ = destroy;
    return &object_;
  }

 private:
  T object_ = nullptr;
  Destroy destroy_ = nullptr;
};

// The products of a plan as the library knows them on a device. Its context is
// current in all calls. Immutable, thread-safe.
class CublasLtProduct {
 public:
  struct Addresses {
    cuda::CUdeviceptr lhs = 0;
    cuda::CUdeviceptr rhs = 0;
    cuda::CUdeviceptr result = 0;
    // Of what the algorithm wants, at a multiple of kWorkspaceAlignment.
    cuda::CUdeviceptr workspace = 0;
    cuda::CUdeviceptr bias = 0;  // where the plan's epilogue has one
  };
  struct Algorithm {
    cuda::cublasLtMatmulAlgo_t bytes = {};
    size_t workspace_bytes = 0;
  };
  // What the library asks of a workspace.
  static constexpr int64_t kWorkspaceAlignment = 256;

  static absl::StatusOr<std::unique_ptr<const CublasLtProduct>> Create(
      std::shared_ptr<const CublasLtHandle> handle, const DotPlan& plan);

  const DotPlan& plan() const { return plan_; }

  // The first that the heuristic names; nothing: it names none.
  absl::StatusOr<std::optional<Algorithm>> FindAlgorithm() const;
  // An algorithm that was found for the same layouts, for other sizes or
  // another epilogue too; nothing: the library does not take it here.
  std::optional<Algorithm> Check(const cuda::cublasLtMatmulAlgo_t& bytes) const;
  // Puts the products, times `alpha`, on a stream.
  absl::Status Multiply(const Algorithm& algorithm, double alpha,
                        const Addresses& addresses,
                        cuda::CUstream stream) const;

 private:
  using Description = CublasLtOwned<cuda::cublasLtMatmulDesc_t>;
  using Layout = CublasLtOwned<cuda::cublasLtMatrixLayout_t>;
  using Preference = CublasLtOwned<cuda::cublasLtMatmulPreference_t>;

  CublasLtProduct(std::shared_ptr<const CublasLtHandle> handle,
                  const DotPlan& plan)
      : handle_(std::move(handle)), plan_(plan) {}

  absl::Status Describe(cuda::CUdeviceptr bias, Description& description) const;
  absl::Status DescribeMatrix(const DotPlan::Matrix& matrix,
                              cuda::cudaDataType_t type, Layout& layout) const;
  absl::Status Prefer(Preference& preference) const;

  const std::shared_ptr<const CublasLtHandle> handle_;
  const DotPlan plan_;
  Description description_;
  Layout rhs_;
  Layout lhs_;
  Layout result_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CUDA_CUBLAS_LT_PRODUCT_H_
