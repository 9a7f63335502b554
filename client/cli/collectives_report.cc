#include "client/cli/collectives_report.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "nlohmann/json.hpp"

namespace lockstep::internal {
namespace {

// Microseconds in 7 places.
std::string TimeText(double seconds) {
  const double micros = seconds * 1e6;
  const int digits = micros >= 10000 ? 0 : micros >= 100 ? 1 : 2;
  return absl::StrFormat("%7.*f", digits, micros);
}

int64_t CountWrong(const std::vector<CollectiveMeasurement>& measured) {
  int64_t wrong = 0;
  for (const CollectiveMeasurement& m : measured) wrong += m.wrong;
  return wrong;
}

}  // namespace

std::string CollectivesTitle(const CollectivesCluster& cluster) {
  return absl::StrCat("# ", cluster.hosts, " hosts, ", cluster.devices,
                      " devices, platform ", cluster.platform, ", ",
                      cluster.where, "\n");
}

std::string CollectiveHeader(const CollectiveKind& kind) {
  std::string text = absl::StrCat("#\n# ", kind.name, "\n#\n");
  absl::StrAppendFormat(
      &text, "#%11s  %12s  %8s  %6s  %6s  %7s  %6s  %6s  %s\n", "size", "count",
      "type", "redop", "root", "time", "algbw", "busbw", "#wrong");
  absl::StrAppendFormat(&text, "#%11s  %12s  %8s  %6s  %6s  %7s  %6s  %6s\n",
                        "(B)", "(elements)", "", "", "", "(us)", "(GB/s)",
                        "(GB/s)");
  return text;
}

std::string CollectiveRow(const CollectiveMeasurement& measured) {
  const CollectiveCase& c = measured.measured;
  return absl::StrFormat(
      "%12d  %12d  %8s  %6s  %6d  %s  %6.2f  %6.2f  %6d\n", c.bytes, c.count(),
      NumpyName(c.type), c.kind.redop, c.kind.root, TimeText(measured.seconds),
      measured.algorithm_bandwidth(), measured.bus_bandwidth(), measured.wrong);
}

std::string CollectiveFooter(
    const std::vector<CollectiveMeasurement>& measured) {
  const int64_t wrong = CountWrong(measured);
  std::string text = absl::StrFormat("# Out of bounds values : %d %s\n", wrong,
                                     wrong == 0 ? "OK" : "FAILED");
  absl::StrAppendFormat(&text, "# Avg bus bandwidth    : %g\n",
                        AverageBusBandwidth(measured));
  return text;
}

absl::Status CheckElements(const std::vector<CollectiveMeasurement>& measured) {
  for (const CollectiveMeasurement& m : measured) {
    if (m.wrong == 0) continue;
    return absl::DataLossError(
        absl::StrCat(m.measured.ToString(), ": ", m.wrong,
                     " elements are not what they must be"));
  }
  return absl::OkStatus();
}

std::string CollectivesJson(
    const CollectivesCluster& cluster,
    const std::vector<CollectiveMeasurement>& measured) {
  nlohmann::ordered_json json;
  json["cluster"] = cluster.where;
  json["hosts"] = cluster.hosts;
  json["devices"] = cluster.devices;
  json["platform"] = cluster.platform;
  json["collectives"] = nlohmann::ordered_json::array();
  std::vector<std::pair<std::string, std::vector<CollectiveMeasurement>>> ops;
  for (const CollectiveMeasurement& m : measured) {
    const CollectiveCase& c = m.measured;
    nlohmann::ordered_json row;
    row["op"] = c.kind.name;
    row["size"] = c.bytes;
    row["count"] = c.count();
    row["type"] = std::string(NumpyName(c.type));
    row["redop"] = c.kind.redop;
    row["root"] = c.kind.root;
    row["seconds"] = m.seconds;
    row["algbw"] = m.algorithm_bandwidth();
    row["busbw"] = m.bus_bandwidth();
    row["wrong"] = m.wrong;
    row["iterations"] = m.iterations;
    row["launch_seconds"] = m.launch_seconds;
    json["collectives"].push_back(std::move(row));
    if (ops.empty() || ops.back().first != c.kind.name) {
      ops.push_back({c.kind.name, {}});
    }
    ops.back().second.push_back(m);
  }
  json["average_busbw"] = nlohmann::ordered_json::object();
  for (const auto& [name, rows] : ops) {
    json["average_busbw"][name] = AverageBusBandwidth(rows);
  }
  return json.dump(2) + "\n";
}

}  // namespace lockstep::internal
