#include "client/cli/exit_status.h"

#include <string>
#include <utility>

#include "absl/strings/cord.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"

namespace lockstep::internal {
namespace {

constexpr char kPayload[] = "lockstep/exit_code";

}  // namespace

absl::Status WithExitCode(int code, absl::Status status) {
  status.SetPayload(kPayload, absl::Cord(absl::StrCat(code)));
  return status;
}

absl::Status SilentExit(int code) {
  return WithExitCode(code, absl::FailedPreconditionError(""));
}

std::optional<int> ChosenExitCode(const absl::Status& status) {
  const auto payload = status.GetPayload(kPayload);
  int code = 0;
  if (!payload.has_value() || !absl::SimpleAtoi(std::string(*payload), &code)) {
    return std::nullopt;
  }
  return code;
}

}  // namespace lockstep::internal
