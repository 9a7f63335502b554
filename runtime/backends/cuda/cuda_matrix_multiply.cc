#include "runtime/backends/cuda/cuda_matrix_multiply.h"

#include <complex>
#include <cstring>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/backends/cuda/backend_digest.h"
#include "runtime/backends/cuda/cublas_lt_handle.h"
#include "runtime/base/status.h"
#include "runtime/kernels/kernels_in_use.h"

namespace lockstep::internal {
namespace {

using cuda::CublasLt;

// An object of the library, destroyed when it goes.
template <typename T>
class Owned {
 public:
  using Destroy = cuda::cublasStatus_t (*)(T);

  Owned() = default;
  ~Owned() {
    if (object_ != nullptr) destroy_(object_);
  }
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;

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

using Description = Owned<cuda::cublasLtMatmulDesc_t>;
using Layout = Owned<cuda::cublasLtMatrixLayout_t>;
using Preference = Owned<cuda::cublasLtMatmulPreference_t>;

absl::Status Describe(const CublasLt& library, const DotPlan& plan,
                      Description& description) {
  RETURN_IF_ERROR(LOCKSTEP_CUBLAS_LT_CALL(
      library, cublasLtMatmulDescCreate,
      description.Fill(library.cublasLtMatmulDescDestroy), plan.compute_type,
      plan.scale_type));
  for (const auto& [attribute, is_transposed] :
       {std::pair(cuda::CUBLASLT_MATMUL_DESC_TRANSA, plan.rhs.is_transposed),
        std::pair(cuda::CUBLASLT_MATMUL_DESC_TRANSB, plan.lhs.is_transposed)}) {
    const int32_t operation =
        is_transposed ? cuda::CUBLAS_OP_T : cuda::CUBLAS_OP_N;
    RETURN_IF_ERROR(LOCKSTEP_CUBLAS_LT_CALL(
        library, cublasLtMatmulDescSetAttribute, description.get(), attribute,
        &operation, sizeof(operation)));
  }
  return absl::OkStatus();
}

absl::Status DescribeMatrix(const CublasLt& library,
                            const DotPlan::Matrix& matrix,
                            cuda::cudaDataType_t type, int64_t batch_count,
                            Layout& layout) {
  RETURN_IF_ERROR(LOCKSTEP_CUBLAS_LT_CALL(
      library, cublasLtMatrixLayoutCreate,
      layout.Fill(library.cublasLtMatrixLayoutDestroy), type,
      static_cast<uint64_t>(matrix.rows), static_cast<uint64_t>(matrix.columns),
      matrix.leading_dimension));
  const auto count = static_cast<int32_t>(batch_count);
  RETURN_IF_ERROR(LOCKSTEP_CUBLAS_LT_CALL(
      library, cublasLtMatrixLayoutSetAttribute, layout.get(),
      cuda::CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &count, sizeof(count)));
  return LOCKSTEP_CUBLAS_LT_CALL(
      library, cublasLtMatrixLayoutSetAttribute, layout.get(),
      cuda::CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &matrix.batch_stride,
      sizeof(matrix.batch_stride));
}

absl::Status Prefer(const CublasLt& library, const DotPlan& plan,
                    Preference& preference) {
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
                      static_cast<uint64_t>(plan.workspace_bytes)));
  // The others round sums of parts of the depth to the result's type.
  RETURN_IF_ERROR(
      set(cuda::CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK,
          static_cast<uint32_t>(cuda::CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE)));
  for (const auto& [attribute, matrix] :
       {std::pair(cuda::CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, &plan.rhs),
        std::pair(cuda::CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, &plan.lhs),
        std::pair(cuda::CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES,
                  &plan.result),
        std::pair(cuda::CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES,
                  &plan.result)}) {
    RETURN_IF_ERROR(set(attribute, matrix->alignment));
  }
  return absl::OkStatus();
}

// 0 or 1 in a type of scales.
class Scale {
 public:
  Scale(cuda::cudaDataType_t type, int value) {
    switch (type) {
      case cuda::CUDA_R_64F:
        Set(static_cast<double>(value));
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

// What the library knows of the products on one device.
class CudaMatrixMultiply::OnDevice {
 public:
  // What the device's algorithm is kept under.
  static std::string CacheKey(const CublasLt& library, const DotPlan& plan,
                              CudaDevice& device) {
    return absl::StrCat(kCudaBackendDigest, "\ncuBLASLt ", library.version,
                        "\n", device.info().kind, "\nsm_",
                        device.compute_capability(), " ",
                        device.multiprocessors(), "\n", plan.Key());
  }

  absl::Status Prepare(const CublasLt& library, const DotPlan& plan,
                       const KernelCache& cache, CudaDevice& device) {
    ASSIGN_OR_RETURN(handle_, CublasLtHandle::On(library, device));
    RETURN_IF_ERROR(Describe(library, plan, description_));
    for (const auto& [matrix, type, layout] :
         {std::tuple(&plan.rhs, plan.operand_type, &rhs_),
          std::tuple(&plan.lhs, plan.operand_type, &lhs_),
          std::tuple(&plan.result, plan.result_type, &result_)}) {
      RETURN_IF_ERROR(
          DescribeMatrix(library, *matrix, type, plan.batch_count, *layout));
    }
    const std::string key = CacheKey(library, plan, device);
    if (auto cached = cache.Find(key)) {
      if (Take(cached->object, plan)) return absl::OkStatus();
    }
    RETURN_IF_ERROR(Ask(plan));
    if (has_algorithm_) {
      cache.Insert(key,
                   {1, std::string(reinterpret_cast<const char*>(&algorithm_),
                                   sizeof(algorithm_))});
    }
    return absl::OkStatus();
  }

  bool has_algorithm() const { return has_algorithm_; }

  absl::Status Launch(const DotPlan& plan, cuda::CUstream stream,
                      const Addresses& addresses) const {
    const CublasLt& library = handle_->library();
    const Scale one(plan.scale_type, 1);
    const Scale zero(plan.scale_type, 0);
    const auto pointer = [](cuda::CUdeviceptr address, int64_t offset = 0) {
      return reinterpret_cast<void*>(address + static_cast<uintptr_t>(offset));
    };
    for (const DotPlan::Call& call : plan.calls) {
      void* const result = pointer(addresses.result, call.result);
      RETURN_IF_ERROR(LOCKSTEP_CUBLAS_LT_CALL(
          library, cublasLtMatmul, handle_->get(), description_.get(),
          one.get(), pointer(addresses.rhs, call.rhs), rhs_.get(),
          pointer(addresses.lhs, call.lhs), lhs_.get(), zero.get(), result,
          result_.get(), result, result_.get(), &algorithm_,
          workspace_bytes_ == 0 ? nullptr : pointer(addresses.workspace),
          workspace_bytes_, stream));
    }
    return absl::OkStatus();
  }

 private:
  // Uses what was kept, if the library still takes it.
  bool Take(const std::string& bytes, const DotPlan& plan) {
    if (bytes.size() != sizeof(algorithm_)) return false;
    std::memcpy(&algorithm_, bytes.data(), sizeof(algorithm_));
    cuda::cublasLtMatmulHeuristicResult_t checked = {};
    has_algorithm_ =
        handle_->library().cublasLtMatmulAlgoCheck(
            handle_->get(), description_.get(), rhs_.get(), lhs_.get(),
            result_.get(), result_.get(), &algorithm_,
            &checked) == cuda::CUBLAS_STATUS_SUCCESS &&
        checked.workspaceSize <= static_cast<uint64_t>(plan.workspace_bytes);
    workspace_bytes_ = checked.workspaceSize;
    return has_algorithm_;
  }

  absl::Status Ask(const DotPlan& plan) {
    const CublasLt& library = handle_->library();
    Preference preference;
    RETURN_IF_ERROR(Prefer(library, plan, preference));
    cuda::cublasLtMatmulHeuristicResult_t answer = {};
    int count = 0;
    const absl::Status outcome = LOCKSTEP_CUBLAS_LT_CALL(
        library, cublasLtMatmulAlgoGetHeuristic, handle_->get(),
        description_.get(), rhs_.get(), lhs_.get(), result_.get(),
        result_.get(), preference.get(), 1, &answer, &count);
    // Not for these types or layouts, or not for this device.
    if (absl::IsUnimplemented(outcome)) return absl::OkStatus();
    RETURN_IF_ERROR(outcome);
    has_algorithm_ = count > 0 && answer.state == cuda::CUBLAS_STATUS_SUCCESS;
    algorithm_ = answer.algo;
    workspace_bytes_ = answer.workspaceSize;
    return absl::OkStatus();
  }

  std::shared_ptr<const CublasLtHandle> handle_;
  Description description_;
  Layout rhs_;
  Layout lhs_;
  Layout result_;
  bool has_algorithm_ = false;
  cuda::cublasLtMatmulAlgo_t algorithm_ = {};
  size_t workspace_bytes_ = 0;
};

std::shared_ptr<const CudaMatrixMultiply> CudaMatrixMultiply::Get(
    const CublasLt& library, const DotPlan& plan,
    const std::string& cache_directory) {
  auto& in_use = KernelsInUse<CudaMatrixMultiply>::Get();
  const std::string key = absl::StrCat(cache_directory, "\n", plan.Key());
  if (auto known = in_use.Find(key)) return known;
  std::shared_ptr<const CudaMatrixMultiply> made(
      new CudaMatrixMultiply(library, plan, cache_directory));
  in_use.Insert(key, made);
  return made;
}

CudaMatrixMultiply::CudaMatrixMultiply(const CublasLt& library, DotPlan plan,
                                       std::string cache_directory)
    : library_(library),
      plan_(std::move(plan)),
      cache_(std::move(cache_directory)) {}

CudaMatrixMultiply::~CudaMatrixMultiply() = default;

absl::StatusOr<const CudaMatrixMultiply::OnDevice*>
CudaMatrixMultiply::PrepareOn(CudaDevice& device) const {
  absl::MutexLock lock(&mutex_);
  auto it = prepared_.find(&device);
  if (it != prepared_.end()) return it->second.get();
  auto on_device = std::make_unique<OnDevice>();
  RETURN_IF_ERROR(on_device->Prepare(library_, plan_, cache_, device));
  return prepared_.emplace(&device, std::move(on_device)).first->second.get();
}

absl::StatusOr<bool> CudaMatrixMultiply::Launch(
    CudaDevice& device, cuda::CUstream stream,
    const Addresses& addresses) const {
  ASSIGN_OR_RETURN(const OnDevice* const prepared, PrepareOn(device));
  if (!prepared->has_algorithm()) return false;
  RETURN_IF_ERROR(prepared->Launch(plan_, stream, addresses));
  return true;
}

}  // namespace lockstep::internal
