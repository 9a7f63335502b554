#include "runtime/cluster/failure.h"

#include <vector>

#include "absl/strings/cord.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

constexpr absl::string_view kOriginPayload = "lockstep/origin";

}  // namespace

absl::Status AbortedBy(const HostRef& origin, const absl::Status& cause,
                       absl::string_view running) {
  if (OriginOf(cause).has_value()) return cause;
  std::string message =
      absl::StrCat("ended by ", ToString(origin), ", incarnation ",
                   ToString(origin.incarnation), ": ", StatusLine(cause));
  if (!running.empty()) absl::StrAppend(&message, "; running: ", running);
  absl::Status status = absl::AbortedError(message);
  status.SetPayload(
      kOriginPayload,
      absl::Cord(absl::StrCat(origin.id.value(), " ",
                              origin.incarnation.value(), " ", origin.name)));
  return status;
}

absl::Status FailedOn(const HostRef& host, const absl::Status& cause,
                      absl::string_view running) {
  if (OriginOf(cause).has_value() || IsSharedCause(cause)) return cause;
  if (absl::IsCancelled(cause)) return AbortedBy(host, cause, running);
  return Annotate(cause, ToString(host));
}

std::optional<HostRef> OriginOf(const absl::Status& status) {
  auto payload = status.GetPayload(kOriginPayload);
  if (!payload) return std::nullopt;
  std::vector<std::string> fields = absl::StrSplit(
      std::string(*payload), absl::MaxSplits(absl::ByChar(' '), 2));
  int32_t id = 0;
  uint64_t incarnation = 0;
  if (fields.size() != 3 || !absl::SimpleAtoi(fields[0], &id) ||
      !absl::SimpleAtoi(fields[1], &incarnation)) {
    return std::nullopt;
  }
  return HostRef{HostId(id), fields[2], Incarnation(incarnation)};
}

}  // namespace lockstep::internal
