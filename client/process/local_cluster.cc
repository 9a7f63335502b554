#include "client/process/local_cluster.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/clock.h"
#include "client/process/lockstep_binary.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

constexpr absl::Duration kDestructorGrace = absl::Seconds(2);
constexpr absl::Duration kStartUp = absl::Seconds(10);

std::string MachineName() {
  char name[256] = "localhost";
  gethostname(name, sizeof name - 1);
  return name;
}

// Whether workers of this machine may use the same GPU, which NCCL refuses
// within one host: each is a host of its own for it then.
bool SharesGpus() {
  const char* const shared = std::getenv("LOCKSTEP_CUDA_SHARED");
  return shared != nullptr && absl::string_view(shared) == "1";
}

}  // namespace

absl::StatusOr<LocalCluster> LocalCluster::Start(const Options& options) {
  if (options.hosts < 1 || options.devices_per_host < 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("a cluster needs at least 1 host and 1 device per host, "
                     "found ",
                     options.hosts, " and ", options.devices_per_host));
  }
  ASSIGN_OR_RETURN(std::string binary, FindLockstepBinary());
  LocalCluster cluster(options);
  // Later than the coordinator's, whose message says more.
  cluster.deadline_ = absl::Now() + options.join_deadline + kStartUp;
  RETURN_IF_ERROR(cluster.StartCoordinator(binary));
  for (int rank = 0; rank < options.hosts; ++rank) {
    RETURN_IF_ERROR(cluster.StartWorker(binary, rank));
  }
  RETURN_IF_ERROR(cluster.AwaitWorkers());
  return cluster;
}

LocalCluster::~LocalCluster() {
  if (!processes_.empty()) Stop(kDestructorGrace);
}

ChildProcess::Options LocalCluster::Describe(const std::string& name) const {
  ChildProcess::Options options;
  options.name = name;
  options.dies_with_parent = options_.dies_with_parent;
  options.has_own_session = true;
  // Whoever started this process did not start its cluster.
  options.environment.emplace_back("LOCKSTEP_CLUSTER", "none");
  // Standard output is the caller's own.
  options.merges_stdout = true;
  if (!options_.log_directory.empty()) {
    options.stderr_path =
        absl::StrCat(options_.log_directory, "/", name, ".log");
  }
  return options;
}

void LocalCluster::AddSecurity(ChildProcess::Options& options) const {
  if (options_.security_directory.empty()) return;
  options.arguments.push_back(
      absl::StrCat("--security-dir=", options_.security_directory));
}

absl::Status LocalCluster::Add(const ChildProcess::Options& options) {
  ASSIGN_OR_RETURN(ChildProcess child, ChildProcess::Spawn(options));
  processes_.push_back(std::move(child));
  return options_.on_started ? options_.on_started(*this) : absl::OkStatus();
}

absl::Status LocalCluster::StartCoordinator(const std::string& binary) {
  ChildProcess::Options options = Describe("coordinator");
  options.arguments = {
      binary,
      "coordinator",
      absl::StrCat("--listen=", options_.listen_address),
      absl::StrCat("--expected-hosts=", options_.hosts),
      absl::StrCat("--join-deadline=",
                   absl::FormatDuration(options_.join_deadline)),
  };
  AddSecurity(options);
  options.arguments.insert(options.arguments.end(),
                           options_.coordinator_flags.begin(),
                           options_.coordinator_flags.end());
  RETURN_IF_ERROR(Add(options));
  ASSIGN_OR_RETURN(address_, processes_.back().AwaitReady(deadline_));
  return options_.on_started ? options_.on_started(*this) : absl::OkStatus();
}

absl::Status LocalCluster::StartWorker(const std::string& binary, int rank) {
  ChildProcess::Options options = Describe(absl::StrCat("worker-", rank));
  options.arguments = {
      binary,
      "worker",
      absl::StrCat("--coordinator=", address_),
      absl::StrCat("--name=", MachineName(), ".", rank),
      absl::StrCat("--rank=", rank),
  };
  options.arguments.push_back(
      options_.local_devices.empty()
          ? absl::StrCat("--devices=", options_.devices_per_host)
          : absl::StrCat("--local-devices=",
                         absl::StrJoin(options_.local_devices[rank], ",")));
  if (!options_.platform.empty()) {
    options.arguments.push_back(absl::StrCat("--platform=", options_.platform));
  }
  if (SharesGpus() && std::getenv("NCCL_HOSTID") == nullptr) {
    options.environment.emplace_back("NCCL_HOSTID",
                                     absl::StrCat(MachineName(), ".", rank));
  }
  if (!options_.interface.empty()) {
    options.arguments.push_back(
        absl::StrCat("--interface=", options_.interface));
  }
  if (!options_.backend.empty()) {
    options.arguments.push_back(absl::StrCat("--backend=", options_.backend));
  }
  if (!options_.cache_directory.empty()) {
    options.arguments.push_back(
        absl::StrCat("--cache-dir=", options_.cache_directory));
  }
  if (!options_.checkpoint_directory.empty()) {
    options.arguments.push_back(
        absl::StrCat("--checkpoint-dir=", options_.checkpoint_directory));
  }
  AddSecurity(options);
  options.arguments.insert(options.arguments.end(),
                           options_.worker_flags.begin(),
                           options_.worker_flags.end());
  return Add(options);
}

absl::Status LocalCluster::AwaitWorkers() {
  // All at once: one that cannot start would keep the others waiting.
  std::vector<ChildProcess*> pending;
  for (size_t i = 1; i < processes_.size(); ++i) {
    pending.push_back(&processes_[i]);
  }
  return AwaitAllReady(std::move(pending), deadline_);
}

void LocalCluster::Stop(absl::Duration grace) {
  if (processes_.empty()) return;
  absl::Time deadline = absl::Now() + grace;
  auto workers = absl::MakeSpan(processes_).subspan(1);
  for (ChildProcess& worker : workers) {
    worker.Signal(SIGTERM);
    worker.Signal(SIGCONT);
  }
  for (ChildProcess& worker : workers) worker.AwaitExit(deadline);
  TerminateAll(processes_, std::max(deadline - absl::Now(), grace / 4));
  processes_.clear();
}

void LocalCluster::Detach() && {
  for (ChildProcess& process : processes_) std::move(process).Detach();
  processes_.clear();
}

}  // namespace lockstep::internal
