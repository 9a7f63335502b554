#ifndef LOCKSTEP_COORDINATOR_SIMULATED_CLUSTER_H_
#define LOCKSTEP_COORDINATOR_SIMULATED_CLUSTER_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "coordinator/coordinator.h"
#include "runtime/base/clock.h"

namespace lockstep::internal {

// The answer of a request, when it has come.
template <typename T>
class Answer {
 public:
  Done<T> done() {
    return [result = result_](absl::StatusOr<T> answer) {
      *result = std::move(answer);
    };
  }
  bool has_come() const { return result_->has_value(); }
  const absl::StatusOr<T>& get() const { return result_->value(); }
  absl::Status status() const {
    if (!has_come()) return absl::UnknownError("no answer yet");
    return get().status();
  }
  std::string message() const { return std::string(status().message()); }

 private:
  std::shared_ptr<std::optional<absl::StatusOr<T>>> result_ =
      std::make_shared<std::optional<absl::StatusOr<T>>>();
};

// Keeps what the coordinator pushes to a worker.
struct TestLink : public WorkerLink {
  void PushRoster(const std::shared_ptr<const Roster>& roster) override {
    rosters.push_back(*roster);
  }
  void PushFailure(const Failure& failure) override {
    failures.push_back(failure);
  }
  void PushNotice(absl::string_view line,
                  const std::optional<HostRef>& host) override {
    notices.emplace_back(line);
    if (host.has_value()) named.push_back(*host);
  }
  void PushCommands(const std::vector<Command>& more) override {
    commands.insert(commands.end(), more.begin(), more.end());
    ++command_pushes;
  }
  void PushCutLinks(const std::vector<CutLink>& links) override {
    cut_links.push_back(links);
  }
  void PushPreemption(int64_t agreement) override {
    preemptions.push_back(agreement);
  }
  void PushPreemptionOutcome(const PreemptionOutcome& outcome) override {
    outcomes.push_back(outcome);
  }
  void PushShutdown(absl::string_view reason) override {
    shutdowns.emplace_back(reason);
  }
  void Close(const absl::Status& why) override { closed = why; }

  std::vector<Roster> rosters;
  std::vector<Failure> failures;
  std::vector<std::string> notices;
  std::vector<HostRef> named;
  std::vector<Command> commands;
  std::vector<std::vector<CutLink>> cut_links;
  int command_pushes = 0;
  std::vector<int64_t> preemptions;  // numbers of agreements
  std::vector<PreemptionOutcome> outcomes;
  std::vector<std::string> shutdowns;
  std::optional<absl::Status> closed;
};

struct TestClientLink : public ClientLink {
  void PushLaunchFailed(const LaunchProgram& launch,
                        const absl::Status& status) override {
    failed.push_back(launch.results.front().number);
    statuses.push_back(status);
  }
  void PushRoster(const std::shared_ptr<const Roster>& roster) override {
    rosters.push_back(*roster);
  }
  void PushFailure(const Failure& failure) override {
    failures.push_back(failure);
  }
  void PushNotice(absl::string_view line) override {
    notices.emplace_back(line);
  }
  void PushShutdown(absl::string_view reason) override {
    shutdowns.emplace_back(reason);
  }

  void PushPlaced(int64_t count) override { placed = count; }

  int64_t placed = 0;
  std::vector<int64_t> failed;  // first result of each failed launch
  std::vector<absl::Status> statuses;
  std::vector<Roster> rosters;
  std::vector<Failure> failures;
  std::vector<std::string> notices;
  std::vector<std::string> shutdowns;
};

// One life of a simulated worker.
struct TestWorker {
  WorkerInfo info;
  std::shared_ptr<TestLink> link = std::make_shared<TestLink>();
  Answer<Membership> joined;
  Answer<Nothing> ready;
  ProgressReport report;      // what it sends once a second
  bool is_reporting = false;  // from its join on, until it is stopped
  bool is_ready = false;      // said so

  HostId id() const { return joined.get()->host; }
  Incarnation incarnation() const { return info.incarnation; }
};

// A coordinator with simulated workers under a clock that the test moves.
class SimulatedCluster {
 public:
  explicit SimulatedCluster(CoordinatorOptions options = {})
      : coordinator(std::move(options), &clock) {}

  // "a", "b", ...: all expected; joined, with `devices_per_host` devices each.
  static std::unique_ptr<SimulatedCluster> Joined(
      int hosts, int devices_per_host = 2, CoordinatorOptions options = {}) {
    options.expected_hosts = hosts;
    auto cluster = std::make_unique<SimulatedCluster>(std::move(options));
    for (int i = 0; i < hosts; ++i) {
      cluster->Join(Info(std::string(1, static_cast<char>('a' + i)), i + 1,
                         devices_per_host));
    }
    return cluster;
  }

  static WorkerInfo Info(const std::string& name, uint64_t incarnation,
                         int devices = 2) {
    WorkerInfo info;
    info.name = name;
    info.incarnation = Incarnation(incarnation);
    info.pid = 1000 + static_cast<int64_t>(incarnation);
    info.machine = "machine";
    info.build = "1.0";
    info.platform = "cpu";
    info.service_address = name + ":1";
    info.devices.resize(devices);
    for (DeviceInfo& device : info.devices) device.kind = "core";
    return info;
  }

  TestWorker& Join(WorkerInfo info) {
    workers.push_back(std::make_unique<TestWorker>());
    TestWorker& worker = *workers.back();
    worker.info = std::move(info);
    worker.is_reporting = true;
    coordinator.Join(worker.info, worker.info.name + ":9", worker.link,
                     worker.joined.done());
    // Whoever has joined by now is ready at once.
    for (const auto& each : workers) {
      if (says_ready && each->joined.has_come() && each->joined.status().ok() &&
          !each->is_ready) {
        each->is_ready = true;
        coordinator.Ready(each->incarnation(), absl::Seconds(60),
                          each->ready.done());
      }
    }
    return worker;
  }
  TestWorker& operator[](int i) { return *workers[i]; }

  // Time passes: ticks every 100 ms, reports every second.
  void Pass(absl::Duration duration) {
    for (; duration > absl::ZeroDuration(); duration -= step) {
      clock.Advance(step);
      if (++steps_ % 10 == 0) SendReports();
      coordinator.Tick();
    }
  }
  void SendReports() {
    for (const auto& worker : workers) {
      if (worker->is_reporting) {
        coordinator.Report(worker->incarnation(), worker->report);
      }
    }
  }

  // A launch of "step" on hosts 0..hosts-1, as worker i reports it.
  static LaunchProgress At(int64_t launch, LaunchPhase phase,
                           int64_t collective, int hosts) {
    LaunchProgress progress;
    progress.launch = {77, LaunchNumber(launch)};
    progress.program = "step";
    for (int i = 0; i < hosts; ++i) progress.participants.push_back(HostId(i));
    progress.phase = phase;
    progress.collective = collective;
    progress.collective_name = "all_reduce #" + std::to_string(collective);
    return progress;
  }

  bool says_ready = true;  // whether workers do, when they have joined
  const absl::Duration step = absl::Milliseconds(100);
  ManualClock clock;
  Coordinator coordinator;
  std::vector<std::unique_ptr<TestWorker>> workers;

 private:
  int64_t steps_ = 0;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_COORDINATOR_SIMULATED_CLUSTER_H_
