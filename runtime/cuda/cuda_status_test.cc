#include "runtime/cuda/cuda_status.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lockstep::internal::cuda {
namespace {

using ::testing::HasSubstr;

// A driver that knows the name of one error.
CudaDriver TestDriver() {
  CudaDriver driver;
  driver.cuGetErrorName = [](CUresult error, const char** name) {
    if (error != CUDA_ERROR_ILLEGAL_ADDRESS) return CUDA_ERROR_INVALID_VALUE;
    *name = "CUDA_ERROR_ILLEGAL_ADDRESS";
    return CUDA_SUCCESS;
  };
  driver.cuGetErrorString = [](CUresult error, const char** text) {
    if (error != CUDA_ERROR_ILLEGAL_ADDRESS) return CUDA_ERROR_INVALID_VALUE;
    *text = "an illegal memory access was encountered";
    return CUDA_SUCCESS;
  };
  driver.cuMemFree = [](CUdeviceptr address) {
    return static_cast<CUresult>(address);
  };
  return driver;
}

TEST(CudaStatusTest, AFailureHasTheCallTheErrorAndWhatItMeansForTheDevice) {
  const CudaDriver driver = TestDriver();
  EXPECT_EQ(LOCKSTEP_CUDA_CALL(driver, cuMemFree, 0), absl::OkStatus());
  EXPECT_EQ(LOCKSTEP_CUDA_CALL(driver, cuMemFree, 700),
            absl::InternalError(
                "cuMemFree: CUDA_ERROR_ILLEGAL_ADDRESS: an illegal memory "
                "access was encountered; the device is lost for this process"));
}

TEST(CudaStatusTest, AnErrorThatTheDriverDoesNotKnowHasItsNumber) {
  EXPECT_EQ(LOCKSTEP_CUDA_CALL(TestDriver(), cuMemFree, 12345),
            absl::InternalError("cuMemFree: error 12345"));
}

TEST(CudaStatusTest, CodesSayWhoseFaultItIs) {
  const CudaDriver driver = TestDriver();
  using enum absl::StatusCode;
  for (const auto& [result, code] : {
           std::pair(CUDA_ERROR_OUT_OF_MEMORY, kResourceExhausted),
           std::pair(CUDA_ERROR_NO_DEVICE, kFailedPrecondition),
           std::pair(CUDA_ERROR_SYSTEM_NOT_READY, kFailedPrecondition),
           std::pair(CUDA_ERROR_INVALID_VALUE, kInternal),
       }) {
    EXPECT_EQ(DriverStatus(driver, result, "f").code(), code) << result;
    EXPECT_FALSE(IsContextLost(result));
  }
  for (const CUresult result :
       {CUDA_ERROR_ILLEGAL_ADDRESS, CUDA_ERROR_LAUNCH_FAILED}) {
    EXPECT_TRUE(IsContextLost(result));
  }
}

TEST(CudaStatusTest, NcclAndNvrtcHaveTheirNames) {
  EXPECT_EQ(NcclStatus(ncclInProgress, "f"), absl::OkStatus());
  const absl::Status gone = NcclStatus(ncclRemoteError, "ncclAllReduce");
  EXPECT_EQ(gone.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(gone.message(), HasSubstr("ncclAllReduce: ncclRemoteError"));
  EXPECT_EQ(
      NvrtcStatus(NVRTC_ERROR_COMPILATION, "nvrtcCompileProgram"),
      absl::InternalError("nvrtcCompileProgram: NVRTC_ERROR_COMPILATION (6)"));
}

}  // namespace
}  // namespace lockstep::internal::cuda
