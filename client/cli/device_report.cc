#include "client/cli/device_report.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "client/cli/text_table.h"
#include "nlohmann/json.hpp"
#include "runtime/base/quantity_text.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

using nlohmann::ordered_json;
using Row = std::vector<std::string>;

ordered_json OrNull(const std::string& text) {
  return text.empty() ? ordered_json() : ordered_json(text);
}

ordered_json ErrorJson(const absl::Status& status) {
  return status.ok() ? ordered_json() : ordered_json(StatusLine(status));
}

ordered_json DeviceJson(const DeviceReport::ReportedDevice& device) {
  ordered_json json;
  json["name"] = device.name;
  json["model"] = device.model;
  json["memory_bytes"] = device.memory_bytes > 0
                             ? ordered_json(device.memory_bytes)
                             : ordered_json();
  json["numa_node"] =
      device.numa_node >= 0 ? ordered_json(device.numa_node) : ordered_json();
  json["memory_kinds"] = device.memory_kinds;
  json["details"] = ordered_json::object();
  for (const auto& [name, value] : device.details) {
    json["details"][name] = value;
  }
  return json;
}

std::string DetailsText(const DeviceReport::ReportedDevice& device) {
  return absl::StrJoin(
      device.details, ", ", [](std::string* out, const auto& detail) {
        absl::StrAppend(out, absl::StrReplaceAll(detail.first, {{"_", " "}}),
                        " ", detail.second);
      });
}

}  // namespace

std::string DeviceJson(const DeviceReport& report) {
  ordered_json json;
  json["platforms"] = ordered_json::array();
  for (const DeviceReport::ReportedPlatform& platform : report.platforms) {
    ordered_json entry;
    entry["name"] = platform.name;
    entry["error"] = ErrorJson(platform.status);
    entry["devices"] = ordered_json::array();
    for (const DeviceReport::ReportedDevice& device : platform.devices) {
      entry["devices"].push_back(DeviceJson(device));
    }
    json["platforms"].push_back(std::move(entry));
  }
  json["libraries"] = ordered_json::array();
  for (const DeviceReport::ReportedLibrary& library : report.libraries) {
    ordered_json entry;
    entry["name"] = library.name;
    entry["error"] = ErrorJson(library.status);
    entry["version"] = OrNull(library.version);
    entry["path"] = OrNull(library.path);
    json["libraries"].push_back(std::move(entry));
  }
  return json.dump(2) + "\n";
}

std::string DeviceTable(const DeviceReport& report) {
  std::vector<Row> devices = {
      {"DEVICE", "MODEL", "MEMORY", "MEMORY KINDS", "DETAILS"}};
  std::vector<Row> libraries = {{"LIBRARY", "VERSION", "PATH"}};
  std::string missing;
  for (const DeviceReport::ReportedPlatform& platform : report.platforms) {
    for (const DeviceReport::ReportedDevice& device : platform.devices) {
      devices.push_back(
          {device.name, device.model,
           device.memory_bytes > 0 ? BytesText(device.memory_bytes) : "-",
           absl::StrJoin(device.memory_kinds, " "), DetailsText(device)});
    }
    if (!platform.status.ok()) {
      absl::StrAppend(&missing, "no devices of the platform ", platform.name,
                      ": ", StatusLine(platform.status), "\n");
    }
  }
  for (const DeviceReport::ReportedLibrary& library : report.libraries) {
    if (library.status.ok()) {
      libraries.push_back({library.name, library.version, library.path});
    } else {
      absl::StrAppend(&missing, "no ", library.name, ": ",
                      StatusLine(library.status), "\n");
    }
  }
  std::string text;
  AppendTable(devices, text);
  if (libraries.size() > 1) {
    absl::StrAppend(&text, "\n");
    AppendTable(libraries, text);
  }
  return absl::StrCat(text, missing.empty() ? "" : "\n", missing);
}

}  // namespace lockstep::internal
