#include "coordinator/membership/host_assignment.h"

#include <algorithm>
#include <tuple>

namespace lockstep::internal {

std::vector<int> AssignHostIds(const std::vector<WorkerInfo>& workers) {
  std::vector<int> hosts(workers.size(), -1);
  std::vector<int> rest;
  for (size_t i = 0; i < workers.size(); ++i) {
    if (workers[i].requested_rank.has_value()) {
      hosts[*workers[i].requested_rank] = static_cast<int>(i);
    } else {
      rest.push_back(static_cast<int>(i));
    }
  }
  std::sort(rest.begin(), rest.end(), [&](int a, int b) {
    return std::tie(workers[a].network_group, workers[a].name) <
           std::tie(workers[b].network_group, workers[b].name);
  });
  auto next = rest.begin();
  for (int& host : hosts) {
    if (host < 0) host = *next++;
  }
  return hosts;
}

World BuildWorld(const std::vector<WorkerInfo>& workers) {
  std::vector<Device> devices;
  for (size_t h = 0; h < workers.size(); ++h) {
    const WorkerInfo& worker = workers[h];
    for (size_t i = 0; i < worker.devices.size(); ++i) {
      Device device;
      device.id = GlobalDeviceId(static_cast<int32_t>(devices.size()));
      device.host = HostId(static_cast<int32_t>(h));
      device.local_id = LocalDeviceId(static_cast<int32_t>(i));
      device.platform = worker.platform;
      device.kind = worker.devices[i].kind;
      device.memory_bytes = worker.devices[i].memory_bytes;
      device.numa_node = worker.devices[i].numa_node;
      device.network_group = worker.NetworkGroup();
      devices.push_back(std::move(device));
    }
  }
  return World(std::move(devices));
}

}  // namespace lockstep::internal
