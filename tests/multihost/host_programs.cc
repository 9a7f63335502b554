#include "tests/multihost/host_programs.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/time/clock.h"
#include "gtest/gtest.h"
#include "tests/multihost/lockstep_command.h"

namespace lockstep::internal {
namespace {

std::vector<std::string> CoordinatorArguments(size_t hosts,
                                              std::vector<std::string> flags) {
  std::vector<std::string> arguments = {"coordinator", "--listen",
                                        "127.0.0.1:0", "--expected-hosts",
                                        absl::StrCat(hosts)};
  arguments.insert(arguments.end(), flags.begin(), flags.end());
  return arguments;
}

}  // namespace

std::string HostName(size_t rank) { return absl::StrCat("host", rank); }

HostCoordinator::HostCoordinator(size_t hosts, std::vector<std::string> flags)
    : process_(StartLockstep("coordinator",
                             CoordinatorArguments(hosts, std::move(flags)))) {
  const auto address = process_.AwaitReady(absl::Now() + absl::Seconds(30));
  EXPECT_TRUE(address.ok()) << address.status();
  address_ = address.value_or("");
}

ChildProcess StartHost(const std::string& program, const std::string& scenario,
                       const std::string& address, size_t rank, int devices,
                       const Variables& more, const std::string& stderr_path) {
  ChildProcess::Options options;
  options.name = HostName(rank);
  options.arguments = {program, scenario};
  options.environment = {{"LOCKSTEP_COORDINATOR", address},
                         {"LOCKSTEP_RANK", absl::StrCat(rank)},
                         {"LOCKSTEP_HOST_NAME", options.name},
                         {"LOCKSTEP_CPU_DEVICES", absl::StrCat(devices)}};
  options.environment.insert(options.environment.end(), more.begin(),
                             more.end());
  options.captures_stdout = true;
  options.stderr_path = stderr_path;
  auto child = ChildProcess::Spawn(options);
  EXPECT_TRUE(child.ok()) << child.status();
  return *std::move(child);
}

std::vector<HostOutput> RunHosts(const std::string& program,
                                 const std::string& scenario,
                                 const std::vector<int>& devices) {
  HostCoordinator coordinator(devices.size());
  std::vector<HostOutput> outputs(devices.size());
  if (coordinator.address().empty()) return outputs;
  std::vector<ChildProcess> hosts;
  for (size_t rank = 0; rank < devices.size(); ++rank) {
    hosts.push_back(StartHost(program, scenario, coordinator.address(), rank,
                              devices[rank]));
  }
  for (size_t rank = 0; rank < devices.size(); ++rank) {
    const CommandResult result = Finish(hosts[rank]);
    EXPECT_TRUE(result.exit.is_success())
        << HostName(rank) << ": " << result.exit.ToString() << "\n"
        << result.out;
    outputs[rank].lines = absl::StrSplit(result.out, '\n', absl::SkipEmpty());
  }
  return outputs;
}

}  // namespace lockstep::internal
