// lockstep devices: what this machine has for workers to use.
#include <iostream>
#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "client/cli/device_report.h"
#include "client/cli/subcommand.h"
#include "runtime/cuda/cublas_lt.h"
#include "runtime/cuda/cuda_driver.h"
#include "runtime/cuda/nccl.h"
#include "runtime/cuda/nvrtc.h"
#include "runtime/devices/platform.h"
#include "runtime/mesh/memory_kinds.h"

namespace lockstep::internal {
namespace {

DeviceReport::ReportedPlatform Examine(const std::string& name) {
  DeviceReport::ReportedPlatform report{
      .name = name, .status = {}, .devices = {}};
  const auto platform = MakePlatform(name, {});
  if (!platform.ok()) {
    report.status = platform.status();
    return report;
  }
  for (const auto& device : (*platform)->devices()) {
    const DeviceInfo& info = device->info();
    report.devices.push_back({.name = device->name(),
                              .model = info.kind,
                              .memory_bytes = info.memory_bytes,
                              .numa_node = info.numa_node,
                              .memory_kinds = MemoryKinds(name),
                              .details = device->details()});
  }
  return report;
}

template <typename Table>
DeviceReport::ReportedLibrary Examine(
    const char* name, const absl::StatusOr<const Table*>& table) {
  DeviceReport::ReportedLibrary report{
      .name = name, .status = table.status(), .version = {}, .path = {}};
  if (table.ok()) {
    report.version = (*table)->version;
    report.path = (*table)->path;
  }
  return report;
}

absl::Status Devices(bool is_json) {
  DeviceReport report;
  for (const std::string& name : PlatformNames()) {
    report.platforms.push_back(Examine(name));
  }
  report.libraries = {Examine("CUDA driver", cuda::LoadCudaDriver()),
                      Examine("NVRTC", cuda::LoadNvrtc()),
                      Examine("cuBLASLt", cuda::LoadCublasLt()),
                      Examine("NCCL", cuda::LoadNccl())};
  std::cout << (is_json ? DeviceJson(report) : DeviceTable(report))
            << std::flush;
  return absl::OkStatus();
}

}  // namespace

std::function<absl::Status()> DefineDevices(CLI::App& app) {
  auto is_json = std::make_shared<bool>(false);
  app.add_flag("--json", *is_json, "one JSON object instead of tables");
  return [is_json] { return Devices(*is_json); };
}

}  // namespace lockstep::internal
