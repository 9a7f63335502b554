// x + psum(x, 'i') in the global view: one client passes the whole array to a
// cluster, and gets the whole array back. Row d lies on device d and holds the
// number d.
#include <CLI/CLI.hpp>
#include <iostream>
#include <vector>

#include "client/examples/example_cluster.h"
#include "client/lockstep.h"
#include "runtime/base/status.h"

namespace lockstep {
namespace {

absl::Status Run(const ExampleClusterOptions& options) {
  ASSIGN_OR_RETURN(const Client client, OpenCluster(options));
  std::vector<int32_t> rows;
  for (const Device& device : client.devices()) {
    rows.push_back(device.id.value());
  }
  auto add_sum = client.pmap([](Tensor x) { return x + psum(x, "i"); },
                             {.axis_name = "i"});
  ASSIGN_OR_RETURN(const Array result, add_sum(rows));
  ASSIGN_OR_RETURN(const std::vector<int32_t> sums, result.ToVector<int32_t>());
  for (int host = 0; host < client.host_count(); ++host) {
    std::vector<int32_t> part;
    for (const Device& device : client.local_devices(host)) {
      part.push_back(sums[device.id.value()]);
    }
    std::cout << "rows of host " << host << ": " << Array(part) << std::endl;
  }
  return absl::OkStatus();
}

}  // namespace
}  // namespace lockstep

int main(int argc, char** argv) {
  lockstep::ExampleClusterOptions options;
  CLI::App app("x + psum(x, 'i') over all devices of a cluster");
  app.add_option("--coordinator", options.coordinator, "its address");
  app.add_option("--hosts", options.hosts,
                 "simulated hosts of a cluster of this program");
  app.add_option("--devices-per-host", options.devices_per_host,
                 "simulated devices of each");
  CLI11_PARSE(app, argc, argv);
  const absl::Status status = lockstep::Run(options);
  if (status.ok()) return 0;
  std::cerr << "psum_global_view: " << status << std::endl;
  return 1;
}
