// x + psum(x, 'i'): every device adds the sum over the devices of all hosts to
// its own number, which is its id.
//   psum --coordinator ADDR --rank R   one host of the cluster (host view)
//   psum --connect ADDR                drives the whole cluster (global view)
#include <CLI/CLI.hpp>
#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

#include "client/lockstep.h"

namespace lockstep::examples {
namespace {

struct Flags {
  std::string connect;
  std::string coordinator;
  std::optional<int> rank;
  std::optional<int> devices_per_host;
};

Tensor AddSum(const Tensor& x) { return x + psum(x, "i"); }

std::vector<int32_t> Ids(const std::vector<Device>& devices) {
  std::vector<int32_t> ids;
  for (const Device& device : devices) ids.push_back(device.id.value());
  return ids;
}

absl::Status PrintRows(int host, const Array& rows) {
  LOCKSTEP_ASSIGN_OR_RETURN(const std::string text, rows.ToString());
  std::cout << "host " << host << ": " << text << std::endl;
  return absl::OkStatus();
}

// This process is a host: it passes and gets the rows of its own devices.
absl::Status RunHostView(const Flags& flags) {
  LOCKSTEP_RETURN_IF_ERROR(
      Initialize({.coordinator_address = flags.coordinator,
                  .requested_rank = flags.rank,
                  .num_cpu_devices = flags.devices_per_host}));
  const auto add_sum = pmap(AddSum, {.axis_name = "i", .name = "psum"});
  LOCKSTEP_ASSIGN_OR_RETURN(const Array y, add_sum(Ids(local_devices())));
  LOCKSTEP_RETURN_IF_ERROR(PrintRows(host_id(), y));
  return Shutdown();
}

// This process drives all hosts: it passes and gets all rows.
absl::Status RunGlobalView(const Flags& flags) {
  LOCKSTEP_ASSIGN_OR_RETURN(const Client client,
                            Client::Connect(flags.connect, {.name = "psum"}));
  const auto add_sum = client.pmap(AddSum, {.axis_name = "i", .name = "psum"});
  LOCKSTEP_ASSIGN_OR_RETURN(const Array y, add_sum(Ids(client.devices())));
  LOCKSTEP_ASSIGN_OR_RETURN(const std::vector<int32_t> all,
                            y.ToVector<int32_t>());
  auto next = all.begin();
  for (int host = 0; host < client.host_count(); ++host) {
    const auto end = next + client.local_devices(host).size();
    LOCKSTEP_RETURN_IF_ERROR(PrintRows(host, std::vector<int32_t>(next, end)));
    next = end;
  }
  return absl::OkStatus();
}

int Main(int argc, char** argv) {
  CLI::App app(
      "x + psum(x, 'i') with x = 0, 1, .. on the devices of a cluster.\n"
      "Example: psum --connect 127.0.0.1:41234");
  Flags flags;
  auto* connect = app.add_option("--connect", flags.connect,
                                 "Drive the cluster of this coordinator");
  app.add_option("--coordinator", flags.coordinator,
                 "Be a host of this coordinator's cluster; none: of the one in "
                 "LOCKSTEP_COORDINATOR, else a cluster of one")
      ->excludes(connect);
  app.add_option("--rank", flags.rank, "The host id to ask for")
      ->excludes(connect);
  app.add_option("--devices-per-host", flags.devices_per_host,
                 "Devices of this host")
      ->excludes(connect);
  CLI11_PARSE(app, argc, argv);
  const absl::Status status =
      flags.connect.empty() ? RunHostView(flags) : RunGlobalView(flags);
  if (status.ok()) return 0;
  std::cerr << "psum: "
            << status.ToString(absl::StatusToStringMode::kWithNoExtraData)
            << std::endl;
  return 1;
}

}  // namespace
}  // namespace lockstep::examples

int main(int argc, char** argv) { return lockstep::examples::Main(argc, argv); }
