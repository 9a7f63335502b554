#include "runtime/cluster/host_ref.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace lockstep::internal {

std::string ToString(const HostRef& host) {
  return absl::StrCat("host ", host.id.value(), " (", host.name, ")");
}

std::string ToString(Incarnation incarnation) {
  return absl::StrCat(absl::Hex(incarnation.value(), absl::kZeroPad16));
}

std::string CutList(absl::Span<const std::string> texts) {
  std::string list = absl::StrJoin(
      texts.subspan(0, std::min(texts.size(), kListedHosts)), ", ");
  if (texts.size() > kListedHosts) {
    absl::StrAppend(&list, " and ", texts.size() - kListedHosts, " more");
  }
  return list;
}

std::string HostList(absl::Span<const HostRef> hosts) {
  std::vector<std::string> texts;
  texts.reserve(hosts.size());
  for (const HostRef& host : hosts) texts.push_back(ToString(host));
  return CutList(texts);
}

}  // namespace lockstep::internal
