#include "runtime/devices/cuda/cuda_device.h"

#include <array>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/cuda/cuda_status.h"

namespace lockstep::internal {
namespace {

// As nvidia-smi shows it: "GPU-1b2c...".
std::string UuidText(const cuda::CUuuid& uuid) {
  const std::string digits =
      absl::BytesToHexString(absl::string_view(uuid.bytes, sizeof(uuid.bytes)));
  const absl::string_view all = digits;
  return absl::StrCat("GPU-", all.substr(0, 8), "-", all.substr(8, 4), "-",
                      all.substr(12, 4), "-", all.substr(16, 4), "-",
                      all.substr(20));
}

}  // namespace

static_assert(CudaMemoryPool::kAlignment % DeviceMemory::kAlignment == 0);

class CudaDevice::Block final : public DeviceMemory {
 public:
  Block(std::shared_ptr<LocalDevice> device, DeviceAddress address)
      : DeviceMemory(std::move(device), address) {}
  ~Block() override {
    auto& cuda_device = static_cast<CudaDevice&>(device());
    cuda_device.driver_.cuCtxSetCurrent(cuda_device.context_);
    cuda_device.memory_->Free(
        reinterpret_cast<cuda::CUdeviceptr>(address().device_bytes()), size());
  }
};

absl::StatusOr<std::shared_ptr<CudaDevice>> CudaDevice::Create(
    const cuda::CudaDriver& driver, const Options& options) {
  std::shared_ptr<CudaDevice> device(new CudaDevice(driver, options));
  RETURN_IF_ERROR(device->Open(options));
  return device;
}

CudaDevice::CudaDevice(const cuda::CudaDriver& driver, const Options& options)
    : driver_(driver),
      name_(absl::StrCat("cuda:", options.index)),
      ordinal_(options.ordinal) {}

CudaDevice::~CudaDevice() {
  if (context_ == nullptr) return;
  BeginEnd();
  FinishEnd();
  // Also that of a lost device, whose driver refuses the calls.
  driver_.cuCtxSetCurrent(context_);
  collectives_.reset();
  transfers_.reset();
  compute_.reset();
  events_.reset();
  memory_.reset();
  driver_.cuCtxSetCurrent(nullptr);
  driver_.cuDevicePrimaryCtxRelease(handle_);
}

absl::Status CudaDevice::Open(const Options& options) {
  RETURN_IF_ERROR(
      Check(driver_.cuDeviceGet(&handle_, ordinal_), "cuDeviceGet"));
  RETURN_IF_ERROR(FillIn(options));
  RETURN_IF_ERROR(Check(driver_.cuDevicePrimaryCtxRetain(&context_, handle_),
                        "cuDevicePrimaryCtxRetain"));
  RETURN_IF_ERROR(MakeCurrent());
  size_t free = 0;
  size_t total = 0;
  RETURN_IF_ERROR(Check(driver_.cuMemGetInfo(&free, &total), "cuMemGetInfo"));
  CudaMemoryPool::Options memory;
  memory.limit =
      static_cast<int64_t>(options.memory_fraction * static_cast<double>(free));
  memory.has_slabs = options.has_memory_pool;
  memory_ = std::make_unique<CudaMemoryPool>(*this, memory);
  events_ = std::make_unique<CudaEventPool>(*this);
  auto queue = [&](const char* what) {
    return CudaQueue::Create(*this, absl::StrCat(what, " ", options.index));
  };
  ASSIGN_OR_RETURN(compute_, queue("compute"));
  ASSIGN_OR_RETURN(transfers_, queue("copy"));
  ASSIGN_OR_RETURN(collectives_, queue("coll"));
  return absl::OkStatus();
}

absl::Status CudaDevice::FillIn(const Options& options) {
  std::array<char, 256> name = {};
  RETURN_IF_ERROR(
      Check(driver_.cuDeviceGetName(name.data(), name.size() - 1, handle_),
            "cuDeviceGetName"));
  info_.kind = name.data();
  std::array<char, 32> pci_id = {};
  RETURN_IF_ERROR(Check(
      driver_.cuDeviceGetPCIBusId(pci_id.data(), pci_id.size() - 1, handle_),
      "cuDeviceGetPCIBusId"));
  if (!options.is_shared) info_.physical_id = pci_id.data();
  cuda::CUuuid uuid = {};
  RETURN_IF_ERROR(
      Check(driver_.cuDeviceGetUuid(&uuid, handle_), "cuDeviceGetUuid"));
  size_t total = 0;
  RETURN_IF_ERROR(
      Check(driver_.cuDeviceTotalMem(&total, handle_), "cuDeviceTotalMem"));
  info_.memory_bytes = static_cast<int64_t>(total);
  ASSIGN_OR_RETURN(
      const int major,
      Attribute(cuda::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR));
  ASSIGN_OR_RETURN(
      const int minor,
      Attribute(cuda::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR));
  compute_capability_ = 10 * major + minor;
  ASSIGN_OR_RETURN(multiprocessors_,
                   Attribute(cuda::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT));
  details_ = {{"compute_capability", absl::StrCat(major, ".", minor)},
              {"pci_id", pci_id.data()},
              {"uuid", UuidText(uuid)},
              {"multiprocessors", absl::StrCat(multiprocessors_)}};
  // Drivers before 12.2 do not know it.
  info_.numa_node =
      Attribute(cuda::CU_DEVICE_ATTRIBUTE_HOST_NUMA_ID).value_or(-1);
  return absl::OkStatus();
}

absl::StatusOr<int> CudaDevice::Attribute(cuda::CUdevice_attribute attribute) {
  int value = 0;
  RETURN_IF_ERROR(
      Check(driver_.cuDeviceGetAttribute(&value, attribute, handle_),
            "cuDeviceGetAttribute"));
  return value;
}

absl::Status CudaDevice::MakeCurrent() {
  RETURN_IF_ERROR(status());
  return Check(driver_.cuCtxSetCurrent(context_), "cuCtxSetCurrent");
}

absl::Status CudaDevice::Check(cuda::CUresult result, absl::string_view call) {
  if (result == cuda::CUDA_SUCCESS) return absl::OkStatus();
  RETURN_IF_ERROR(status());
  absl::Status failure = Annotate(
      cuda::DriverStatus(driver_, result, call),
      info_.kind.empty() ? name_ : absl::StrCat(name_, " (", info_.kind, ")"));
  if (!cuda::IsContextLost(result)) return failure;
  absl::MutexLock lock(&mutex_);
  lost_.Update(failure);
  is_lost_ = true;
  return lost_;
}

absl::Status CudaDevice::status() const {
  if (!is_lost_) return absl::OkStatus();
  absl::MutexLock lock(&mutex_);
  return lost_;
}

absl::StatusOr<std::shared_ptr<DeviceMemory>> CudaDevice::Allocate(
    int64_t size) {
  RETURN_IF_ERROR(MakeCurrent());
  ASSIGN_OR_RETURN(const cuda::CUdeviceptr address, memory_->Allocate(size));
  return std::make_shared<Block>(
      shared_from_this(),
      DeviceAddress(reinterpret_cast<std::byte*>(address), size,
                    /*host_accessible=*/false));
}

LocalDevice::Statistics CudaDevice::statistics() const {
  return memory_->statistics();
}

void CudaDevice::BeginEnd() {
  for (CudaQueue* queue :
       {compute_.get(), transfers_.get(), collectives_.get()}) {
    if (queue != nullptr) queue->BeginEnd();
  }
}

void CudaDevice::FinishEnd() {
  for (CudaQueue* queue :
       {compute_.get(), transfers_.get(), collectives_.get()}) {
    if (queue != nullptr) queue->FinishEnd();
  }
}

CudaDevice* AsCudaDevice(LocalDevice& device) {
  return dynamic_cast<CudaDevice*>(&device);
}

}  // namespace lockstep::internal
