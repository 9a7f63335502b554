#include "client/cli/program_report.h"

#include <cstddef>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "client/cli/text_table.h"
#include "nlohmann/json.hpp"
#include "runtime/base/status.h"
#include "runtime/ir/module.h"
#include "runtime/ir/shardings.h"
#include "runtime/mesh/sharding/sharding_text.h"

namespace lockstep::internal {
namespace {

using nlohmann::ordered_json;
using ReportedArray = ProgramReport::ReportedArray;
using Row = std::vector<std::string>;

std::string WrittenSharding(const AttributeMap& attributes) {
  if (const TensorSharding* sharding = ShardingOf(attributes)) {
    return ToSdyString(*sharding);
  }
  const Attribute* gspmd = attributes.Find("mhlo.sharding");
  const auto* text =
      gspmd == nullptr ? nullptr : gspmd->As<Attribute::String>();
  return text == nullptr ? "" : text->value;
}

// `whole`: null where the program is not over whole arrays.
ReportedArray ReportArray(const AttributeMap& attributes, const Shape& local,
                          const TensorLayout* whole) {
  ReportedArray array;
  array.written = WrittenSharding(attributes);
  array.local_type = local.ToString();
  array.type = array.local_type;
  if (whole != nullptr) {
    array.type = whole->shape.ToString();
    array.propagated = ToSdyString(whole->sharding);
  }
  return array;
}

ordered_json OrNull(const std::string& text) {
  return text.empty() ? ordered_json() : ordered_json(text);
}

ordered_json ArraysJson(absl::Span<const ReportedArray> arrays) {
  ordered_json json = ordered_json::array();
  for (size_t i = 0; i < arrays.size(); ++i) {
    ordered_json entry;
    entry["index"] = i;
    entry["type"] = arrays[i].type;
    entry["sharding"] = OrNull(arrays[i].written);
    entry["propagated_sharding"] = OrNull(arrays[i].propagated);
    entry["local_type"] = arrays[i].local_type;
    json.push_back(std::move(entry));
  }
  return json;
}

std::string OrDash(const std::string& text) {
  return text.empty() ? "-" : text;
}

void AddRows(absl::Span<const ReportedArray> arrays, const std::string& what,
             std::vector<Row>& rows) {
  for (size_t i = 0; i < arrays.size(); ++i) {
    rows.push_back({absl::StrCat(what, " ", i), arrays[i].type,
                    OrDash(arrays[i].written), OrDash(arrays[i].propagated),
                    arrays[i].local_type});
  }
}

std::string Count(int count, absl::string_view what) {
  return absl::StrCat(count, " ", what, count == 1 ? "" : "s");
}

}  // namespace

absl::StatusOr<ProgramReport> ReportOf(const ProgramFile& program) {
  const ProgramSignature& signature = program.signature;
  const std::optional<ProgramLayout>& layout = signature.layout;
  ASSIGN_OR_RETURN(const Function* entry, program.module->EntryFunction());
  ProgramReport report;
  report.name = signature.name;
  report.replicas = signature.replicas;
  report.partitions = signature.partitions;
  if (layout.has_value()) report.mesh = layout->mesh.ToString();
  for (size_t i = 0; i < signature.arguments.size(); ++i) {
    report.arguments.push_back(ReportArray(
        entry->argument_attributes(static_cast<int>(i)), signature.arguments[i],
        layout.has_value() ? &layout->arguments[i] : nullptr));
  }
  for (size_t i = 0; i < signature.results.size(); ++i) {
    report.results.push_back(
        ReportArray(entry->result_attributes()[i], signature.results[i],
                    layout.has_value() ? &layout->results[i] : nullptr));
  }
  return report;
}

std::string ProgramJson(const ProgramReport& report) {
  ordered_json json;
  json["name"] = report.name;
  json["replicas"] = report.replicas;
  json["partitions"] = report.partitions;
  json["mesh"] = OrNull(report.mesh);
  json["arguments"] = ArraysJson(report.arguments);
  json["results"] = ArraysJson(report.results);
  return json.dump(2) + "\n";
}

std::string ProgramTable(const ProgramReport& report) {
  std::string text = absl::StrCat("module ", report.name, ": ",
                                  Count(report.replicas, "replica"), " x ",
                                  Count(report.partitions, "partition"), "\n");
  if (!report.mesh.empty()) absl::StrAppend(&text, "mesh ", report.mesh, "\n");
  std::vector<Row> rows = {
      {"ARRAY", "TYPE", "SHARDING", "PROPAGATED", "ON EACH DEVICE"}};
  AddRows(report.arguments, "argument", rows);
  AddRows(report.results, "result", rows);
  if (rows.size() == 1) return text;
  absl::StrAppend(&text, "\n");
  AppendTable(rows, text);
  return text;
}

}  // namespace lockstep::internal
