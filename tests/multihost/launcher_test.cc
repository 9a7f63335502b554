// M-2, M-16: processes that know of each other by a launcher's variables alone.
// The port is derived from the number of the job: tests look for one that is
// free.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "client/cli/cluster_state.h"
#include "client/host/coordinator_start.h"
#include "client/host/pmix/in_memory_pmix_client.h"
#include "client/host/pmix/pmix_client.h"
#include "client/host/resolved_options.h"
#include "client/process/child_process.h"
#include "client/process/coordinator_process.h"
#include "tests/multihost/lockstep_command.h"
#include "tests/multihost/programs.h"

namespace lockstep::internal {
namespace {

using ::testing::HasSubstr;

using Variables = std::map<std::string, std::string>;

constexpr char kProgram[] = "tests/multihost/pmap_host_program";

// Jobs that differ by so much have the same port.
constexpr int kPorts = 4096;
constexpr int kFirstPort = 61440;

// A job of Slurm with a port that nobody has, and that no other test of this
// process had. The kernel gives none of these to others.
int UnusedJob() {
  static int next = static_cast<int>(absl::ToUnixMicros(absl::Now()) % kPorts);
  for (int tries = 0; tries < kPorts; ++tries) {
    const int job = next++ % kPorts;
    if (!IsListening(absl::StrCat("127.0.0.1:", kFirstPort + job))) {
      return job + kPorts * (getpid() % 1000);
    }
  }
  ADD_FAILURE() << "all ports are taken";
  return 0;
}

Variables SlurmTask(int job, int rank, int count) {
  return {{"SLURM_JOB_ID", absl::StrCat(job)},
          {"SLURM_STEP_ID", "0"},
          {"SLURM_STEP_NUM_TASKS", absl::StrCat(count)},
          {"SLURM_STEP_NODELIST", "gpu[01-02]"},
          {"SLURM_PROCID", absl::StrCat(rank)},
          {"SLURM_LOCALID", absl::StrCat(rank)},
          {"SLURM_NODEID", "0"},
          {"SLURM_STEP_TASKS_PER_NODE", absl::StrCat(count)},
          {"SLURMD_NODENAME", "gpu01"}};
}

ChildProcess StartWorker(const Variables& variables, int rank) {
  return StartLockstep(absl::StrCat("worker ", rank), {"worker"}, true, {},
                       variables);
}

absl::StatusOr<std::string> AwaitReady(ChildProcess& process) {
  return process.AwaitReady(absl::Now() + absl::Seconds(60));
}

TEST(LauncherTest, WorkersOfAStepOfSlurmFormACluster) {
  const int job = UnusedJob();
  std::vector<ChildProcess> workers;
  for (const int rank : {1, 0}) {
    workers.push_back(StartWorker(SlurmTask(job, rank, 2), rank));
  }
  for (ChildProcess& worker : workers) {
    const auto host = AwaitReady(worker);
    ASSERT_TRUE(host.ok()) << host.status();
    EXPECT_EQ(worker.name(), absl::StrCat("worker ", *host));
  }
  for (ChildProcess& worker : workers) worker.Signal(SIGTERM);
  for (ChildProcess& worker : workers) {
    const CommandResult result = Finish(worker);
    EXPECT_EQ(result.exit, ExitStatus()) << result.err;
    EXPECT_THAT(result.out,
                HasSubstr(worker.name() == "worker 0" ? "host 0 (gpu01.r0)"
                                                      : "host 1 (gpu01.r1)"));
  }
}

TEST(LauncherTest, AnotherJobWithThePortIsRefusedWithBothIds) {
  const int job = UnusedJob();
  std::vector<ChildProcess> workers;
  for (const int rank : {0, 1}) {
    workers.push_back(StartWorker(SlurmTask(job, rank, 2), rank));
  }
  for (ChildProcess& worker : workers) ASSERT_TRUE(AwaitReady(worker).ok());
  ChildProcess stranger = StartWorker(SlurmTask(job + kPorts, 0, 2), 0);
  const auto refused = AwaitReady(stranger);
  EXPECT_EQ(refused.status().code(), absl::StatusCode::kFailedPrecondition);
  for (const int id : {job, job + kPorts}) {
    EXPECT_THAT(std::string(refused.status().message()),
                HasSubstr(absl::StrCat("slurm ", id, ".0")));
  }
  EXPECT_THAT(std::string(refused.status().message()), HasSubstr("127.0.0.1:"));
}

TEST(LauncherTest, ClusterIdThatIsGivenIsThatOfTheCoordinatorToo) {
  const int job = UnusedJob();
  const auto start = [&](int rank, const std::string& cluster_id) {
    return StartLockstep(absl::StrCat("worker ", rank),
                         {"worker", "--cluster-id", cluster_id}, true, {},
                         SlurmTask(job, rank, 2));
  };
  ChildProcess first = start(0, "mine");
  ChildProcess second = start(1, "mine");
  for (ChildProcess* worker : {&first, &second}) {
    const auto host = AwaitReady(*worker);
    ASSERT_TRUE(host.ok()) << host.status();
  }
  ChildProcess stranger = start(1, "yours");
  const auto refused = AwaitReady(stranger);
  EXPECT_EQ(refused.status().code(), absl::StatusCode::kFailedPrecondition);
  for (const char* id : {"mine", "yours"}) {
    EXPECT_THAT(std::string(refused.status().message()), HasSubstr(id));
  }
}

TEST(LauncherTest, HostProgramsOfMpirunFormACluster) {
  // mpirun's jobs are a multiple of what their ports are derived from.
  const int64_t job = int64_t{UnusedJob()} % kPorts * kPorts + 1;
  std::vector<ChildProcess> hosts;
  for (const int rank : {0, 1, 2}) {
    ChildProcess::Options options;
    options.name = absl::StrCat("host ", rank);
    options.arguments = {kProgram, "sum"};
    options.environment = {{"OMPI_COMM_WORLD_SIZE", "3"},
                           {"OMPI_COMM_WORLD_RANK", absl::StrCat(rank)},
                           {"OMPI_COMM_WORLD_LOCAL_SIZE", "3"},
                           {"OMPI_COMM_WORLD_LOCAL_RANK", absl::StrCat(rank)},
                           {"PMIX_NAMESPACE", absl::StrCat(job)},
                           {"OMPI_MCA_orte_hnp_uri",
                            absl::StrCat(job - 1, ".0;tcp://192.0.2.1:34911")},
                           {"LOCKSTEP_BINARY", LockstepPath()}};
    options.captures_stdout = true;
    auto host = ChildProcess::Spawn(options);
    ASSERT_TRUE(host.ok()) << host.status();
    hosts.push_back(*std::move(host));
  }
  for (int rank = 0; rank < 3; ++rank) {
    const CommandResult result = Finish(hosts[static_cast<size_t>(rank)]);
    EXPECT_TRUE(result.exit.is_success());
    EXPECT_EQ(result.out, absl::StrCat("[", 3 + rank, "]\n"));
  }
}

// M-2. The hosts of the second one come while the coordinator of the first is
// about to end, rank 1 as soon as any.
TEST(LauncherTest, ProgramsOfAStepFollowEachOther) {
  const int job = UnusedJob();
  std::vector<ChildProcess> hosts;
  for (const int rank : {0, 1}) {
    ChildProcess::Options options;
    options.name = absl::StrCat("host ", rank);
    options.arguments = {"/bin/sh", "-c",
                         absl::StrCat(kProgram, " sum && ", kProgram, " sum")};
    const Variables task = SlurmTask(job, rank, 2);
    options.environment = {task.begin(), task.end()};
    options.environment.emplace_back("LOCKSTEP_BINARY", LockstepPath());
    options.captures_stdout = true;
    auto host = ChildProcess::Spawn(options);
    ASSERT_TRUE(host.ok()) << host.status();
    hosts.push_back(*std::move(host));
  }
  for (int rank = 0; rank < 2; ++rank) {
    const CommandResult result = Finish(hosts[static_cast<size_t>(rank)]);
    EXPECT_TRUE(result.exit.is_success());
    EXPECT_EQ(result.out, absl::StrCat("[", 1 + rank, "]\n[", 1 + rank, "]\n"));
  }
}

// Rank 0 in this process.
ResolvedOptions RankZero() {
  EXPECT_EQ(setenv("LOCKSTEP_BINARY", LockstepPath().c_str(), 1), 0);
  ResolvedOptions options;
  options.is_address_of_launcher = true;
  options.requested_rank = 0;
  options.coordinator_address = options.coordinator_bind_address =
      absl::StrCat("127.0.0.1:", kFirstPort + UnusedJob() % kPorts);
  options.join_deadline = absl::Seconds(3);
  return options;
}

// The first of those that this test started.
void AwaitEndOfACoordinator() { EXPECT_GT(waitpid(-1, nullptr, 0), 0); }

// M-2. However long rank 0 takes to start up, a second is not the end.
TEST(LauncherTest, CoordinatorAwaitsRank0WhileThatRuns) {
  const ResolvedOptions rank0 = RankZero();
  const absl::Time start = absl::Now();
  const absl::Status started = EnsureCoordinator(rank0);
  ASSERT_TRUE(started.ok()) << started;
  AwaitEndOfACoordinator();
  EXPECT_GE(absl::Now() - start, rank0.join_deadline);
}

// M-2. The next program of a step, which has its address.
TEST(LauncherTest, CoordinatorThatIsAboutToEndIsNotJoined) {
  const ResolvedOptions rank0 = RankZero();
  CoordinatorProcessOptions earlier;
  earlier.listen_address = rank0.coordinator_address;
  earlier.end_when_empty = absl::Seconds(1);
  ASSERT_TRUE(StartCoordinatorProcess(earlier).ok());
  const absl::Status started = EnsureCoordinator(rank0);
  ASSERT_TRUE(started.ok()) << started;
  AwaitEndOfACoordinator();
  EXPECT_TRUE(SomebodyListens(rank0.coordinator_address));
  AwaitEndOfACoordinator();
}

TEST(LauncherTest, CoordinatorWithoutStarterAwaitsNobody) {
  const CommandResult result =
      RunLockstep({"coordinator", "--starter", "1", "--end-when-empty", "0s"});
  EXPECT_EQ(result.exit, ExitStatus()) << result.err;
}

// M-15. The workers look for it at the port of the job.
TEST(LauncherTest, CoordinatorMayListenAtAnAddressThatIsGiven) {
  const int job = UnusedJob();
  std::vector<ChildProcess> workers;
  for (const int rank : {0, 1}) {
    Variables task = SlurmTask(job, rank, 2);
    task["SLURM_STEP_NODELIST"] = "localhost";
    task["LOCKSTEP_COORDINATOR_BIND"] = "127.0.0.1:0";
    workers.push_back(StartWorker(task, rank));
  }
  for (ChildProcess& worker : workers) {
    const auto host = AwaitReady(worker);
    EXPECT_TRUE(host.ok()) << host.status();
  }
}

TEST(LauncherTest, CoordinatorThatIsNotFoundWhereItIsLookedForIsAnError) {
  Variables task = SlurmTask(UnusedJob(), 0, 2);
  task["SLURM_STEP_NODELIST"] = "localhost";
  task["LOCKSTEP_COORDINATOR_BIND"] = "127.0.0.2:0";
  ChildProcess worker = StartWorker(task, 0);
  const absl::Status status = AwaitReady(worker).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  for (const char* name :
       {"127.0.0.2:", "localhost:", "LOCKSTEP_COORDINATOR"}) {
    EXPECT_THAT(std::string(status.message()), HasSubstr(name));
  }
}

TEST(LauncherTest, AddressThatIsGivenIsWhatRank0Publishes) {
  PmixTable table;
  InMemoryPmixClient pmix({.count = 2, .local_count = 2}, table);
  ResolvedOptions options = RankZero();
  options.coordinator_address = "";
  options.coordinator_bind_address = "127.0.0.2:0";
  options.meets_by_pmix = true;
  const absl::Status status = FindMeetingPlace(
      {.machine_name = "gpu01",
       .pmix = [&]() -> absl::StatusOr<PmixClient*> { return &pmix; }},
      options);
  ASSERT_TRUE(status.ok()) << status;
  EXPECT_THAT(options.coordinator_address, HasSubstr("127.0.0.2:"));
  EXPECT_TRUE(IsListening(options.coordinator_address));
  AwaitEndOfACoordinator();
}

// As `lockstep up` leaves one behind.
TEST(LauncherTest, WorkersThatNoLauncherCountsJoinTheClusterOfUp) {
  const ScratchDirectory scratch;
  ASSERT_EQ(setenv("XDG_RUNTIME_DIR", scratch.path().c_str(), 1), 0);
  ChildProcess coordinator = StartLockstep(
      "coordinator",
      {"coordinator", "--listen", "127.0.0.1:0", "--expected-hosts", "2"},
      true);
  const auto address = AwaitReady(coordinator);
  ASSERT_TRUE(address.ok()) << address.status();
  ASSERT_TRUE(StateDirectory::Open()
                  ->Write({.address = *address,
                           .processes = {{"coordinator", coordinator.ref()}}})
                  .ok());
  // The shell of an allocation, and one that srun started.
  std::vector<ChildProcess> workers;
  for (const Variables& variables :
       {Variables{{"SLURM_JOB_ID", "7"}, {"SLURM_NTASKS", "16"}},
        SlurmTask(UnusedJob(), 0, 1)}) {
    workers.push_back(
        StartLockstep(absl::StrCat("worker ", workers.size()),
                      {"worker", "--name", absl::StrCat("w", workers.size())},
                      true, {}, variables));
  }
  for (ChildProcess& worker : workers) {
    const auto host = AwaitReady(worker);
    EXPECT_TRUE(host.ok()) << host.status();
  }
}

TEST(LauncherTest, ClusterThatAStartedProcessStartsIsItsOwn) {
  // Nobody looks at what would be an error.
  Variables variables = SlurmTask(UnusedJob(), 1, 2);
  variables["SLURM_PROCID"] = "9";
  const CommandResult result = RunLockstep(
      {"run", "client/examples/psum.mlir", "--hosts", "2", "--devices-per-host",
       "4", "--input", "client/examples/data/zero_to_seven.npy", "--output-dir",
       absl::StrCat(::testing::TempDir(), "launched")},
      variables);
  EXPECT_EQ(result.exit, ExitStatus()) << result.err;
}

}  // namespace
}  // namespace lockstep::internal
