#include "runtime/backends/cuda/cuda_matrix_multiply.h"

#include <cstring>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/backends/cuda/backend_digest.h"
#include "runtime/backends/cuda/cublas_lt_handle.h"
#include "runtime/backends/cuda/nan_check.h"
#include "runtime/base/status.h"
#include "runtime/kernels/kernels_in_use.h"

namespace lockstep::internal {
namespace {

using cuda::CublasLt;
using Algorithm = CublasLtProduct::Algorithm;

// What the device's algorithm is kept under.
std::string CacheKey(const CublasLt& library, const DotPlan& plan,
                     CudaDevice& device) {
  return absl::StrCat(kCudaBackendDigest, "\ncuBLASLt ", library.version, "\n",
                      device.info().kind, "\nsm_", device.compute_capability(),
                      " ", device.multiprocessors(), "\n", plan.Key());
}

// What was kept, if the library still takes it, else what it finds.
absl::StatusOr<std::optional<Algorithm>> AlgorithmOf(
    const CublasLtProduct& product, const KernelCache& cache,
    const std::string& key) {
  if (auto cached = cache.Find(key)) {
    cuda::cublasLtMatmulAlgo_t bytes;
    if (cached->object.size() == sizeof(bytes)) {
      std::memcpy(&bytes, cached->object.data(), sizeof(bytes));
      if (auto algorithm = product.Check(bytes)) return algorithm;
    }
  }
  ASSIGN_OR_RETURN(const std::optional<Algorithm> found,
                   product.FindAlgorithm());
  if (found.has_value()) {
    cache.Insert(key,
                 {1, std::string(reinterpret_cast<const char*>(&found->bytes),
                                 sizeof(found->bytes))});
  }
  return found;
}

}  // namespace

// What the library knows of the products on one device.
class CudaMatrixMultiply::OnDevice {
 public:
  // For f32 the algorithm with an epilogue is that of the dot alone, so that
  // the sums have the same bits; it must take the epilogue.
  absl::Status Prepare(const CublasLt& library, const DotPlan& plan,
                       const KernelCache& cache, CudaDevice& device) {
    ASSIGN_OR_RETURN(auto handle, CublasLtHandle::On(library, device));
    DotPlan asked = plan;
    if (plan.result_type == cuda::CUDA_R_32F) {
      asked.epilogue = cuda::CUBLASLT_EPILOGUE_DEFAULT;
    }
    ASSIGN_OR_RETURN(product_, CublasLtProduct::Create(handle, asked));
    ASSIGN_OR_RETURN(algorithm_, AlgorithmOf(*product_, cache,
                                             CacheKey(library, asked, device)));
    if (asked.epilogue != plan.epilogue && algorithm_.has_value()) {
      ASSIGN_OR_RETURN(product_, CublasLtProduct::Create(handle, plan));
      algorithm_ = product_->Check(algorithm_->bytes);
    }
    const bool has_activation = plan.has_relu() || plan.has_gelu();
    if (!has_activation || !algorithm_.has_value()) return absl::OkStatus();
    ASSIGN_OR_RETURN(const bool keeps_nan, KeepsNan(std::move(handle), plan,
                                                    algorithm_->bytes, device));
    if (!keeps_nan) algorithm_ = std::nullopt;
    return absl::OkStatus();
  }

  bool has_algorithm() const { return algorithm_.has_value(); }

  absl::Status Launch(cuda::CUstream stream, const Addresses& addresses) const {
    return product_->Multiply(*algorithm_, 1, addresses, stream);
  }

 private:
  std::unique_ptr<const CublasLtProduct> product_;
  std::optional<Algorithm> algorithm_;
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
  RETURN_IF_ERROR(prepared->Launch(stream, addresses));
  return true;
}

}  // namespace lockstep::internal
