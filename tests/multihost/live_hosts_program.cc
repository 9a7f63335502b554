// One host of the host view that goes on without those that die. Joins the
// cluster by its environment and runs the scenario that its argument names;
// prints one line per result.
#include <signal.h>

#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "client/lockstep.h"
#include "runtime/base/status.h"
#include "tests/multihost/scenario_program.h"

namespace lockstep::internal {
namespace {

void Print(const std::string& line) { std::cout << line << std::endl; }

std::string Text(const absl::StatusOr<std::vector<LiveHost>>& hosts) {
  if (!hosts.ok()) return StatusLine(hosts.status());
  return absl::StrJoin(*hosts, " ", [](std::string* out, const LiveHost& host) {
    absl::StrAppend(out, host.host_id, "=", host.name, ":", host.incarnation);
  });
}

std::string IdsOf(const std::vector<Device>& devices) {
  return absl::StrJoin(devices, " ", [](std::string* out, const Device& each) {
    absl::StrAppend(out, each.id.value());
  });
}

// The sum of 0, 1, .. over these devices, which exchange it.
absl::Status Sum(const std::vector<Device>& live) {
  const auto count = static_cast<int64_t>(live.size());
  ASSIGN_OR_RETURN(const Mesh mesh, Mesh::Create({{count}, live}, {"x"}));
  ASSIGN_OR_RETURN(const NamedSharding rows,
                   NamedSharding::Create(mesh, PartitionSpec("x")));
  ASSIGN_OR_RETURN(const NamedSharding whole,
                   NamedSharding::Create(mesh, PartitionSpec()));
  ASSIGN_OR_RETURN(
      const Array array,
      make_array_from_callback({count}, rows, [](const ShardIndex& index) {
        return Array({static_cast<int32_t>(index[0].start())});
      }));
  ASSIGN_OR_RETURN(const Array all, device_put(array, whole));
  ASSIGN_OR_RETURN(const std::string text, all.ToString());
  Print(absl::StrCat("devices ", IdsOf(live), " have ", text));
  return absl::OkStatus();
}

// Host 1 of three is killed: the others ask again, and compute without it.
void Killed() {
  Print(Text(live_hosts()));
  if (host_id() == 1) raise(SIGKILL);
  Print(Text(live_hosts()));
  Print(StatusLine(with_live_devices(devices(), Sum)));
}

// Host 1 dies within the function, whose result nobody takes then; the next
// time it is left out.
void KilledWithin() {
  const auto die = [](const std::vector<Device>&) {
    if (host_id() == 1) raise(SIGKILL);
    return absl::OkStatus();
  };
  Print(StatusLine(with_live_devices(devices(), die)));
  Print(StatusLine(with_live_devices(devices(), Sum)));
}

// The function fails on host 1.
void FailsOnOne() {
  const auto fail = [](const std::vector<Device>&) {
    return host_id() == 1 ? absl::DataLossError("checkpoint is torn")
                          : absl::OkStatus();
  };
  Print(StatusLine(with_live_devices(devices(), fail)));
  Print(StatusLine(with_live_devices(devices(), Sum)));
}

void ThrowsOnOne() {
  const auto fail = [](const std::vector<Device>&) -> absl::Status {
    if (host_id() == 1) throw std::runtime_error("checkpoint is torn");
    return absl::OkStatus();
  };
  Print(StatusLine(with_live_devices(devices(), fail)));
  Print(StatusLine(with_live_devices(devices(), Sum)));
}

// Host 0 is in a call to which host 1 does not come.
void FailsBeforeACall() {
  const auto fail = [](const std::vector<Device>& live) {
    return host_id() == 1 ? absl::DataLossError("checkpoint is torn")
                          : Sum(live);
  };
  Print(StatusLine(with_live_devices(devices(), fail)));
  Print(StatusLine(with_live_devices(devices(), Sum)));
}

void WrongArguments() {
  Print(StatusLine(live_hosts({.hosts = {1 - host_id()}}).status()));
  Print(StatusLine(with_live_devices({}, Sum)));
  std::vector<Device> others;
  for (const Device& device : devices()) {
    if (device.host.value() != host_id()) others.push_back(device);
  }
  Print(StatusLine(with_live_devices(others, Sum)));
  // Alone, and both.
  Print(Text(live_hosts({.hosts = {host_id()}})).substr(0, 8));
  Print(StatusLine(live_hosts({.hosts = {1, 0}}).status()));
}

const ScenarioTable& Scenarios() {
  static const auto& scenarios = *new ScenarioTable{
      {"killed", Killed},
      {"killed_within", KilledWithin},
      {"fails_on_one", FailsOnOne},
      {"throws_on_one", ThrowsOnOne},
      {"fails_before_a_call", FailsBeforeACall},
      {"wrong_arguments", WrongArguments},
  };
  return scenarios;
}

}  // namespace
}  // namespace lockstep::internal

int main(int argc, char** argv) {
  return lockstep::internal::RunScenario(argc, argv,
                                         lockstep::internal::Scenarios());
}
