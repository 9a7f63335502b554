#include "runtime/devices/cuda/cuda_platform.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/cuda/cuda_driver.h"
#include "runtime/cuda/cuda_status.h"

namespace lockstep::internal {
namespace {

CudaDevice& AsCuda(LocalDevice& device) {
  return static_cast<CudaDevice&>(device);
}

absl::StatusOr<int> DeviceCount(const cuda::CudaDriver& driver) {
  absl::Status status = LOCKSTEP_CUDA_CALL(driver, cuInit, 0);
  int count = 0;
  status.Update(LOCKSTEP_CUDA_CALL(driver, cuDeviceGetCount, &count));
  if (!status.ok()) return Annotate(status, driver.path);
  if (count > 0) return count;
  return absl::FailedPreconditionError(
      absl::StrCat(driver.path,
                   ": the driver has no device; is a GPU there, and does "
                   "CUDA_VISIBLE_DEVICES leave one?"));
}

absl::Status CheckOrdinals(const std::vector<int>& ordinals, int count) {
  for (auto it = ordinals.begin(); it != ordinals.end(); ++it) {
    if (*it < 0 || *it >= count) {
      return absl::InvalidArgumentError(absl::StrCat(
          "no device ", *it, " of the platform \"cuda\", which has ", count,
          ", from 0 on"));
    }
    if (std::find(ordinals.begin(), it, *it) != it) {
      return absl::InvalidArgumentError(
          absl::StrCat("device ", *it, " is asked for twice"));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::unique_ptr<CudaPlatform>> CudaPlatform::Create(
    const Options& options) {
  ASSIGN_OR_RETURN(const cuda::CudaDriver* const driver,
                   cuda::LoadCudaDriver());
  ASSIGN_OR_RETURN(const int gpus, DeviceCount(*driver));
  const int count = gpus * options.devices_per_gpu;
  std::vector<int> ordinals = options.ordinals;
  RETURN_IF_ERROR(CheckOrdinals(ordinals, count));
  if (ordinals.empty()) {
    ordinals.resize(static_cast<size_t>(count));
    std::iota(ordinals.begin(), ordinals.end(), 0);
  }
  std::unique_ptr<CudaPlatform> platform(new CudaPlatform);
  platform->has_distinct_devices_ = options.devices_per_gpu == 1;
  for (const int ordinal : ordinals) {
    CudaDevice::Options device_options;
    device_options.ordinal = ordinal % gpus;
    device_options.index = static_cast<int>(platform->devices_.size());
    device_options.memory_fraction = options.memory_fraction;
    device_options.is_shared = options.is_shared || options.devices_per_gpu > 1;
    device_options.has_memory_pool = options.has_memory_pool;
    ASSIGN_OR_RETURN(std::shared_ptr<LocalDevice> device,
                     CudaDevice::Create(*driver, device_options));
    platform->devices_.push_back(std::move(device));
  }
  return platform;
}

CudaPlatform::~CudaPlatform() {
  for (const auto& device : devices_) AsCuda(*device).BeginEnd();
  for (const auto& device : devices_) AsCuda(*device).FinishEnd();
}

namespace {

bool IsSetTo(const char* variable, absl::string_view value) {
  const char* const text = std::getenv(variable);
  return text != nullptr && text == value;
}

absl::Status WrongVariable(absl::string_view name, absl::string_view expected,
                           absl::string_view found) {
  return absl::InvalidArgumentError(
      absl::StrCat(name, ": expected ", expected, ", found \"", found, "\""));
}

absl::Status TakeEnvironment(CudaPlatform::Options& options) {
  options.is_shared = SharesGpus();
  options.has_memory_pool = !IsSetTo("LOCKSTEP_CUDA_MEMORY_POOL", "0");
  constexpr char kFraction[] = "LOCKSTEP_CUDA_MEMORY_FRACTION";
  if (const char* const text = std::getenv(kFraction); text != nullptr) {
    double& fraction = options.memory_fraction;
    if (!absl::SimpleAtod(text, &fraction) || fraction <= 0 || fraction > 1) {
      return WrongVariable(kFraction, "a number above 0, at most 1", text);
    }
  }
  constexpr char kDevices[] = "LOCKSTEP_CUDA_DEVICES_PER_GPU";
  if (const char* const text = std::getenv(kDevices); text != nullptr) {
    int& devices = options.devices_per_gpu;
    if (!absl::SimpleAtoi(text, &devices) || devices < 1 || devices > 64) {
      return WrongVariable(kDevices, "a number from 1 to 64", text);
    }
  }
  return absl::OkStatus();
}

}  // namespace

bool SharesGpus() { return IsSetTo("LOCKSTEP_CUDA_SHARED", "1"); }

absl::StatusOr<int> CudaDeviceCount() {
  ASSIGN_OR_RETURN(const cuda::CudaDriver* const driver,
                   cuda::LoadCudaDriver());
  CudaPlatform::Options options;
  RETURN_IF_ERROR(TakeEnvironment(options));
  ASSIGN_OR_RETURN(const int gpus, DeviceCount(*driver));
  return gpus * options.devices_per_gpu;
}

namespace {

const bool kIsRegistered =
    RegisterPlatform("cuda",
                     [](const PlatformOptions& asked)
                         -> absl::StatusOr<std::unique_ptr<Platform>> {
                       CudaPlatform::Options options;
                       options.ordinals = asked.ordinals;
                       RETURN_IF_ERROR(TakeEnvironment(options));
                       return CudaPlatform::Create(options);
                     });

}  // namespace
}  // namespace lockstep::internal
