#include "tests/multihost/test_network.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/time/clock.h"
#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

namespace fs = std::filesystem;

constexpr char kMark[] = "lockstep-test-";
constexpr char kSwitch[] = "switch";
constexpr char kSelf[] = "test";
constexpr char kDelayProgram[] = "tests/multihost/delaying_router";

int Try(const std::string& command) { return system(command.c_str()); }

void Do(const std::string& command) { EXPECT_EQ(Try(command), 0) << command; }

// Also kills what runs there.
void RemoveNamespace(const std::string& name) {
  Do(absl::StrCat("ip netns pids ", name, " | xargs -r kill -9; ip netns del ",
                  name));
}

// The namespaces of tests that did not come to their end.
void RemoveLeftOvers() {
  if (!fs::exists("/run/netns")) return;
  std::vector<std::string> left;
  for (const auto& entry : fs::directory_iterator("/run/netns")) {
    const std::string name = entry.path().filename().string();
    if (!absl::StartsWith(name, kMark)) continue;
    const std::vector<std::string> parts =
        absl::StrSplit(name.substr(strlen(kMark)), absl::MaxSplits('-', 1));
    if (!fs::exists(absl::StrCat("/proc/", parts[0]))) left.push_back(name);
  }
  for (const std::string& name : left) RemoveNamespace(name);
}

}  // namespace

std::optional<std::string> TestNetwork::Enter() {
  if (geteuid() != 0) return "network namespaces need root";
  for (const char* program : {"ip", "nft"}) {
    if (Try(absl::StrCat("command -v ", program, " >/dev/null")) != 0) {
      return absl::StrCat("the program '", program, "' is not installed");
    }
  }
  if (unshare(CLONE_NEWNET) != 0) {
    return absl::StrCat("no network namespace can be made here: ",
                        strerror(errno));
  }
  if (Try("ip link set lo up && ip link add probe type bridge && "
          "ip link del probe && nft add table inet faults") != 0) {
    return "the kernel has no bridges or no nftables";
  }
  RemoveLeftOvers();
  return std::nullopt;
}

TestNetwork::TestNetwork(const Options& options) : options_(options) {
  // What is tested here is the network; certificates have a test of their own.
  setenv("LOCKSTEP_INSECURE", "1", /*replace=*/1);
  Do(absl::StrCat("ip netns add ", Namespace(kSwitch)));
  AddBridge("near", "10.77.0.254/24");
  AddMachine(kSelf, /*is_far=*/false);
  for (const std::string& name : options.machines) AddMachine(name, false);
  if (!options.far_machines.empty()) AddBridge("far", "10.77.1.254/24");
  for (const std::string& name : options.far_machines) AddMachine(name, true);
  Do(absl::StrCat("ip netns exec ", Namespace(kSwitch),
                  " sysctl -q net.ipv4.ip_forward=1"));
  if (options.delay > absl::ZeroDuration()) StartDelay(options.delay);
}

TestNetwork::~TestNetwork() {
  delay_.reset();
  for (const Machine& machine : machines_) {
    if (machine.name != kSelf) RemoveNamespace(Namespace(machine.name));
  }
  RemoveNamespace(Namespace(kSwitch));
  // With the other end of its link the test's interface goes, but not at once.
  while (Try("ip link show eth0 >/dev/null 2>&1") == 0) {
    absl::SleepFor(absl::Milliseconds(10));
  }
}

std::string TestNetwork::Namespace(const std::string& machine) const {
  return absl::StrCat(kMark, getpid(), "-", machine);
}

const TestNetwork::Machine& TestNetwork::Find(
    const std::string& machine) const {
  for (const Machine& each : machines_) {
    if (each.name == machine) return each;
  }
  ADD_FAILURE() << "no machine " << machine;
  return machines_.front();
}

std::string TestNetwork::Address(const std::string& machine) const {
  return Find(machine).address;
}

std::vector<std::string> TestNetwork::On(const std::string& machine) const {
  if (machine == kSelf) return {};
  return {"/bin/sh", "-c", "exec ip netns exec \"$0\" \"$@\"",
          Namespace(machine)};
}

void TestNetwork::AddBridge(const std::string& bridge,
                            const std::string& gateway) {
  const std::string at = absl::StrCat("ip -n ", Namespace(kSwitch), " ");
  Do(absl::StrCat(at, "link add ", bridge, " type bridge && ", at, "addr add ",
                  gateway, " dev ", bridge, " && ", at, "link set ", bridge,
                  " up"));
}

void TestNetwork::AddMachine(const std::string& name, bool is_far) {
  const int number = static_cast<int>(machines_.size()) + 1;
  machines_.push_back(
      {name, absl::StrCat("10.77.", is_far ? 1 : 0, ".", number), is_far});
  const bool is_self = name == kSelf;
  const std::string where = is_self ? absl::StrCat(getpid()) : Namespace(name);
  const std::string at = is_self ? "ip " : absl::StrCat("ip -n ", where, " ");
  if (!is_self) {
    Do(absl::StrCat("ip netns add ", where, " && ", at, "link set lo up"));
    Do(absl::StrCat("ip netns exec ", where, " nft add table inet faults"));
  }
  const std::string port = absl::StrCat("port", number);
  Do(absl::StrCat("ip link add ", port, " netns ", Namespace(kSwitch),
                  " type veth peer name eth0 netns ", where, " && ip -n ",
                  Namespace(kSwitch), " link set ", port, " master ",
                  is_far ? "far" : "near", " up"));
  Do(absl::StrCat(at, "addr add ", machines_.back().address, "/24 dev eth0 && ",
                  at, "link set eth0 up"));
  AddGateway(machines_.back());
  const std::string exec =
      is_self ? "" : absl::StrCat("ip netns exec ", where, " ");
  for (const char* way : {"input", "output"}) {
    Do(absl::StrCat(exec, "nft 'add chain inet faults ", way,
                    " { type filter hook ", way, " priority 0; }'"));
  }
}

void TestNetwork::AddGateway(const Machine& machine) {
  const std::string at =
      machine.name == kSelf
          ? "ip "
          : absl::StrCat("ip -n ", Namespace(machine.name), " ");
  Do(absl::StrCat(at, "route replace default via 10.77.",
                  machine.is_far ? 1 : 0, ".254"));
}

void TestNetwork::StartDelay(absl::Duration delay) {
  ChildProcess::Options options;
  options.name = "delaying router";
  options.arguments = On(kSwitch);
  options.arguments.insert(options.arguments.end(),
                           {kDelayProgram, "delay0",
                            absl::StrCat(absl::ToInt64Milliseconds(delay))});
  absl::StatusOr<ChildProcess> child = ChildProcess::Spawn(options);
  ASSERT_TRUE(child.ok()) << child.status();
  delay_ = *std::move(child);
  const std::string at = absl::StrCat("ip -n ", Namespace(kSwitch), " ");
  const absl::Time deadline = absl::Now() + absl::Seconds(30);
  while (Try(absl::StrCat(at, "link show delay0 >/dev/null 2>&1")) != 0) {
    ASSERT_LT(absl::Now(), deadline) << "no delaying router";
    absl::SleepFor(absl::Milliseconds(20));
  }
  Do(absl::StrCat("ip netns exec ", Namespace(kSwitch),
                  " sysctl -q net.ipv4.conf.all.rp_filter=0 "
                  "net.ipv4.conf.delay0.rp_filter=0"));
  Do(absl::StrCat(at, "link set delay0 up && ", at,
                  "route add default dev delay0 table 100 && ", at,
                  "rule add iif near to 10.77.1.0/24 lookup 100 && ", at,
                  "rule add iif far to 10.77.0.0/24 lookup 100"));
}

void TestNetwork::AddRule(const std::string& machine, const std::string& rule) {
  const std::string exec =
      machine == kSelf
          ? ""
          : absl::StrCat("ip netns exec ", Namespace(machine), " ");
  Do(absl::StrCat(exec, "nft add rule inet faults ", rule));
}

void TestNetwork::Cut(const std::string& from, const std::string& to) {
  AddRule(to, absl::StrCat("input ip saddr ", Address(from), " drop"));
}

void TestNetwork::Reset(const std::string& from, const std::string& to) {
  AddRule(to, absl::StrCat("input ip saddr ", Address(from),
                           " meta l4proto tcp reject with tcp reset"));
}

void TestNetwork::LoseOneOf(int n, const std::string& machine) {
  AddRule(machine, absl::StrCat("input numgen random mod ", n, " 0 drop"));
}

void TestNetwork::Heal() {
  for (const Machine& machine : machines_) Heal(machine.name);
}

void TestNetwork::Heal(const std::string& machine) {
  const std::string exec =
      machine == kSelf
          ? ""
          : absl::StrCat("ip netns exec ", Namespace(machine), " ");
  Do(absl::StrCat(exec, "nft flush chain inet faults input"));
}

void TestNetwork::SetLink(const std::string& machine, bool is_up) {
  Do(absl::StrCat("ip -n ", Namespace(machine), " link set eth0 ",
                  is_up ? "up" : "down"));
  if (is_up) AddGateway(Find(machine));
}

}  // namespace lockstep::internal
