#include "runtime/cuda/cublas_lt.h"

#include "gtest/gtest.h"

namespace lockstep::internal::cuda {
namespace {

TEST(CublasLtTest, CodesSayWhoseFaultItIs) {
  using enum absl::StatusCode;
  for (const auto& [result, code] : {
           std::pair(CUBLAS_STATUS_SUCCESS, kOk),
           std::pair(CUBLAS_STATUS_ALLOC_FAILED, kResourceExhausted),
           std::pair(CUBLAS_STATUS_NOT_SUPPORTED, kUnimplemented),
           std::pair(CUBLAS_STATUS_ARCH_MISMATCH, kUnimplemented),
           std::pair(CUBLAS_STATUS_NOT_INITIALIZED, kFailedPrecondition),
           std::pair(CUBLAS_STATUS_INVALID_VALUE, kInternal),
           std::pair(static_cast<cublasStatus_t>(99), kInternal),
       }) {
    EXPECT_EQ(CublasLtStatus(result, "f").code(), code) << result;
  }
}

TEST(CublasLtTest, AFailureHasTheCallTheNameAndTheNumber) {
  CublasLt library;
  library.cublasLtCreate = [](cublasLtHandle_t*) {
    return CUBLAS_STATUS_ALLOC_FAILED;
  };
  EXPECT_EQ(LOCKSTEP_CUBLAS_LT_CALL(library, cublasLtCreate, nullptr),
            absl::ResourceExhaustedError(
                "cublasLtCreate: CUBLAS_STATUS_ALLOC_FAILED: out of memory "
                "(3)"));
}

}  // namespace
}  // namespace lockstep::internal::cuda
