#include "client/host/resolved_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "client/host/launcher/example_variables.h"
#include "client/host/pmix/in_memory_pmix_client.h"
#include "client/host/pmix/pmix_client.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

absl::StatusOr<ResolvedOptions> Resolve(const InitializeOptions& options,
                                        const Variables& variables,
                                        PmixClient* pmix = nullptr) {
  return ResolveOptions(
      options, EnvironmentOf(variables),
      {.machine_name = "gpu03",
       .full_machine_name = [] { return std::string("gpu03.rack7.example"); },
       .pmix = [&]() -> absl::StatusOr<PmixClient*> {
         if (pmix != nullptr) return pmix;
         return absl::UnavailableError("no library of PMIx");
       }});
}

// M-15, M-29.
TEST(ResolvedOptionsTest, WithoutAnythingItIsAClusterOfOne) {
  const auto options = Resolve({}, {});
  ASSERT_TRUE(options.ok());
  EXPECT_EQ(options->coordinator_address, "");
  EXPECT_EQ(options->local_device_count, 1);
  EXPECT_EQ(options->host_name, "gpu03");
  EXPECT_EQ(options->join_deadline, absl::Seconds(300));
  EXPECT_EQ(options->preemption_signal, SIGTERM);
  EXPECT_EQ(options->preemption_deadline, absl::ZeroDuration());
  EXPECT_FALSE(options->requested_rank.has_value());
}

// M-15.
TEST(ResolvedOptionsTest, VariablesStandInForArguments) {
  const auto options = Resolve({}, {{"LOCKSTEP_COORDINATOR", "a:1"},
                                    {"LOCKSTEP_EXPECTED_HOSTS", "4"},
                                    {"LOCKSTEP_RANK", "3"},
                                    {"LOCKSTEP_CPU_DEVICES", "8"},
                                    {"LOCKSTEP_INTERFACE", "eth1"},
                                    {"LOCKSTEP_NETWORK_GROUP", "rack7"},
                                    {"LOCKSTEP_BACKEND", "null"},
                                    {"LOCKSTEP_PLATFORM", "fake"},
                                    {"LOCKSTEP_REDUCTION_MODE", "ordered"},
                                    {"LOCKSTEP_CACHE_DIR", "/c"},
                                    {"LOCKSTEP_JOIN_DEADLINE_S", "7"},
                                    {"LOCKSTEP_PREEMPTION_SIGNAL", "USR1"},
                                    {"LOCKSTEP_PREEMPTION_DEADLINE_S", "8"}});
  ASSERT_TRUE(options.ok()) << options.status();
  EXPECT_EQ(options->coordinator_address, "a:1");
  EXPECT_EQ(options->expected_hosts, 4);
  EXPECT_EQ(options->requested_rank, 3);
  EXPECT_EQ(options->local_device_count, 8);
  EXPECT_EQ(options->interface, "eth1");
  EXPECT_EQ(options->network_group, "rack7");
  EXPECT_EQ(options->backend, "null");
  EXPECT_EQ(options->platform, "fake");
  EXPECT_EQ(options->reduction_mode, ReductionMode::kOrdered);
  EXPECT_EQ(options->cache_directory, "/c");
  EXPECT_EQ(options->join_deadline, absl::Seconds(7));
  EXPECT_EQ(options->preemption_signal, SIGUSR1);
  EXPECT_EQ(options->preemption_deadline, absl::Seconds(8));
  EXPECT_EQ(options->host_name, "gpu03.r3");
}

// M-2.
TEST(ResolvedOptionsTest, ArgumentsWinOverVariables) {
  const auto options = Resolve({.coordinator_address = "b:2",
                                .requested_rank = 0,
                                .host_name = "me",
                                .num_cpu_devices = 2,
                                .preemption_signal = 0,
                                .preemption_deadline = absl::Seconds(9)},
                               {{"LOCKSTEP_COORDINATOR", "a:1"},
                                {"LOCKSTEP_RANK", "not even a number"},
                                {"LOCKSTEP_HOST_NAME", "you"},
                                {"LOCKSTEP_CPU_DEVICES", "8"},
                                {"LOCKSTEP_PREEMPTION_SIGNAL", "USR1"},
                                {"LOCKSTEP_PREEMPTION_DEADLINE_S", "soon"}});
  ASSERT_TRUE(options.ok()) << options.status();
  EXPECT_EQ(options->preemption_signal, 0);
  EXPECT_EQ(options->preemption_deadline, absl::Seconds(9));
  EXPECT_EQ(options->coordinator_address, "b:2");
  EXPECT_EQ(options->requested_rank, 0);
  EXPECT_EQ(options->host_name, "me");
  EXPECT_EQ(options->local_device_count, 2);
}

struct ErrorCase {
  InitializeOptions options;
  Variables variables;
  absl::StatusCode code;
  std::vector<std::string> names;
};

// M-2, M-16.
TEST(ResolvedOptionsTest, ErrorsNameWhatIsWrong) {
  const std::vector<ErrorCase> cases = {
      {{.expected_hosts = 2, .requested_rank = 2},
       {},
       absl::StatusCode::kInvalidArgument,
       {"requested_rank 2", "[0, 2)"}},
      {{.requested_rank = -1},
       {},
       absl::StatusCode::kInvalidArgument,
       {"requested_rank -1"}},
      {{},
       {{"LOCKSTEP_RANK", "first"}},
       absl::StatusCode::kInvalidArgument,
       {"LOCKSTEP_RANK", "'first'"}},
      {{},
       {{"LOCKSTEP_CPU_DEVICES", "0"}},
       absl::StatusCode::kInvalidArgument,
       {"num_cpu_devices", "0"}},
      {{},
       {{"LOCKSTEP_PREEMPTION_SIGNAL", "KILL"}},
       absl::StatusCode::kInvalidArgument,
       {"preemption_signal", "LOCKSTEP_PREEMPTION_SIGNAL", "'KILL'"}},
      {{},
       {{"LOCKSTEP_REDUCTION_MODE", "slow"}},
       absl::StatusCode::kInvalidArgument,
       {"reduction mode", "ordered", "'slow'"}},
      {{},
       {{"LOCKSTEP_CLUSTER", "pbs"}},
       absl::StatusCode::kInvalidArgument,
       {"'pbs'", "slurm"}},
      {{.cluster_detection = "slurm"},
       {{"SLURM_JOB_ID", "7"}},
       absl::StatusCode::kInvalidArgument,
       {"slurm", "SLURM_NTASKS", "SLURM_PROCID"}},
      {{},
       {{"SLURM_STEP_NUM_TASKS", "2"}},
       absl::StatusCode::kFailedPrecondition,
       {"this is one of 2 processes of launcher slurm", "LOCKSTEP_COORDINATOR",
        "SLURM_PROCID"}},
      {{},
       {{"PMIX_RANK", "0"}, {"PMIX_NAMESPACE", "job"}},
       absl::StatusCode::kFailedPrecondition,
       {"pmix", "LOCKSTEP_COORDINATOR", "LOCKSTEP_CLUSTER=none",
        "no library of PMIx"}},
      {{},
       {{"WORLD_SIZE", "2"}, {"RANK", "0"}},
       absl::StatusCode::kFailedPrecondition,
       {"torchrun", "2 processes", "MASTER_ADDR, MASTER_PORT"}},
      {{},
       {{"KUBERNETES_SERVICE_HOST", "10.0.0.1"},
        {"LOCKSTEP_EXPECTED_HOSTS", "2"}},
       absl::StatusCode::kFailedPrecondition,
       {"kubernetes", "2 processes", "completionMode: Indexed"}},
      {{},
       {{"OMPI_COMM_WORLD_SIZE", "2"}},
       absl::StatusCode::kFailedPrecondition,
       {"ompi", "2 processes", "LOCKSTEP_COORDINATOR"}},
      // The shell of an allocation.
      {{},
       {{"SLURM_JOB_ID", "7"}, {"SLURM_NTASKS", "16"}},
       absl::StatusCode::kFailedPrecondition,
       {"launcher slurm is to start 16 processes, and this is none of them",
        "srun", "LOCKSTEP_COORDINATOR"}},
  };
  for (const ErrorCase& c : cases) {
    const absl::Status status = Resolve(c.options, c.variables).status();
    EXPECT_EQ(status.code(), c.code) << status;
    for (const std::string& name : c.names) {
      EXPECT_THAT(std::string(status.message()), HasSubstr(name));
    }
  }
}

// M-16.
TEST(ResolvedOptionsTest, DetectionCanBeTurnedOff) {
  EXPECT_TRUE(
      Resolve({.cluster_detection = "none"}, {{"SLURM_NTASKS", "16"}}).ok());
}

// M-2, M-16.
TEST(ResolvedOptionsTest, LaunchersSayWhatArgumentsAndVariablesLeaveOpen) {
  const auto options = Resolve({}, OpenMpi());
  ASSERT_TRUE(options.ok()) << options.status();
  EXPECT_EQ(options->launcher, "ompi");
  EXPECT_EQ(options->coordinator_address, "10.96.0.1:62624");
  EXPECT_EQ(options->coordinator_bind_address, "10.96.0.1:62624");
  EXPECT_TRUE(options->is_address_of_launcher);
  EXPECT_EQ(options->expected_hosts, 4);
  EXPECT_EQ(options->requested_rank, 3);
  EXPECT_EQ(options->local_rank, 1);
  EXPECT_EQ(options->local_count, 2);
  EXPECT_EQ(options->host_name, "gpu03.r1");
  EXPECT_EQ(options->cluster_id, "ompi 1531576321");
}

// M-2, M-16. A coordinator that the user names has an id of its own.
TEST(ResolvedOptionsTest, ArgumentsAndVariablesWinOverLaunchers) {
  Variables variables = OpenMpi();
  variables["LOCKSTEP_COORDINATOR"] = "a:1";
  variables["LOCKSTEP_RANK"] = "2";
  const auto options = Resolve({.expected_hosts = 5}, variables);
  ASSERT_TRUE(options.ok()) << options.status();
  EXPECT_EQ(options->coordinator_address, "a:1");
  EXPECT_FALSE(options->is_address_of_launcher);
  EXPECT_EQ(options->expected_hosts, 5);
  EXPECT_EQ(options->requested_rank, 2);
  EXPECT_EQ(options->host_name, "gpu03.r2");
  EXPECT_EQ(options->cluster_id, "");
}

// M-2, M-16. Left over in a shell that somebody exported them to.
TEST(ResolvedOptionsTest, WrongVariablesOfALauncherThatIsNotAskedAreIgnored) {
  Variables variables = OpenMpi();
  variables["OMPI_COMM_WORLD_RANK"] = "4";
  variables["LOCKSTEP_COORDINATOR"] = "a:1";
  variables["LOCKSTEP_EXPECTED_HOSTS"] = "2";
  const auto code = [&] { return Resolve({}, variables).status().code(); };
  EXPECT_EQ(code(), absl::StatusCode::kInvalidArgument);
  variables["LOCKSTEP_RANK"] = "1";
  const auto options = Resolve({}, variables);
  ASSERT_TRUE(options.ok()) << options.status();
  EXPECT_EQ(options->launcher, "none");
  EXPECT_EQ(options->expected_hosts, 2);
  EXPECT_EQ(options->requested_rank, 1);
  EXPECT_EQ(options->local_count, 1);
  EXPECT_EQ(options->host_name, "gpu03.r1");
  // Somebody says that it is there.
  variables["LOCKSTEP_CLUSTER"] = "ompi";
  EXPECT_EQ(code(), absl::StatusCode::kInvalidArgument);
}

// M-2. What no other machine needs to reach needs no certificates either.
TEST(ResolvedOptionsTest, HostsOfOneMachineMeetOnLoopback) {
  Variables variables = OpenMpi();
  variables["OMPI_COMM_WORLD_LOCAL_SIZE"] = "4";
  EXPECT_EQ(Resolve({}, variables)->coordinator_address, "127.0.0.1:62624");
  EXPECT_EQ(Resolve({.interface = "eth1"}, variables)->coordinator_address,
            "10.96.0.1:62624");
  EXPECT_EQ(Resolve({.coordinator_bind_address = "0.0.0.0:62624"}, variables)
                ->coordinator_address,
            "10.96.0.1:62624");
}

// M-16.
TEST(ResolvedOptionsTest, PmixSaysWhatVariablesDoNot) {
  PmixTable table;
  InMemoryPmixClient pmix(
      {.rank = 5, .count = 8, .local_rank = 1, .local_count = 4}, table);
  const Variables variables = {{"PMIX_RANK", "5"}, {"PMIX_NAMESPACE", "job"}};
  const auto options = Resolve({}, variables, &pmix);
  ASSERT_TRUE(options.ok()) << options.status();
  EXPECT_TRUE(options->meets_by_pmix);
  EXPECT_TRUE(options->is_address_of_launcher);
  EXPECT_EQ(options->expected_hosts, 8);
  EXPECT_EQ(options->requested_rank, 5);
  EXPECT_EQ(options->local_rank, 1);
  EXPECT_EQ(options->local_count, 4);
  EXPECT_EQ(options->host_name, "gpu03.r1");
  EXPECT_EQ(options->cluster_id, "pmix job");

  const auto named = Resolve({.coordinator_address = "a:1"}, variables);
  ASSERT_TRUE(named.ok()) << named.status();
  EXPECT_FALSE(named->meets_by_pmix);
  EXPECT_EQ(named->requested_rank, 5);

  InMemoryPmixClient alone({}, table);
  const auto one =
      Resolve({}, {{"PMIX_RANK", "0"}, {"PMIX_NAMESPACE", "job"}}, &alone);
  ASSERT_TRUE(one.ok()) << one.status();
  EXPECT_FALSE(one->meets_by_pmix);
  EXPECT_EQ(one->coordinator_address, "");
}

// Its server knows of no job.
class LostPmixClient : public PmixClient {
 public:
  absl::StatusOr<Place> FindPlace() override {
    return absl::DeadlineExceededError("PMIx: reading pmix.job.size");
  }
  absl::Status Publish(const std::string&, const std::string&) override {
    return absl::UnimplementedError("");
  }
  absl::StatusOr<std::string> Read(int, const std::string&,
                                   absl::Duration) override {
    return absl::UnimplementedError("");
  }
};

// M-16. The contact is mpirun's, which may run on another machine than rank 0.
TEST(ResolvedOptionsTest, HostsOfMpirunOnSeveralMachinesMeetByPmixWhereItIs) {
  PmixTable table;
  InMemoryPmixClient pmix(
      {.rank = 3, .count = 4, .local_rank = 1, .local_count = 2}, table);
  const auto options = Resolve({}, OpenMpi(), &pmix);
  ASSERT_TRUE(options.ok()) << options.status();
  EXPECT_EQ(options->launcher, "ompi");
  EXPECT_TRUE(options->meets_by_pmix);
  EXPECT_EQ(options->coordinator_address, "");
  EXPECT_EQ(options->cluster_id, "ompi 1531576321");

  const auto without = Resolve({}, OpenMpi());
  ASSERT_TRUE(without.ok()) << without.status();
  EXPECT_FALSE(without->meets_by_pmix);
  EXPECT_EQ(without->coordinator_address, "10.96.0.1:62624");

  LostPmixClient lost;
  const auto by_contact = Resolve({}, OpenMpi(), &lost);
  ASSERT_TRUE(by_contact.ok()) << by_contact.status();
  EXPECT_EQ(by_contact->coordinator_address, "10.96.0.1:62624");

  Variables one_machine = OpenMpi();
  one_machine["OMPI_COMM_WORLD_LOCAL_SIZE"] = "4";
  EXPECT_FALSE(Resolve({}, one_machine, &pmix)->meets_by_pmix);
}

// M-16.
TEST(ResolvedOptionsTest, WhatOfALauncherIsNotHeededIsSaid) {
  EXPECT_THAT(Resolve({}, Torchrun())->ignored, IsEmpty());
  EXPECT_THAT(
      Resolve({.coordinator_address = "a:1", .requested_rank = 0},
              With(Torchrun(), {{"LOCKSTEP_EXPECTED_HOSTS", "2"}}))
          ->ignored,
      ElementsAre(
          AllOf(HasSubstr("launcher torchrun"), HasSubstr("gpu1:29500"),
                HasSubstr("LOCKSTEP_COORDINATOR"), HasSubstr("a:1")),
          AllOf(HasSubstr("count 4"), HasSubstr("LOCKSTEP_EXPECTED_HOSTS"),
                HasSubstr("given: 2")),
          AllOf(HasSubstr("rank 3"), HasSubstr("LOCKSTEP_RANK"),
                HasSubstr("given: 0"))));
  // Who says the same is heeded.
  EXPECT_THAT(Resolve({.requested_rank = 3}, Torchrun())->ignored, IsEmpty());
  EXPECT_THAT(Resolve({}, With(Slurm(), Torchrun()))->ignored,
              ElementsAre(HasSubstr("launcher slurm")));
  EXPECT_THAT(Resolve({.coordinator_address = "a:1",
                       .expected_hosts = 2,
                       .requested_rank = 0},
                      With(Torchrun(), {{"RANK", "x"}}))
                  ->ignored,
              ElementsAre(AllOf(HasSubstr("expected hosts and rank are given"),
                                HasSubstr("RANK"), HasSubstr("'x'"))));
}

// M-16.
TEST(ResolvedOptionsTest, OneProcessOfALauncherIsAClusterOfOne) {
  const auto options = Resolve({}, {{"OMPI_COMM_WORLD_SIZE", "1"},
                                    {"OMPI_COMM_WORLD_RANK", "0"},
                                    {"OMPI_COMM_WORLD_LOCAL_RANK", "0"},
                                    {"OMPI_COMM_WORLD_LOCAL_SIZE", "1"}});
  ASSERT_TRUE(options.ok()) << options.status();
  EXPECT_EQ(options->coordinator_address, "");
  EXPECT_EQ(options->host_name, "gpu03");
}

// M-16.
TEST(ResolvedOptionsTest, LaunchersNameTheMachine) {
  const auto options = Resolve({}, {{"SLURM_JOB_ID", "200505"},
                                    {"SLURM_STEP_ID", "0"},
                                    {"SLURM_STEP_NUM_TASKS", "2"},
                                    {"SLURM_STEP_NODELIST", "n[1-2]"},
                                    {"SLURM_PROCID", "1"},
                                    {"SLURM_LOCALID", "0"},
                                    {"SLURM_NODEID", "1"},
                                    {"SLURM_STEP_TASKS_PER_NODE", "1(x2)"},
                                    {"SLURMD_NODENAME", "n2"}});
  ASSERT_TRUE(options.ok()) << options.status();
  EXPECT_EQ(options->host_name, "n2");
  EXPECT_EQ(options->coordinator_address, "n1:65337");
}

// M-2. Two containers of a pod, and two programs in the shell of one task: the
// launcher counts one process on the machine.
TEST(ResolvedOptionsTest, NamesHaveTheRankThatIsGivenWithinALauncherToo) {
  const Variables given = {{"LOCKSTEP_COORDINATOR", "a:1"},
                           {"LOCKSTEP_EXPECTED_HOSTS", "2"},
                           {"LOCKSTEP_RANK", "1"}};
  Variables pod = given;
  pod["KUBERNETES_SERVICE_HOST"] = "10.0.0.1";
  Variables shell = given;
  shell.insert({{"SLURM_JOB_ID", "200505"},
                {"SLURM_STEP_ID", "0"},
                {"SLURM_STEP_NUM_TASKS", "1"},
                {"SLURM_STEP_NODELIST", "n1"},
                {"SLURM_PROCID", "0"},
                {"SLURM_LOCALID", "0"},
                {"SLURM_NODEID", "0"},
                {"SLURM_STEP_TASKS_PER_NODE", "1"},
                {"SLURMD_NODENAME", "n1"}});
  const auto in_pod = Resolve({}, pod);
  ASSERT_TRUE(in_pod.ok()) << in_pod.status();
  EXPECT_EQ(in_pod->launcher, "kubernetes");
  EXPECT_EQ(in_pod->host_name, "gpu03.r1");
  const auto in_shell = Resolve({}, shell);
  ASSERT_TRUE(in_shell.ok()) << in_shell.status();
  EXPECT_EQ(in_shell->launcher, "slurm");
  EXPECT_EQ(in_shell->host_name, "n1.r1");
}

// M-16. Without local ranks only the ranks tell hosts of one machine apart.
TEST(ResolvedOptionsTest, NamesHaveTheRankWhereNobodySaysTheLocalRank) {
  const auto options = Resolve({}, {{"RANK", "1"},
                                    {"WORLD_SIZE", "2"},
                                    {"MASTER_ADDR", "10.0.0.1"},
                                    {"MASTER_PORT", "29500"}});
  ASSERT_TRUE(options.ok()) << options.status();
  EXPECT_EQ(options->host_name, "gpu03.r1");
  EXPECT_EQ(options->coordinator_address, "10.0.0.1:29500");
}

// M-16.
TEST(ResolvedOptionsTest, PodsOfAJobAreInOneDomain) {
  const Variables pod = {{"KUBERNETES_SERVICE_HOST", "10.0.0.1"},
                         {"JOB_COMPLETION_INDEX", "1"},
                         {"LOCKSTEP_EXPECTED_HOSTS", "2"},
                         {"HOSTNAME", "train-1"}};
  const auto resolve = [&](const std::string& full_name) {
    return ResolveOptions({}, EnvironmentOf(pod),
                          {.machine_name = "train-1",
                           .full_machine_name = [=] { return full_name; }});
  };
  EXPECT_EQ(resolve("train-1.train.lab.svc.cluster.local")->coordinator_address,
            "train-0.train.lab.svc.cluster.local:55527");
  const absl::Status without = resolve("train-1").status();
  EXPECT_EQ(without.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(without.message()), HasSubstr("'train-1'"));
  EXPECT_THAT(std::string(without.message()), HasSubstr("subdomain"));
}

// M-2.
TEST(ResolvedOptionsTest, CoordinatorListensWhereItIsLookedFor) {
  const auto options = Resolve({.coordinator_address = "a:1"}, {});
  ASSERT_TRUE(options.ok());
  EXPECT_EQ(options->coordinator_bind_address, "a:1");
  EXPECT_EQ(options->start_coordinator, StartCoordinator::kAuto);
  const auto bound = Resolve({.coordinator_address = "a:1"},
                             {{"LOCKSTEP_COORDINATOR_BIND", "0.0.0.0:1"},
                              {"LOCKSTEP_START_COORDINATOR", "always"}});
  ASSERT_TRUE(bound.ok());
  EXPECT_EQ(bound->coordinator_bind_address, "0.0.0.0:1");
  EXPECT_EQ(bound->start_coordinator, StartCoordinator::kAlways);
}

// M-15, M-16. The other hosts know the launcher's port only.
TEST(ResolvedOptionsTest, CoordinatorOfALauncherListensAtItsPort) {
  Variables variables = OpenMpi();
  variables["LOCKSTEP_COORDINATOR_BIND"] = "[::]:0";
  EXPECT_EQ(Resolve({}, variables)->coordinator_bind_address, "[::]:62624");
  variables["LOCKSTEP_COORDINATOR_BIND"] = "0.0.0.0:62624";
  EXPECT_EQ(Resolve({}, variables)->coordinator_bind_address, "0.0.0.0:62624");
  for (const char* bind : {"0.0.0.0:7000", "eth1", "0.0.0.0:"}) {
    variables["LOCKSTEP_COORDINATOR_BIND"] = bind;
    const absl::Status status = Resolve({}, variables).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    for (const char* name : {bind, "62624", "10.96.0.1:62624", "ompi",
                             "LOCKSTEP_COORDINATOR_BIND"}) {
      EXPECT_THAT(std::string(status.message()), HasSubstr(name));
    }
    EXPECT_TRUE(Resolve({.coordinator_address = "a:1"}, variables).ok());
    EXPECT_TRUE(Resolve({.start_coordinator = "never"}, variables).ok());
  }
  // Who publishes an address may choose its port.
  PmixTable table;
  InMemoryPmixClient pmix({.rank = 3, .count = 4}, table);
  EXPECT_EQ(
      Resolve({.coordinator_bind_address = "0.0.0.0:7000"}, OpenMpi(), &pmix)
          ->coordinator_bind_address,
      "0.0.0.0:7000");
}

// M-2, M-16.
TEST(ResolvedOptionsTest, CoordinatorThatNobodyStartsIsNotPublished) {
  PmixTable table;
  InMemoryPmixClient pmix(
      {.rank = 0, .count = 4, .local_rank = 0, .local_count = 2}, table);
  const Variables of_pmix = {{"PMIX_RANK", "0"}, {"PMIX_NAMESPACE", "job"}};
  EXPECT_TRUE(Resolve({}, of_pmix, &pmix)->meets_by_pmix);
  const InitializeOptions never = {.start_coordinator = "never"};
  const absl::Status status = Resolve(never, of_pmix, &pmix).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  for (const char* name :
       {"never", "launcher pmix", "PMIx", "LOCKSTEP_COORDINATOR"}) {
    EXPECT_THAT(std::string(status.message()), HasSubstr(name));
  }
  InitializeOptions elsewhere = never;
  elsewhere.coordinator_address = "a:1";
  EXPECT_EQ(Resolve(elsewhere, of_pmix, &pmix)->coordinator_address, "a:1");
  // Where the launcher's variables say an address it may be there.
  const auto by_contact = Resolve(never, OpenMpi(), &pmix);
  ASSERT_TRUE(by_contact.ok()) << by_contact.status();
  EXPECT_FALSE(by_contact->meets_by_pmix);
  EXPECT_EQ(by_contact->coordinator_address, "10.96.0.1:62624");
}

TEST(ResolvedOptionsTest, CoordinatorToStartNeedsAnAddressAndAKnownMode) {
  const auto nowhere = Resolve({.start_coordinator = "always"}, {});
  EXPECT_EQ(nowhere.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(nowhere.status().message(), HasSubstr("coordinator_address"));
  const auto unknown = Resolve({.start_coordinator = "maybe"}, {});
  EXPECT_THAT(unknown.status().message(), HasSubstr("'maybe'"));
}

TEST(ResolvedOptionsTest, LocalDevicesAreSomeOfThoseThatAreVisible) {
  const auto options = Resolve(
      {}, {{"LOCKSTEP_CPU_DEVICES", "4"}, {"LOCKSTEP_LOCAL_DEVICES", "2,0"}});
  ASSERT_TRUE(options.ok()) << options.status();
  EXPECT_EQ(options->local_device_count, 2);
}

// M-2.
TEST(ResolvedOptionsTest, LocalDevicesMustBeThereOnce) {
  const struct {
    std::vector<int> devices;
    const char* found;
  } cases[] = {{{4}, "no device 4"},
               {{-1}, "no device -1"},
               {{1, 1}, "device 1 stands twice"},
               {{}, "empty"}};
  for (const auto& c : cases) {
    const auto options =
        Resolve({.num_cpu_devices = 4, .local_devices = c.devices}, {});
    EXPECT_EQ(options.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(options.status().message(), HasSubstr(c.found));
  }
  const auto text = Resolve({}, {{"LOCKSTEP_LOCAL_DEVICES", "0;1"}});
  EXPECT_THAT(text.status().message(), HasSubstr("'0;1'"));
}

// M-2.
TEST(ResolvedOptionsTest, JoinTokenOfTheArgumentWins) {
  const Variables variables = {{"LOCKSTEP_JOIN_TOKEN", "secret"}};
  EXPECT_EQ(Resolve({}, variables)->join_token, "secret");
  EXPECT_EQ(Resolve({.join_token = "mine"}, variables)->join_token, "mine");
  EXPECT_EQ(Resolve({}, {})->join_token, "");
}

}  // namespace
}  // namespace lockstep::internal
