#include "client/cli/array_report.h"

#include "absl/strings/str_cat.h"
#include "client/cli/status_report.h"
#include "client/cli/text_table.h"
#include "nlohmann/json.hpp"
#include "runtime/base/quantity_text.h"

namespace lockstep::internal {
namespace {

using nlohmann::ordered_json;

ordered_json OrNull(const std::string& text) {
  return text.empty() ? ordered_json() : ordered_json(text);
}

std::string OrDash(const std::string& text) {
  return text.empty() ? "-" : text;
}

ordered_json ToJson(const ArrayReport::HeldArray& array) {
  ordered_json json;
  json["name"] = OrNull(array.name);
  json["client"] = array.client;
  json["shape"] = OrNull(array.shape);
  json["layout"] = OrNull(array.layout);
  json["shard"] = OrNull(array.shard);
  json["devices"] = array.devices;
  json["state"] = array.state;
  json["error"] = OrNull(array.error);
  json["bytes"] = array.bytes;
  return json;
}

ordered_json ToJson(const ArrayReport::Host& host) {
  ordered_json json;
  json["host_id"] = host.host_id;
  json["name"] = host.name;
  const bool is_known = host.note.empty();
  json["arrays"] = is_known ? ordered_json(host.arrays) : ordered_json();
  json["array_bytes"] =
      is_known ? ordered_json(host.array_bytes) : ordered_json();
  json["devices"] = host.devices;
  json["bytes_in_use"] =
      is_known ? ordered_json(host.bytes_in_use) : ordered_json();
  json["note"] = OrNull(host.note);
  return json;
}

}  // namespace

std::string ArrayJson(const ArrayReport& report) {
  ordered_json json;
  json["address"] = report.address;
  json["arrays"] = ordered_json::array();
  for (const auto& array : report.arrays) {
    json["arrays"].push_back(ToJson(array));
  }
  json["hosts"] = ordered_json::array();
  for (const auto& host : report.hosts) json["hosts"].push_back(ToJson(host));
  // Names of hosts and clients may be any bytes.
  return json.dump(2, ' ', /*ensure_ascii=*/false,
                   nlohmann::json::error_handler_t::replace) +
         "\n";
}

std::string ArrayTable(const ArrayReport& report) {
  std::string text;
  std::string errors;
  if (report.arrays.empty()) {
    text = absl::StrCat("no arrays in the cluster at ", report.address, "\n");
  } else {
    std::vector<std::vector<std::string>> rows = {{"NAME", "CLIENT", "SHAPE",
                                                   "LAYOUT", "SHARD", "DEVICES",
                                                   "STATE", "BYTES"}};
    for (const ArrayReport::HeldArray& array : report.arrays) {
      rows.push_back({OrDash(array.name), array.client, OrDash(array.shape),
                      OrDash(array.layout), OrDash(array.shard),
                      OrDash(IdRanges(array.devices)), array.state,
                      BytesText(array.bytes)});
      if (array.error.empty()) continue;
      absl::StrAppend(&errors,
                      array.name.empty()
                          ? absl::StrCat("an array of client ", array.client)
                          : absl::StrCat("array '", array.name, "'"),
                      ": ", array.error, "\n");
    }
    AppendTable(rows, text);
    text += "\n";
  }
  std::vector<std::vector<std::string>> rows = {
      {"HOST", "NAME", "DEVICES", "ARRAYS", "BYTES", "IN USE", "NOTE"}};
  for (const ArrayReport::Host& host : report.hosts) {
    const bool is_known = host.note.empty();
    rows.push_back({absl::StrCat(host.host_id), host.name,
                    OrDash(IdRanges(host.devices)),
                    is_known ? absl::StrCat(host.arrays) : "-",
                    is_known ? BytesText(host.array_bytes) : "-",
                    is_known ? BytesText(host.bytes_in_use) : "-", host.note});
  }
  AppendTable(rows, text);
  return text + errors;
}

}  // namespace lockstep::internal
