#include "client/cli/status_report.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "client/cli/text_table.h"
#include "nlohmann/json.hpp"

namespace lockstep::internal {
namespace {

using nlohmann::ordered_json;

ordered_json OrNull(const std::string& text) {
  return text.empty() ? ordered_json() : ordered_json(text);
}

ordered_json OrNull(int64_t number, bool is_null) {
  return is_null ? ordered_json() : ordered_json(number);
}

ordered_json HostJson(const StatusReport::Host& host) {
  ordered_json json;
  json["host_id"] = OrNull(host.host_id, host.host_id < 0);
  json["name"] = host.name;
  json["pid"] = host.pid;
  json["address"] = OrNull(host.address);
  json["incarnation"] = host.incarnation;
  json["state"] = host.state;
  json["state_reason"] = OrNull(host.state_reason);
  json["devices"] = host.devices;
  json["program"] = OrNull(host.program);
  json["launch"] = OrNull(host.launch, host.launch == 0);
  json["collective"] = OrNull(host.collective);
  json["last_progress_s"] = host.last_progress_s;
  json["activity"] = OrNull(host.activity);
  return json;
}

// Its devices cannot be used.
bool IsGone(const StatusReport::Host& host) {
  return host.state == "exited" || host.state == "silent" ||
         host.state == "left";
}

using Row = std::vector<std::string>;

std::string OrDash(const std::string& text) {
  return text.empty() ? "-" : text;
}

Row HostRow(const StatusReport::Host& host) {
  return {
      host.host_id < 0 ? "-" : absl::StrCat(host.host_id),
      host.name,
      absl::StrCat(host.pid),
      host.state,
      OrDash(IdRanges(host.devices)),
      OrDash(host.program),
      host.launch == 0 ? "-" : absl::StrCat(host.launch),
      OrDash(host.collective),
      absl::StrFormat("%.1f s ago", host.last_progress_s),
      OrDash(host.state_reason.empty() ? host.activity : host.state_reason)};
}

}  // namespace

std::string IdRanges(const std::vector<int>& ids) {
  std::string text;
  for (size_t i = 0; i < ids.size();) {
    size_t end = i + 1;
    while (end < ids.size() && ids[end] == ids[end - 1] + 1) ++end;
    absl::StrAppend(&text, text.empty() ? "" : ",", ids[i]);
    if (end - i > 1) absl::StrAppend(&text, "-", ids[end - 1]);
    i = end;
  }
  return text;
}

std::string StatusJson(const StatusReport& report) {
  ordered_json json;
  json["address"] = report.address;
  json["cluster_id"] = report.cluster_id;
  json["epoch"] = report.epoch;
  json["pid"] = report.pid;
  json["is_formed"] = report.is_formed;
  json["expected_hosts"] = report.expected_hosts;
  json["clients"] = report.clients;
  json["notices"] = report.notices;
  json["hosts"] = ordered_json::array();
  for (const StatusReport::Host& host : report.hosts) {
    json["hosts"].push_back(HostJson(host));
  }
  return json.dump(2) + "\n";
}

std::string StatusTable(const StatusReport& report) {
  size_t devices = 0;
  size_t hosts = 0;
  for (const StatusReport::Host& host : report.hosts) {
    if (IsGone(host)) continue;
    ++hosts;
    devices += host.devices.size();
  }
  const bool is_complete = hosts == report.hosts.size();
  std::string text =
      absl::StrCat("cluster at ", report.address, ": ",
                   !report.is_formed ? "waiting"
                   : is_complete     ? "ready"
                                     : "degraded",
                   ", epoch ", report.epoch, ", ", hosts, " of ",
                   report.expected_hosts, " hosts, ", devices, " devices\n");
  if (!report.hosts.empty()) {
    std::vector<Row> rows = {{"HOST", "NAME", "PID", "STATE", "DEVICES",
                              "PROGRAM", "LAUNCH", "COLLECTIVE", "REPORTED",
                              "NOTE"}};
    for (const StatusReport::Host& host : report.hosts) {
      rows.push_back(HostRow(host));
    }
    AppendTable(rows, text);
  }
  for (const std::string& notice : report.notices) text += notice + "\n";
  return text;
}

}  // namespace lockstep::internal
