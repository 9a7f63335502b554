#include "tests/multihost/process_cluster.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "client/cli/coordinator_calls.h"
#include "client/process/cluster_credentials.h"
#include "gtest/gtest.h"
#include "tests/multihost/lockstep_command.h"

namespace lockstep::internal {
namespace {

absl::Time Soon() { return absl::Now() + absl::Seconds(60); }
constexpr absl::Duration kGrace = absl::Seconds(10);
// Between two looks at the coordinator's report.
constexpr absl::Duration kLook = absl::Milliseconds(20);

}  // namespace

int DevicesPerHost() {
  static const int devices = [] {
    const char* const text = std::getenv("LOCKSTEP_TEST_DEVICES_PER_HOST");
    int number = 2;
    if (text != nullptr) {
      EXPECT_TRUE(absl::SimpleAtoi(text, &number)) << text;
    }
    return number;
  }();
  return devices;
}

ProcessCluster::ProcessCluster(const Options& options) : options_(options) {
  std::vector<std::string> arguments = {
      "coordinator", absl::StrCat("--listen=", options.listen_address),
      absl::StrCat("--expected-hosts=", options.hosts)};
  arguments.insert(arguments.end(), options.coordinator_flags.begin(),
                   options.coordinator_flags.end());
  coordinator_ =
      StartLockstep("coordinator", arguments, false, Prefix(kCoordinator));
  absl::StatusOr<std::string> address = coordinator_->AwaitReady(Soon());
  EXPECT_TRUE(address.ok()) << address.status();
  address_ = address.value_or("");
  for (int rank = 0; rank < options.workers.value_or(options.hosts); ++rank) {
    StartWorker(rank);
  }
  if (!options.workers.has_value()) AwaitJoined();
}

ProcessCluster::~ProcessCluster() {
  Stop();
  EXPECT_FALSE(IsListening(address_)) << address_;
  EXPECT_EQ(LeftProcesses(), std::vector<std::string>());
}

std::string ProcessCluster::WorkerName(int rank) {
  return absl::StrCat("worker-", rank);
}

std::vector<std::string> ProcessCluster::Prefix(int rank) const {
  return options_.where ? options_.where(rank) : std::vector<std::string>();
}

void ProcessCluster::StartWorker(int rank,
                                 std::vector<std::string> more_flags) {
  if (options_.start_worker) {
    workers_.insert_or_assign(
        rank, options_.start_worker(rank, address_, Prefix(rank)));
    return;
  }
  std::vector<std::string> arguments = {
      "worker", absl::StrCat("--coordinator=", address_),
      absl::StrCat("--name=", WorkerName(rank)), absl::StrCat("--rank=", rank),
      absl::StrCat("--devices=", options_.devices_per_host)};
  for (const auto& flags : {options_.worker_flags, more_flags}) {
    arguments.insert(arguments.end(), flags.begin(), flags.end());
  }
  workers_.insert_or_assign(
      rank, StartLockstep(WorkerName(rank), arguments, false, Prefix(rank)));
}

void ProcessCluster::AwaitJoined() {
  std::vector<ChildProcess*> workers;
  for (auto& [rank, worker] : workers_) workers.push_back(&worker);
  absl::Status status = AwaitAllReady(std::move(workers), Soon());
  ASSERT_TRUE(status.ok()) << status;
}

void ProcessCluster::AwaitJoined(int rank) {
  absl::StatusOr<std::string> line = worker(rank).AwaitReady(Soon());
  ASSERT_TRUE(line.ok()) << line.status();
}

StatusReport ProcessCluster::AwaitStatus(
    const std::string& what,
    const std::function<bool(const StatusReport&)>& is_so,
    absl::Duration timeout) {
  absl::Time deadline = absl::Now() + timeout;
  StatusReport last;
  while (true) {
    const auto credentials = FindCredentials({}, address_);
    absl::StatusOr<StatusReport> report =
        GetClusterStatus(address_, deadline, *credentials);
    if (report.ok()) last = *report;
    if (report.ok() && is_so(last)) return last;
    if (absl::Now() >= deadline || !coordinator_->is_running()) {
      ADD_FAILURE() << "expected " << what << ", found " << StatusJson(last)
                    << report.status();
      return last;
    }
    absl::SleepFor(kLook);
  }
}

StatusReport ProcessCluster::AwaitAllInCollective() {
  return AwaitStatus(
      "every host in a collective", [&](const StatusReport& report) {
        auto is_in_collective = [](const StatusReport::Host& host) {
          return host.launch > 0 && !host.collective.empty();
        };
        return static_cast<int>(report.hosts.size()) == options_.hosts &&
               std::all_of(report.hosts.begin(), report.hosts.end(),
                           is_in_collective);
      });
}

void ProcessCluster::Stop() {
  std::vector<ProcessRef> refs;
  for (auto& [rank, worker] : workers_) refs.push_back(worker.ref());
  Terminate(refs, kGrace);
  workers_.clear();
  if (coordinator_.has_value()) coordinator_->Terminate(kGrace);
}

}  // namespace lockstep::internal
