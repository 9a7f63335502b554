#include "proto/id_runs.h"

#include <cstddef>
#include <limits>

namespace lockstep::internal {
namespace {

constexpr int64_t kMaxHosts = 1 << 20;
constexpr int64_t kMaxDevices = 1 << 24;

template <typename Id>
void Append(absl::Span<const Id> ids, IdRuns* runs) {
  for (size_t i = 0; i < ids.size();) {
    size_t end = i + 1;
    while (end < ids.size() &&
           ids[end - 1].value() != std::numeric_limits<int32_t>::max() &&
           ids[end].value() == ids[end - 1].value() + 1) {
      ++end;
    }
    runs->Add(ids[i].value());
    runs->Add(static_cast<int32_t>(end - i));
    i = end;
  }
}

template <typename Id>
std::vector<Id> IdsOf(const IdRuns& runs, int64_t most) {
  std::vector<Id> ids;
  for (int i = 0; i + 1 < runs.size(); i += 2) {
    const int64_t first = runs[i];
    const int64_t count = runs[i + 1];
    if (count < 0 || count > most - static_cast<int64_t>(ids.size()) ||
        first + count - 1 > std::numeric_limits<int32_t>::max()) {
      break;
    }
    for (int64_t id = first; id < first + count; ++id) {
      ids.push_back(Id(static_cast<int32_t>(id)));
    }
  }
  return ids;
}

}  // namespace

void AppendHosts(absl::Span<const HostId> hosts, IdRuns* runs) {
  Append(hosts, runs);
}

void AppendDevices(absl::Span<const GlobalDeviceId> devices, IdRuns* runs) {
  Append(devices, runs);
}

std::vector<HostId> HostsOf(const IdRuns& runs) {
  return IdsOf<HostId>(runs, kMaxHosts);
}

std::vector<GlobalDeviceId> DevicesOf(const IdRuns& runs) {
  return IdsOf<GlobalDeviceId>(runs, kMaxDevices);
}

}  // namespace lockstep::internal
