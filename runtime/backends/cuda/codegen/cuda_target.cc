#include "runtime/backends/cuda/codegen/cuda_target.h"

#include <cstdlib>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "runtime/base/status.h"
#include "runtime/cuda/cuda_driver.h"
#include "runtime/cuda/cuda_status.h"

namespace lockstep::internal {
namespace {

constexpr char kVariable[] = "LOCKSTEP_CUDA_TARGET";

absl::StatusOr<std::string> OfFirstDevice() {
  ASSIGN_OR_RETURN(const cuda::CudaDriver* driver, cuda::LoadCudaDriver());
  RETURN_IF_ERROR(LOCKSTEP_CUDA_CALL(*driver, cuInit, 0));
  cuda::CUdevice device = 0;
  RETURN_IF_ERROR(LOCKSTEP_CUDA_CALL(*driver, cuDeviceGet, &device, 0));
  int major = 0;
  int minor = 0;
  RETURN_IF_ERROR(LOCKSTEP_CUDA_CALL(
      *driver, cuDeviceGetAttribute, &major,
      cuda::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device));
  RETURN_IF_ERROR(LOCKSTEP_CUDA_CALL(
      *driver, cuDeviceGetAttribute, &minor,
      cuda::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device));
  return absl::StrCat("sm_", major, minor);
}

absl::StatusOr<std::string> FindTarget() {
  const char* const wanted = std::getenv(kVariable);
  if (wanted == nullptr || *wanted == '\0') return OfFirstDevice();
  absl::string_view digits = wanted;
  bool is_right = absl::ConsumePrefix(&digits, "sm_") && digits.size() >= 2;
  for (char c : digits) is_right = is_right && absl::ascii_isdigit(c);
  if (is_right) return std::string(wanted);
  return absl::InvalidArgumentError(absl::StrCat(
      kVariable, ": expected sm_<compute capability>, such as sm_90, found \"",
      wanted, "\""));
}

}  // namespace

absl::StatusOr<std::string> CudaTargetOfProcess() {
  static const auto* target = new absl::StatusOr<std::string>(FindTarget());
  return *target;
}

}  // namespace lockstep::internal
