#ifndef LOCKSTEP_CLIENT_CLI_DEVICE_REPORT_H_
#define LOCKSTEP_CLIENT_CLI_DEVICE_REPORT_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"

namespace lockstep::internal {

// The devices and libraries of this machine, as `lockstep devices` prints them.
// A value type.
struct DeviceReport {
  struct ReportedDevice {
    std::string name;
    std::string model;
    int64_t memory_bytes = 0;  // 0: unknown
    int numa_node = -1;        // -1: unknown
    std::vector<std::string> memory_kinds;
    std::vector<std::pair<std::string, std::string>> details;
  };
  struct ReportedPlatform {
    std::string name;
    absl::Status status;  // why there are no devices
    std::vector<ReportedDevice> devices;
  };
  struct ReportedLibrary {
    std::string name;
    absl::Status status;  // why it cannot be used
    std::string version;
    std::string path;
  };
  std::vector<ReportedPlatform> platforms;
  std::vector<ReportedLibrary> libraries;
};

// One JSON object of several lines: "platforms" with name, error, devices
// (name, model, memory_bytes, numa_node, memory_kinds, details); "libraries"
// with name, error, version, path. Null for what there is not.
std::string DeviceJson(const DeviceReport& report);

// Two tables for people, and what is missing, a line each.
std::string DeviceTable(const DeviceReport& report);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_CLI_DEVICE_REPORT_H_
