#include "runtime/cluster/call.h"

#include "absl/strings/str_cat.h"

namespace lockstep::internal {

std::string CallText(LaunchNumber number, const std::string& text) {
  return absl::StrCat("call ", number.value(), text.empty() ? "" : ", ", text);
}

std::string MeetingKey(const LaunchKey& call) {
  return absl::StrCat("sequence ", absl::Hex(call.sequence), "/call ",
                      call.number.value());
}

}  // namespace lockstep::internal
