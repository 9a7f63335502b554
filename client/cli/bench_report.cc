#include "client/cli/bench_report.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "client/cli/text_table.h"
#include "nlohmann/json.hpp"

namespace lockstep::internal {
namespace {

// "3.2 us", "14 ms".
std::string TimeText(double seconds) {
  const double micros = seconds * 1e6;
  if (micros < 1000) return absl::StrFormat("%.1f us", micros);
  return absl::StrFormat("%.3f ms", micros / 1000);
}

std::string RateText(double rate, const std::string& unit) {
  return absl::StrFormat("%.*f %s", rate < 100 ? 2 : 0, rate, unit);
}

}  // namespace

std::string BenchJson(const DeviceBench& bench) {
  nlohmann::ordered_json json;
  json["device"] = bench.device;
  json["measurements"] = nlohmann::ordered_json::array();
  for (const Measurement& measured : bench.measurements) {
    nlohmann::ordered_json row;
    row["name"] = measured.name;
    row["size"] = measured.size;
    row["seconds"] = measured.seconds;
    row["rate"] = measured.rate();
    row["unit"] = measured.unit;
    row["limit"] = nullptr;
    row["limit_name"] = nullptr;
    row["share"] = nullptr;
    if (measured.limit) {
      row["limit"] = *measured.limit;
      row["limit_name"] = measured.limit_name;
      row["share"] = measured.rate() / *measured.limit;
    }
    json["measurements"].push_back(std::move(row));
  }
  return json.dump(2) + "\n";
}

std::string BenchTable(const DeviceBench& bench) {
  std::vector<std::vector<std::string>> rows = {
      {"WHAT", "SIZE", "TIME", "RATE", "LIMIT", "SHARE"}};
  for (const Measurement& measured : bench.measurements) {
    rows.push_back(
        {measured.name, measured.size, TimeText(measured.seconds),
         RateText(measured.rate(), measured.unit),
         measured.limit ? absl::StrCat(RateText(*measured.limit, measured.unit),
                                       ", ", measured.limit_name)
                        : "-",
         measured.limit ? absl::StrFormat("%.0f %%", 100 * measured.rate() /
                                                         *measured.limit)
                        : "-"});
  }
  std::string text = absl::StrCat(bench.device, "\n\n");
  AppendTable(rows, text);
  return text;
}

}  // namespace lockstep::internal
