#include "tests/multihost/host_programs.h"

#include <cstdlib>
#include <optional>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/time/clock.h"
#include "gtest/gtest.h"
#include "tests/multihost/lockstep_command.h"

namespace lockstep::internal {
namespace {

constexpr char kCoordinator[] = "coordinator";

bool UsesNamespaces() {
  const char* network = std::getenv("LOCKSTEP_TEST_NETWORK");
  return network != nullptr && network == std::string("namespaces");
}

// While this process has one thread.
class NetworkEnvironment : public ::testing::Environment {
 public:
  void SetUp() override {
    if (!UsesNamespaces()) return;
    const std::optional<std::string> why_not = TestNetwork::Enter();
    if (why_not.has_value()) GTEST_SKIP() << *why_not;
  }
};
const auto* const kEnvironment =
    ::testing::AddGlobalTestEnvironment(new NetworkEnvironment);

std::unique_ptr<TestNetwork> MakeNetwork(size_t hosts) {
  if (!UsesNamespaces()) return nullptr;
  TestNetwork::Options options;
  options.machines = {kCoordinator};
  for (size_t rank = 0; rank < hosts; ++rank) {
    (rank == 1 ? options.far_machines : options.machines)
        .push_back(HostName(rank));
  }
  return std::make_unique<TestNetwork>(options);
}

const TestNetwork* present_network = nullptr;

// What stands before a command line that runs on the machine.
std::vector<std::string> On(const std::string& machine) {
  return present_network == nullptr ? std::vector<std::string>()
                                    : present_network->On(machine);
}

ChildProcess StartCoordinator(const TestNetwork* network, size_t hosts,
                              const std::vector<std::string>& flags) {
  present_network = network;
  const std::string ip =
      network == nullptr ? "127.0.0.1" : network->Address(kCoordinator);
  std::vector<std::string> arguments = {
      "coordinator", "--listen", absl::StrCat(ip, ":0"), "--expected-hosts",
      absl::StrCat(hosts)};
  arguments.insert(arguments.end(), flags.begin(), flags.end());
  return StartLockstep("coordinator", std::move(arguments), false,
                       On(kCoordinator));
}

}  // namespace

std::string HostName(size_t rank) { return absl::StrCat("host", rank); }

HostCoordinator::HostCoordinator(size_t hosts, std::vector<std::string> flags)
    : network_(MakeNetwork(hosts)),
      process_(StartCoordinator(network_.get(), hosts, flags)) {
  const auto address = process_.AwaitReady(absl::Now() + absl::Seconds(30));
  EXPECT_TRUE(address.ok()) << address.status();
  address_ = address.value_or("");
}

HostCoordinator::~HostCoordinator() {
  process_.Terminate(absl::Seconds(5));
  present_network = nullptr;
}

void HostCoordinator::AwaitEnd() {
  const auto end = process_.AwaitExit(absl::Now() + absl::Seconds(30));
  ASSERT_TRUE(end.has_value()) << "the coordinator still runs";
  EXPECT_TRUE(end->is_success()) << end->ToString();
}

ChildProcess StartHost(const std::string& program, const std::string& scenario,
                       const std::string& address, size_t rank, int devices,
                       const Variables& more, const std::string& stderr_path,
                       const std::vector<std::string>& flags) {
  ChildProcess::Options options;
  options.name = HostName(rank);
  options.arguments = On(options.name);
  options.arguments.insert(options.arguments.end(), {program, scenario});
  options.arguments.insert(options.arguments.end(), flags.begin(), flags.end());
  options.environment = {{"LOCKSTEP_COORDINATOR", address},
                         {"LOCKSTEP_RANK", absl::StrCat(rank)},
                         {"LOCKSTEP_HOST_NAME", options.name},
                         {"LOCKSTEP_CPU_DEVICES", absl::StrCat(devices)},
                         // As in StartLockstep.
                         {"NCCL_HOSTID", options.name}};
  options.environment.insert(options.environment.end(), more.begin(),
                             more.end());
  options.captures_stdout = true;
  options.stderr_path = stderr_path;
  auto child = ChildProcess::Spawn(options);
  EXPECT_TRUE(child.ok()) << child.status();
  return *std::move(child);
}

std::vector<Lines> RunHosts(const std::string& program,
                            const std::string& scenario,
                            const std::vector<int>& devices,
                            const Variables& more) {
  HostCoordinator coordinator(devices.size());
  std::vector<Lines> outputs(devices.size());
  if (coordinator.address().empty()) return outputs;
  std::vector<ChildProcess> hosts;
  for (size_t rank = 0; rank < devices.size(); ++rank) {
    hosts.push_back(StartHost(program, scenario, coordinator.address(), rank,
                              devices[rank], more));
  }
  for (size_t rank = 0; rank < devices.size(); ++rank) {
    const CommandResult result = Finish(hosts[rank]);
    EXPECT_TRUE(result.exit.is_success())
        << HostName(rank) << ": " << result.exit.ToString() << "\n"
        << result.out;
    outputs[rank] = absl::StrSplit(result.out, '\n', absl::SkipEmpty());
  }
  return outputs;
}

}  // namespace lockstep::internal
