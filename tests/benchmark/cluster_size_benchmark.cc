// What a cluster of many hosts costs its coordinator: joining, barriers, the
// first call of a function, a host that is lost, leaving. The coordinator is a
// process of its own, the one that users run; the hosts are simulated by this
// process.
//
//   export LOCKSTEP_BINARY=bazel-bin/client/cli/lockstep
//   cluster_size_benchmark [HOSTS[:PER_CONNECTION]..]
//
// Without arguments: 1000, 1000:100 and 10000:20. Real hosts have a connection
// each. For ten thousand of them the kernel's work on both sides of as many
// connections, which is spread over as many machines in a real cluster, would
// be measured on this one; hosts that share connections leave the
// coordinator's own.
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/synchronization/notification.h"
#include "absl/time/clock.h"
#include "client/process/child_process.h"
#include "coordinator/coordinator.h"
#include "runtime/base/clock.h"
#include "runtime/base/status.h"
#include "tests/benchmark/http2_calls.h"
#include "tests/benchmark/simulated_host.h"

namespace lockstep::internal {
namespace {

constexpr absl::Duration kLimit = absl::Seconds(120);
constexpr int kBarriers = 11;
// Twice what users have: thousands of hosts that share this machine's cores
// with the coordinator are late themselves.
constexpr char kSilence[] = "6s";
constexpr int kReportSlices = 20;  // of the second in which all report

// What a process has used so far.
struct Usage {
  double cpu_seconds = 0;
  double resident_mib = 0;
};

Usage UsageOf(pid_t pid) {
  Usage usage;
  std::string text;
  std::getline(std::ifstream(absl::StrCat("/proc/", pid, "/stat")), text);
  const std::vector<std::string> fields =
      absl::StrSplit(text.substr(text.rfind(')') + 2), ' ');
  usage.cpu_seconds =
      (std::atof(fields[11].c_str()) + std::atof(fields[12].c_str())) /
      static_cast<double>(sysconf(_SC_CLK_TCK));
  usage.resident_mib = std::atof(fields[21].c_str()) *
                       static_cast<double>(sysconf(_SC_PAGESIZE)) / (1 << 20);
  return usage;
}

// Of eight devices, with an address as long as UCX's over TCP.
WorkerInfo InfoOf(int host, std::mt19937_64& random) {
  WorkerInfo info;
  info.name = absl::StrCat("gpu", absl::Dec(host, absl::kZeroPad5));
  info.incarnation = Incarnation(random() | 1);
  info.pid = static_cast<int64_t>(random() % 4000000);
  info.machine = absl::StrCat(absl::Hex(random(), absl::kZeroPad16), "-",
                              absl::Hex(random(), absl::kZeroPad16));
  info.build = "0.1.0";
  info.platform = "cuda";
  for (int i = 0; i < 8; ++i) {
    info.devices.push_back({"NVIDIA H100 80GB HBM3", int64_t{80} << 30, i / 4,
                            absl::StrCat("0000:", 10 + i, ":00.0")});
  }
  info.service_address =
      absl::StrCat("10.", host >> 16, ".", (host >> 8) & 255, ".", host & 255,
                   ":", 32768 + random() % 28000);
  info.transport_address = std::string(70, 'u');
  for (int i = 0; i < 30; ++i) {
    info.transport_address.push_back(static_cast<char>(random()));
  }
  return info;
}

// A host whose answers go nowhere.
class SilentLink : public WorkerLink {
 public:
  void PushRoster(const std::shared_ptr<const Roster>& roster) override {}
  void PushFailure(const Failure& failure) override {}
  void PushNotice(absl::string_view line,
                  const std::optional<HostRef>& host) override {}
  void PushCutLinks(const std::vector<CutLink>& links) override {}
  void PushCommands(const std::vector<Command>& commands) override {}
  void PushPreemption(int64_t agreement) override {}
  void PushPreemptionOutcome(const PreemptionOutcome& outcome) override {}
  void PushShutdown(absl::string_view reason) override {}
  void Close(const absl::Status& why) override {}
};

// The state machine without gRPC, on one thread.
absl::Status RunAlone(int hosts) {
  CoordinatorOptions options;
  options.expected_hosts = hosts;
  Coordinator coordinator(options, Clock::Real());
  std::mt19937_64 random(1);
  std::vector<WorkerInfo> infos;
  for (int i = 0; i < hosts; ++i) infos.push_back(InfoOf(i, random));
  int count = 0;
  const auto joined = [&](const absl::StatusOr<Membership>& membership) {
    if (membership.ok()) ++count;
  };
  const auto met = [&](const absl::StatusOr<Nothing>& result) {
    if (result.ok()) ++count;
  };
  absl::Time start = absl::Now();
  for (const WorkerInfo& info : infos) {
    coordinator.Join(info, "", std::make_shared<SilentLink>(), joined);
  }
  const absl::Duration join = absl::Now() - start;
  if (count != hosts) return absl::InternalError("not all hosts joined");
  std::vector<absl::Duration> barriers;
  for (int round = 0; round < kBarriers; ++round) {
    count = 0;
    start = absl::Now();
    for (const WorkerInfo& info : infos) {
      BarrierCall call;
      call.name = "all";
      coordinator.Barrier(info.incarnation, std::move(call), met);
    }
    barriers.push_back(absl::Now() - start);
    if (count != hosts) return absl::InternalError("a barrier failed");
  }
  std::sort(barriers.begin(), barriers.end());
  std::printf(
      "%d hosts, the state machine alone\n  joined in %.1f ms, "
      "barrier, median of %d: %.1f ms\n",
      hosts, absl::ToDoubleMilliseconds(join), kBarriers,
      absl::ToDoubleMilliseconds(barriers[kBarriers / 2]));
  return absl::OkStatus();
}

class Cluster {
 public:
  Cluster(int hosts, int per_connection, ChildProcess coordinator,
          std::string address)
      : per_connection_(per_connection),
        coordinator_(std::move(coordinator)),
        address_(std::move(address)),
        hosts_(hosts) {}
  ~Cluster() {
    stop_reporting_.Notify();
    if (reporter_.joinable()) reporter_.join();
    ForEach([](SimulatedHost& host) { host.FallSilent(); });
  }

  absl::Status Run() {
    std::printf("%d hosts of 8 devices, %d to a connection\n", count(),
                per_connection_);
    RETURN_IF_ERROR(Join());
    RETURN_IF_ERROR(Barriers());
    RETURN_IF_ERROR(CallFunction());
    RETURN_IF_ERROR(LoseOne());
    return Leave();
  }

 private:
  int count() const { return static_cast<int>(hosts_.size()); }

  // Soon, on the thread of the hosts; after what was asked for before.
  void ForEach(std::function<void(SimulatedHost&)> act) {
    loop_.Post([this, act = std::move(act)] {
      for (const auto& host : hosts_) {
        if (host != nullptr) act(*host);
      }
    });
  }

  absl::Status Await(const char* what, const Count& counter, int64_t count) {
    const absl::Time end = absl::Now() + kLimit;
    while (!counter.Await(count, absl::Milliseconds(100))) {
      RETURN_IF_ERROR(tally_.error());
      if (absl::Now() >= end) break;
    }
    if (counter.get() >= count) return absl::OkStatus();
    return absl::DeadlineExceededError(
        absl::StrCat(what, ": ", counter.get(), " of ", count));
  }

  // Prints what happened since the last call.
  void Print(const char* what, absl::Duration took) {
    const Usage usage = UsageOf(coordinator_.pid());
    const int64_t messages = tally_.messages.exchange(0);
    const double to_mib =
        static_cast<double>(tally_.bytes_to_hosts.exchange(0)) / (1 << 20);
    const double from_mib =
        static_cast<double>(tally_.bytes_from_hosts.exchange(0)) / (1 << 20);
    std::printf(
        "  %-34s %9.1f ms %9.2f s of the coordinator %9.1f messages per host "
        "%9.1f MiB to, %6.2f MiB from all %8.1f MiB held (%5.1f KiB per "
        "host)\n",
        what, absl::ToDoubleMilliseconds(took),
        usage.cpu_seconds - usage_.cpu_seconds,
        static_cast<double>(messages) / count(), to_mib, from_mib,
        usage.resident_mib, usage.resident_mib * 1024 / count());
    std::fflush(stdout);
    usage_ = usage;
  }

  absl::Status Join() {
    std::mt19937_64 random(1);
    usage_ = UsageOf(coordinator_.pid());
    const absl::Time start = absl::Now();
    Http2Connection* connection = nullptr;
    for (int i = 0; i < count(); ++i) {
      if (i % per_connection_ == 0) {
        ASSIGN_OR_RETURN(connection, loop_.Connect(address_));
      }
      loop_.Post([this, i, connection, info = InfoOf(i, random)] {
        hosts_[i] = std::make_unique<SimulatedHost>(connection, info, &tally_);
        hosts_[i]->Join();
      });
    }
    reporter_ = std::thread([this] { ReportAll(); });
    RETURN_IF_ERROR(Await("connect", tally_.connected, count()));
    Print("connected", absl::Now() - start);
    RETURN_IF_ERROR(Await("join", tally_.joined, count()));
    Print("joined, with the roster", absl::Now() - start);
    if (static_cast<int>(tally_.roster()->members.size()) != count() ||
        tally_.roster()->world.device_count() != 8 * count()) {
      return absl::InternalError("the roster does not have all hosts");
    }
    ForEach([](SimulatedHost& host) { host.SetReady(); });
    RETURN_IF_ERROR(Await("ready", tally_.ready, count()));
    Print("ready", absl::Now() - start);
    return absl::OkStatus();
  }

  void ReportAll() {
    for (size_t slice = 0; !stop_reporting_.WaitForNotificationWithTimeout(
             absl::Seconds(1) / kReportSlices);
         slice = (slice + 1) % kReportSlices) {
      loop_.Post([this, slice] {
        for (size_t i = slice; i < hosts_.size(); i += kReportSlices) {
          if (hosts_[i] != nullptr) hosts_[i]->Report();
        }
      });
    }
  }

  absl::Status Barriers() {
    std::vector<absl::Duration> times;
    for (int round = 0; round < kBarriers; ++round) {
      tally_.met.Reset();
      const absl::Time start = absl::Now();
      ForEach([](SimulatedHost& host) { host.Meet("all"); });
      RETURN_IF_ERROR(Await("barrier", tally_.met, count()));
      times.push_back(absl::Now() - start);
    }
    std::sort(times.begin(), times.end());
    Print(absl::StrCat("barrier, median of ", kBarriers).c_str(),
          times[kBarriers / 2]);
    std::printf("  %-34s %9.1f to %.1f ms\n", "",
                absl::ToDoubleMilliseconds(times.front()),
                absl::ToDoubleMilliseconds(times.back()));
    return absl::OkStatus();
  }

  absl::Status CallFunction() {
    const absl::Time start = absl::Now();
    ForEach([](SimulatedHost& host) { host.CallFunction(LaunchNumber(1)); });
    RETURN_IF_ERROR(Await("first call", tally_.called, count()));
    Print("first call: axis and agreement", absl::Now() - start);
    return absl::OkStatus();
  }

  absl::Status LoseOne() {
    loop_.Post([this] { hosts_[count() / 2]->FallSilent(); });
    const absl::Time start = absl::Now();
    RETURN_IF_ERROR(Await("first failure", tally_.failures, 1));
    const absl::Time first = absl::Now();
    RETURN_IF_ERROR(Await("failure", tally_.failures, count() - 1));
    RETURN_IF_ERROR(Await("roster", tally_.rosters, count() - 1));
    Print("lost host: all know", absl::Now() - start);
    std::printf("  %-34s %9.1f ms after the first\n", "",
                absl::ToDoubleMilliseconds(absl::Now() - first));
    return absl::OkStatus();
  }

  absl::Status Leave() {
    const absl::Time start = absl::Now();
    ForEach([](SimulatedHost& host) { host.Leave(); });
    RETURN_IF_ERROR(Await("leave", tally_.left, count() - 1));
    Print("left", absl::Now() - start);
    return absl::OkStatus();
  }

  const int per_connection_;
  ChildProcess coordinator_;
  const std::string address_;
  Tally tally_;
  std::vector<std::unique_ptr<SimulatedHost>> hosts_;  // of the loop's thread
  Http2Loop loop_;
  Usage usage_;
  absl::Notification stop_reporting_;
  std::thread reporter_;
};

absl::Status RunWith(int hosts, int per_connection, const std::string& binary) {
  RETURN_IF_ERROR(RunAlone(hosts));
  ChildProcess::Options options;
  options.name = "coordinator";
  options.arguments = {binary, "coordinator",
                       absl::StrCat("--expected-hosts=", hosts),
                       absl::StrCat("--silence=", kSilence)};
  options.stderr_path = "/dev/null";
  options.merges_stdout = true;
  ASSIGN_OR_RETURN(ChildProcess coordinator, ChildProcess::Spawn(options));
  ASSIGN_OR_RETURN(const std::string address,
                   coordinator.AwaitReady(absl::Now() + kLimit));
  return Cluster(hosts, per_connection, std::move(coordinator), address).Run();
}

int Main(int argc, char** argv) {
  const char* binary = std::getenv("LOCKSTEP_BINARY");
  if (binary == nullptr) {
    std::fprintf(stderr, "LOCKSTEP_BINARY is not set\n");
    return 2;
  }
  rlimit files = {};
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
  std::vector<std::string> runs(argv + 1, argv + argc);
  if (runs.empty()) runs = {"1000", "1000:100", "10000:20"};
  for (const std::string& run : runs) {
    const std::vector<std::string> numbers = absl::StrSplit(run, ':');
    int hosts = 0, per_connection = 1;
    if (!absl::SimpleAtoi(numbers[0], &hosts) || hosts < 2 ||
        (numbers.size() > 1 &&
         (!absl::SimpleAtoi(numbers[1], &per_connection) ||
          per_connection < 1))) {
      std::fprintf(stderr, "expected HOSTS[:PER_CONNECTION], found %s\n",
                   run.c_str());
      return 2;
    }
    const absl::Status status = RunWith(hosts, per_connection, binary);
    if (!status.ok()) {
      std::fprintf(stderr, "%d hosts: %s\n", hosts, status.ToString().c_str());
      return 1;
    }
  }
  return 0;
}

}  // namespace
}  // namespace lockstep::internal

int main(int argc, char** argv) { return lockstep::internal::Main(argc, argv); }
