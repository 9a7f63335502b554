#include "runtime/conformance/case_result.h"

#include <nlohmann/json.hpp>
#include <utility>

namespace lockstep::internal {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::pair<CaseStatus, const char*> kNames[] = {
    {CaseStatus::kPass, "pass"},
    {CaseStatus::kUnsupported, "unsupported"},
    {CaseStatus::kFail, "fail"},
    {CaseStatus::kWrongReject, "wrong-reject"},
    {CaseStatus::kTimeout, "timeout"},
    {CaseStatus::kCrash, "crash"},
};

}  // namespace

absl::string_view CaseStatusName(CaseStatus status) {
  for (const auto& [value, name] : kNames) {
    if (value == status) return name;
  }
  return "unknown";
}

std::optional<CaseStatus> ParseCaseStatus(absl::string_view text) {
  for (const auto& [value, name] : kNames) {
    if (text == name) return value;
  }
  return std::nullopt;
}

std::string ToJson(const CaseResult& result) {
  Json json;
  json["file"] = result.file;
  json["case"] = result.name;
  json["status"] = std::string(CaseStatusName(result.status));
  json["op"] = result.op;
  json["reason"] = result.reason;
  json["seconds"] = result.seconds;
  json["detail"] = result.detail;
  json["disabled_upstream"] = result.is_disabled_upstream;
  json["ops"] = result.ops;
  json["element_types"] = result.element_types;
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

absl::Status FromJson(absl::string_view text, CaseResult& result) {
  try {
    const Json json = Json::parse(text.begin(), text.end());
    const auto status =
        ParseCaseStatus(json.at("status").get_ref<const std::string&>());
    if (!status) return absl::InternalError("unknown status of a case");
    result.status = *status;
    json.at("file").get_to(result.file);
    json.at("case").get_to(result.name);
    json.at("op").get_to(result.op);
    json.at("reason").get_to(result.reason);
    json.at("seconds").get_to(result.seconds);
    json.at("detail").get_to(result.detail);
    json.at("disabled_upstream").get_to(result.is_disabled_upstream);
    json.at("ops").get_to(result.ops);
    json.at("element_types").get_to(result.element_types);
    return absl::OkStatus();
  } catch (const nlohmann::json::exception& error) {
    return absl::InternalError(error.what());
  }
}

}  // namespace lockstep::internal
