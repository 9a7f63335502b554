#include "proto/host_runs.h"

#include <cstddef>
#include <limits>

namespace lockstep {
namespace {

constexpr int64_t kMaxHosts = 1 << 20;

}  // namespace

void AppendHosts(absl::Span<const HostId> hosts, HostRuns* runs) {
  for (size_t i = 0; i < hosts.size();) {
    size_t end = i + 1;
    while (end < hosts.size() &&
           hosts[end - 1].value() != std::numeric_limits<int32_t>::max() &&
           hosts[end].value() == hosts[end - 1].value() + 1) {
      ++end;
    }
    runs->Add(hosts[i].value());
    runs->Add(static_cast<int32_t>(end - i));
    i = end;
  }
}

std::vector<HostId> HostsOf(const HostRuns& runs) {
  std::vector<HostId> hosts;
  for (int i = 0; i + 1 < runs.size(); i += 2) {
    const int64_t first = runs[i];
    const int64_t count = runs[i + 1];
    const auto size = static_cast<int64_t>(hosts.size());
    if (count < 0 || count > kMaxHosts - size ||
        first + count - 1 > std::numeric_limits<int32_t>::max()) {
      break;
    }
    for (int64_t host = first; host < first + count; ++host) {
      hosts.push_back(HostId(static_cast<int32_t>(host)));
    }
  }
  return hosts;
}

}  // namespace lockstep
