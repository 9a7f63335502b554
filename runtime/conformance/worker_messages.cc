#include "runtime/conformance/worker_messages.h"

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "runtime/base/status.h"

namespace lockstep::internal {

std::string Encode(const ModuleRequest& request) {
  return absl::StrCat(request.skip, "\n", request.module.file, "\n",
                      request.module.suffix, "\n", request.module.refusal, "\n",
                      request.module.run.interprets ? "1" : "0",
                      request.module.run.compares_output ? "1" : "0",
                      request.module.run.arguments, "\n", request.module.text);
}

absl::StatusOr<ModuleRequest> DecodeRequest(absl::string_view bytes) {
  const std::vector<absl::string_view> parts =
      absl::StrSplit(bytes, absl::MaxSplits('\n', 5));
  ModuleRequest request;
  if (parts.size() != 6 || parts[4].size() < 2 ||
      !absl::SimpleAtoi(parts[0], &request.skip)) {
    return absl::InternalError("malformed request to a worker");
  }
  request.module.file = std::string(parts[1]);
  request.module.suffix = std::string(parts[2]);
  request.module.refusal = std::string(parts[3]);
  request.module.run.interprets = parts[4][0] == '1';
  request.module.run.compares_output = parts[4][1] == '1';
  request.module.run.arguments = std::string(parts[4].substr(2));
  request.module.text = std::string(parts[5]);
  return request;
}

std::string Encode(const ModuleAnswer& answer) {
  switch (answer.kind) {
    case ModuleAnswer::Kind::kCases:
      return absl::StrCat("cases\n", absl::StrJoin(answer.cases, "\n"));
    case ModuleAnswer::Kind::kResult:
      return absl::StrCat("result\n", ToJson(answer.result));
    case ModuleAnswer::Kind::kEnd:
      return "end\n";
  }
  return "";
}

absl::StatusOr<ModuleAnswer> DecodeAnswer(absl::string_view bytes) {
  const std::vector<absl::string_view> parts =
      absl::StrSplit(bytes, absl::MaxSplits('\n', 1));
  ModuleAnswer answer;
  if (parts.size() == 2 && parts[0] == "end") return answer;
  if (parts.size() == 2 && parts[0] == "cases") {
    answer.kind = ModuleAnswer::Kind::kCases;
    answer.cases = absl::StrSplit(parts[1], '\n', absl::SkipEmpty());
    return answer;
  }
  if (parts.size() == 2 && parts[0] == "result") {
    answer.kind = ModuleAnswer::Kind::kResult;
    RETURN_IF_ERROR(FromJson(parts[1], answer.result));
    return answer;
  }
  return absl::InternalError("malformed answer of a worker");
}

}  // namespace lockstep::internal
