// M-16: what launchers' variables say.
#include "client/host/launcher/detect_cluster.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "client/host/launcher/example_variables.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

absl::StatusOr<DetectedCluster> Detect(const Variables& variables,
                                       const std::string& method = "auto") {
  return DetectCluster(EnvironmentOf(variables), method);
}

TEST(DetectClusterTest, WithoutLaunchersItIsAClusterOfOne) {
  const auto cluster = Detect({{"KUBERNETES_SERVICE_HOST", "10.0.0.1"},
                               {"SLURM_NTASKS", "1"},
                               {"RANK", "3"}});
  ASSERT_TRUE(cluster.ok()) << cluster.status();
  EXPECT_FALSE(cluster->is_detected());
  EXPECT_EQ(cluster->count, 1);
  EXPECT_EQ(cluster->rank, 0);
  EXPECT_EQ(cluster->coordinator_address, "");
}

TEST(DetectClusterTest, SlurmTellsCountRankAddressAndJob) {
  const auto cluster = Detect(Slurm());
  ASSERT_TRUE(cluster.ok()) << cluster.status();
  EXPECT_EQ(cluster->method, "slurm");
  EXPECT_EQ(cluster->count, 10);
  EXPECT_EQ(cluster->rank, 5);
  EXPECT_EQ(cluster->local_rank, 1);
  EXPECT_EQ(cluster->local_count, 4);
  EXPECT_EQ(cluster->coordinator_address, "gpu01:65337");
  EXPECT_EQ(cluster->cluster_id, "slurm 200505.0");
  EXPECT_FALSE(cluster->is_one_machine());
  EXPECT_FALSE(cluster->has_own_devices);
}

TEST(DetectClusterTest, TwoJobsOfSlurmMayHaveOnePortButNotOneId) {
  const auto other = Detect(With(Slurm(), {{"SLURM_JOB_ID", "204601"}}));
  ASSERT_TRUE(other.ok()) << other.status();
  EXPECT_EQ(other->coordinator_address, "gpu01:65337");
  EXPECT_EQ(other->cluster_id, "slurm 204601.0");
}

TEST(DetectClusterTest, StepsOfAJobHavePortsOfTheirOwn) {
  const auto next = Detect(With(Slurm(), {{"SLURM_STEP_ID", "1"}}));
  ASSERT_TRUE(next.ok()) << next.status();
  EXPECT_EQ(next->coordinator_address, "gpu01:62250");
  EXPECT_EQ(next->cluster_id, "slurm 200505.1");
}

TEST(DetectClusterTest, SlurmCountsTheJobsTasksWhereItDoesNotCountTheSteps) {
  const auto cluster = Detect(
      With(Slurm(), {{"SLURM_STEP_NUM_TASKS", ""}, {"SLURM_NTASKS", "10"}}));
  ASSERT_TRUE(cluster.ok()) << cluster.status();
  EXPECT_EQ(cluster->count, 10);
}

TEST(DetectClusterTest, SlurmNamesTheMachineAndMayDivideItsDevices) {
  const auto cluster = Detect(With(
      Slurm(), {{"SLURMD_NODENAME", "gpu02"}, {"SLURM_GPUS_PER_TASK", "1"}}));
  ASSERT_TRUE(cluster.ok()) << cluster.status();
  EXPECT_EQ(cluster->machine_name, "gpu02");
  EXPECT_TRUE(cluster->has_own_devices);
}

// M-2.
TEST(DetectClusterTest, SlurmDividesGpusWhereEachTaskIsBoundToSome) {
  const struct {
    Variables variables;
    bool is_divided;
  } cases[] = {
      {{{"SLURM_GPUS_PER_TASK", "a100:2"}}, true},
      {{{"SLURM_NTASKS_PER_GPU", "2"}}, true},
      {{{"SLURM_TRES_PER_TASK", "cpu=4,gres/gpu=1"}}, true},
      // srun --cpus-per-task=4, of Slurm 23.11.
      {{{"SLURM_TRES_PER_TASK", "cpu=4"}}, false},
      {{{"SLURM_GPU_BIND", "single:1"}}, true},
      {{{"SLURM_GPU_BIND", "verbose,per_task:2"}}, true},
      {{{"SLURM_GPU_BIND", "map_gpu:0,1"}}, true},
      {{{"SLURM_GPU_BIND", "mask_gpu:0x3,0xc"}}, true},
      // All of the node, and those near a processor, which others have too.
      {{{"SLURM_GPU_BIND", "none"}}, false},
      {{{"SLURM_GPU_BIND", "closest"}}, false},
      {{{"SLURM_GPU_BIND", "V,none"}, {"SLURM_GPUS_PER_TASK", "1"}}, false},
      {{{"SLURM_GPU_BIND", "verbose"}, {"SLURM_GPUS_PER_TASK", "1"}}, true},
      {{{"SLURM_GPU_BIND", "verbose"}}, false},
      {{{"SLURM_GPUS_PER_NODE", "4"}, {"SLURM_GPUS", "8"}}, false},
  };
  for (const auto& c : cases) {
    const auto cluster = Detect(With(Slurm(), c.variables));
    ASSERT_TRUE(cluster.ok()) << cluster.status();
    EXPECT_EQ(cluster->has_own_devices, c.is_divided)
        << c.variables.begin()->first << "=" << c.variables.begin()->second;
  }
}

TEST(DetectClusterTest, OpenMpiTellsCountRankAddressAndJob) {
  const auto cluster = Detect(OpenMpi());
  ASSERT_TRUE(cluster.ok()) << cluster.status();
  EXPECT_EQ(cluster->method, "ompi");
  EXPECT_EQ(cluster->count, 4);
  EXPECT_EQ(cluster->rank, 3);
  EXPECT_EQ(cluster->local_rank, 1);
  EXPECT_EQ(cluster->local_count, 2);
  EXPECT_EQ(cluster->coordinator_address, "10.96.0.1:62624");
  EXPECT_EQ(cluster->cluster_id, "ompi 1531576321");
  // Which knows rank 0's own address.
  EXPECT_TRUE(cluster->needs_pmix);
  EXPECT_FALSE(Detect(With(OpenMpi(), {{"PMIX_NAMESPACE", ""}}))->needs_pmix);
}

TEST(DetectClusterTest, OpenMpiAddressesMayBeOfVersion6) {
  const auto cluster = Detect(With(
      OpenMpi(), {{"PMIX_NAMESPACE", ""},
                  {"OMPI_MCA_orte_hnp_uri",
                   "1314521088.0;tcp6://[fe80::b9b:ac5d:9cf0:b858,2620:10d:c083"
                   ":150e::3000:2]:43370"}}));
  ASSERT_TRUE(cluster.ok()) << cluster.status();
  EXPECT_EQ(cluster->coordinator_address, "[2620:10d:c083:150e::3000:2]:62880");
  EXPECT_EQ(cluster->cluster_id, "ompi 1314521088");
}

// Open MPI 5 has no such contact.
TEST(DetectClusterTest, OpenMpiWithoutAContactHasAnAddressOnOneMachineOnly) {
  const Variables several = With(
      OpenMpi(),
      {{"OMPI_MCA_orte_hnp_uri", ""}, {"PMIX_NAMESPACE", "prterun-gpu1-77@1"}});
  const auto apart = Detect(several);
  ASSERT_TRUE(apart.ok()) << apart.status();
  EXPECT_EQ(apart->coordinator_address, "");
  EXPECT_TRUE(apart->needs_pmix);
  EXPECT_EQ(apart->address_error.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(apart->address_error.message()),
              HasSubstr("OMPI_MCA_orte_hnp_uri"));

  const Variables one = With(several, {{"OMPI_COMM_WORLD_LOCAL_SIZE", "4"}});
  const auto together = Detect(one);
  ASSERT_TRUE(together.ok()) << together.status();
  EXPECT_THAT(together->coordinator_address, HasSubstr("127.0.0.1:6"));
  EXPECT_NE(together->coordinator_address,
            Detect(With(one, {{"PMIX_NAMESPACE", "prterun-gpu1-78@1"}}))
                ->coordinator_address);
}

TEST(DetectClusterTest, MpirunWithinAnAllocationIsWhatCounts) {
  EXPECT_EQ(Detect(With(Slurm(), OpenMpi()))->method, "ompi");
  EXPECT_EQ(Detect(With(With(Slurm(), IndexedJob()), OpenMpi()))->method,
            "ompi");
  EXPECT_EQ(Detect(With(IndexedJob(), Slurm()))->method, "slurm");
  // Which starts it on each machine.
  EXPECT_EQ(Detect(With(With(Slurm(), OpenMpi()), Torchrun()))->method,
            "torchrun");
}

TEST(DetectClusterTest, PmixTellsARankButNoCountAndNoAddress) {
  const auto cluster =
      Detect({{"PMIX_RANK", "1"}, {"PMIX_NAMESPACE", "prterun-gpu1-77@1"}});
  ASSERT_TRUE(cluster.ok()) << cluster.status();
  EXPECT_EQ(cluster->method, "pmix");
  EXPECT_EQ(cluster->rank, 1);
  EXPECT_FALSE(cluster->count.has_value());
  EXPECT_TRUE(cluster->needs_pmix);
  EXPECT_EQ(cluster->cluster_id, "pmix prterun-gpu1-77@1");
  EXPECT_EQ(cluster->address_error.code(),
            absl::StatusCode::kFailedPrecondition);
}

TEST(DetectClusterTest, PmixOfSlurmIsSlurm) {
  const auto cluster =
      Detect(With(Slurm(), {{"PMIX_RANK", "5"},
                            {"PMIX_NAMESPACE", "slurm.pmix.200505.0"}}));
  ASSERT_TRUE(cluster.ok()) << cluster.status();
  EXPECT_EQ(cluster->method, "slurm");
  EXPECT_EQ(cluster->count, 10);
}

TEST(DetectClusterTest, HydraTellsCountAndRankButNoAddress) {
  const auto cluster = Detect({{"PMI_SIZE", "4"},
                               {"PMI_RANK", "3"},
                               {"MPI_LOCALRANKID", "1"},
                               {"MPI_LOCALNRANKS", "2"}});
  ASSERT_TRUE(cluster.ok()) << cluster.status();
  EXPECT_EQ(cluster->method, "hydra");
  EXPECT_EQ(cluster->count, 4);
  EXPECT_EQ(cluster->rank, 3);
  EXPECT_EQ(cluster->local_rank, 1);
  EXPECT_EQ(cluster->local_count, 2);
  EXPECT_FALSE(cluster->address_error.ok());
}

TEST(DetectClusterTest, Pmi2OfSlurmIsSlurmAndAnotherMpirunIsHydra) {
  EXPECT_EQ(
      Detect(With(Slurm(), {{"PMI_SIZE", "10"}, {"PMI_RANK", "5"}}))->method,
      "slurm");
  EXPECT_EQ(
      Detect(With(Slurm(), {{"PMI_SIZE", "40"}, {"PMI_RANK", "5"}}))->method,
      "hydra");
}

TEST(DetectClusterTest, TorchrunTellsCountRankAndAddress) {
  const auto cluster = Detect(Torchrun());
  ASSERT_TRUE(cluster.ok()) << cluster.status();
  EXPECT_EQ(cluster->method, "torchrun");
  EXPECT_EQ(cluster->count, 4);
  EXPECT_EQ(cluster->rank, 3);
  EXPECT_EQ(cluster->local_rank, 1);
  EXPECT_EQ(cluster->local_count, 2);
  EXPECT_EQ(cluster->coordinator_address, "gpu1:29500");
}

TEST(DetectClusterTest, TorchrunsOwnPortIsTaken) {
  EXPECT_EQ(Detect(With(Torchrun(), {{"TORCHELASTIC_USE_AGENT_STORE", "True"}}))
                ->coordinator_address,
            "gpu1:62268");
  EXPECT_EQ(Detect(With(Torchrun(), {{"MASTER_ADDR", "fd00::2"}}))
                ->coordinator_address,
            "[fd00::2]:29500");
}

TEST(DetectClusterTest, TorchrunStyleVariablesNeedNotNumberTheMachinesRanks) {
  const auto cluster =
      Detect(With(Torchrun(), {{"LOCAL_RANK", ""}, {"LOCAL_WORLD_SIZE", ""}}));
  ASSERT_TRUE(cluster.ok()) << cluster.status();
  EXPECT_FALSE(cluster->local_rank.has_value());
  EXPECT_FALSE(cluster->local_count.has_value());
}

TEST(DetectClusterTest, IndexedJobMeetsAtItsFirstPod) {
  const auto cluster =
      Detect(With(IndexedJob(), {{"POD_NAMESPACE", "research"}}));
  ASSERT_TRUE(cluster.ok()) << cluster.status();
  EXPECT_EQ(cluster->method, "kubernetes");
  EXPECT_EQ(cluster->count, 4);
  EXPECT_EQ(cluster->rank, 3);
  EXPECT_EQ(cluster->local_rank, 0);
  EXPECT_EQ(cluster->local_count, 1);
  EXPECT_EQ(cluster->coordinator_address, "train-0:55527");
  EXPECT_TRUE(cluster->needs_domain);
  EXPECT_EQ(cluster->cluster_id, "kubernetes research/train");
}

TEST(DetectClusterTest, JobSetOfOneJobMeetsInTheSetsSubdomain) {
  const auto cluster = Detect(With(
      IndexedJob(), {{"JOBSET_NAME", "llm"}, {"HOSTNAME", "llm-train-0-3"}}));
  ASSERT_TRUE(cluster.ok()) << cluster.status();
  EXPECT_EQ(cluster->rank, 3);
  EXPECT_EQ(cluster->coordinator_address, "llm-train-0-0.llm:55527");
  EXPECT_FALSE(cluster->needs_domain);
  EXPECT_EQ(cluster->cluster_id, "kubernetes llm-train-0");
}

TEST(DetectClusterTest, JobSetOfSeveralJobsNeedsAnAddress) {
  const Variables set = With(IndexedJob(), {{"JOBSET_NAME", "llm"},
                                            {"LOCKSTEP_EXPECTED_HOSTS", "12"},
                                            {"JOB_REPLICAS", "3"},
                                            {"JOB_INDEX", "2"},
                                            {"HOSTNAME", "llm-train-2-3"}});
  const auto without = Detect(set);
  ASSERT_TRUE(without.ok()) << without.status();
  EXPECT_EQ(without->coordinator_address, "");
  EXPECT_FALSE(without->address_error.ok());
  const auto with = Detect(With(set, {{"LOCKSTEP_COORDINATOR", "svc:55527"}}));
  ASSERT_TRUE(with.ok()) << with.status();
  EXPECT_EQ(with->count, 12);
  EXPECT_EQ(with->rank, 11);
}

TEST(DetectClusterTest, PodsWithAServiceNeedNoIndex) {
  const auto cluster = Detect({{"KUBERNETES_SERVICE_HOST", "10.0.0.1"},
                               {"LOCKSTEP_COORDINATOR", "svc:55527"}});
  ASSERT_TRUE(cluster.ok()) << cluster.status();
  EXPECT_EQ(cluster->method, "kubernetes");
  EXPECT_FALSE(cluster->count.has_value());
  EXPECT_FALSE(cluster->rank.has_value());
  EXPECT_TRUE(cluster->address_error.ok());
}

TEST(DetectClusterTest, SeveralProcessesWithoutAllVariablesAreNotOne) {
  const struct {
    Variables variables;
    const char* method;
    std::vector<std::string> names;
  } cases[] = {
      {{{"SLURM_STEP_NUM_TASKS", "2"}}, "slurm", {"SLURM_PROCID", "srun"}},
      {{{"SLURM_NTASKS", "16"}}, "slurm", {"SLURM_STEP_NODELIST"}},
      {With(Slurm(), {{"SLURM_PROCID", ""}}), "slurm", {"SLURM_PROCID"}},
      {{{"OMPI_COMM_WORLD_SIZE", "2"}}, "ompi", {"OMPI_COMM_WORLD_RANK"}},
      {{{"WORLD_SIZE", "2"}, {"RANK", "0"}}, "torchrun", {"MASTER_ADDR"}},
      {{{"PMI_SIZE", "2"}}, "hydra", {"PMI_RANK"}},
      {With(IndexedJob(), {{"JOB_COMPLETION_INDEX", ""}}),
       "kubernetes",
       {"JOB_COMPLETION_INDEX", "completionMode: Indexed"}},
      {With(IndexedJob(), {{"LOCKSTEP_EXPECTED_HOSTS", ""}}),
       "kubernetes",
       {"LOCKSTEP_EXPECTED_HOSTS", "completions"}},
      {With(IndexedJob(), {{"HOSTNAME", "train"}}),
       "kubernetes",
       {"HOSTNAME", "'train'"}},
      // The node's, with hostNetwork.
      {With(IndexedJob(), {{"HOSTNAME", "node-17"}}),
       "kubernetes",
       {"HOSTNAME", "'node-17'", "JOB_COMPLETION_INDEX 3"}},
      {With(IndexedJob(), {{"HOSTNAME", "node-13"}}),
       "kubernetes",
       {"HOSTNAME", "'node-13'"}},
  };
  for (const auto& c : cases) {
    const auto cluster = Detect(c.variables);
    ASSERT_TRUE(cluster.ok()) << cluster.status();
    EXPECT_EQ(cluster->method, c.method);
    EXPECT_EQ(cluster->address_error.code(),
              absl::StatusCode::kFailedPrecondition);
    for (const std::string& name : c.names) {
      EXPECT_THAT(std::string(cluster->address_error.message()),
                  HasSubstr(name));
    }
  }
}

TEST(DetectClusterTest, WrongVariablesAreErrorsWithTheirValues) {
  const struct {
    Variables variables;
    std::vector<std::string> names;
  } cases[] = {
      {With(Slurm(), {{"SLURM_PROCID", "10"}}),
       {"SLURM_PROCID", "below 10", "SLURM_STEP_NUM_TASKS", "found '10'"}},
      {With(Slurm(), {{"SLURM_STEP_NUM_TASKS", "many"}}),
       {"SLURM_STEP_NUM_TASKS", "integer", "'many'", "LOCKSTEP_CLUSTER=none"}},
      {With(Slurm(), {{"SLURM_STEP_NUM_TASKS", "0"}}),
       {"SLURM_STEP_NUM_TASKS", "'0'"}},
      {With(Slurm(), {{"SLURM_STEP_NODELIST", "gpu[1-"}}),
       {"SLURM_STEP_NODELIST", "'gpu[1-'"}},
      {With(Slurm(), {{"SLURM_STEP_TASKS_PER_NODE", "4(x"}}),
       {"SLURM_STEP_TASKS_PER_NODE", "'4(x'"}},
      {With(Slurm(), {{"SLURM_NODEID", "3"}}), {"SLURM_NODEID", "0 to 2"}},
      {With(Slurm(), {{"SLURM_NODEID", "2"}, {"SLURM_LOCALID", "2"}}),
       {"SLURM_LOCALID", "0 to 1"}},
      {With(Slurm(), {{"SLURM_JOB_ID", "-1"}}), {"SLURM_JOB_ID", "'-1'"}},
      {{{"SLURM_NTASKS", "two"}}, {"slurm", "SLURM_NTASKS", "'two'"}},
      {With(OpenMpi(), {{"OMPI_COMM_WORLD_RANK", "4"}}),
       {"OMPI_COMM_WORLD_RANK", "below 4"}},
      {With(OpenMpi(), {{"OMPI_COMM_WORLD_LOCAL_RANK", "2"}}),
       {"OMPI_COMM_WORLD_LOCAL_RANK", "below 2"}},
      {With(OpenMpi(), {{"OMPI_MCA_orte_hnp_uri", "nonsense"}}),
       {"OMPI_MCA_orte_hnp_uri", "'nonsense'"}},
      {With(Torchrun(), {{"MASTER_PORT", "65536"}}),
       {"MASTER_PORT", "1 to 65535", "'65536'"}},
      {With(Torchrun(), {{"RANK", "x"}}), {"RANK", "'x'"}},
      {With(Torchrun(), {{"LOCAL_RANK", ""}}), {"LOCAL_RANK", "not set"}},
      {{{"PMI_SIZE", "2"}, {"PMI_RANK", "2"}}, {"PMI_RANK", "below 2"}},
      {{{"PMIX_NAMESPACE", "a"}, {"PMIX_RANK", "-1"}}, {"PMIX_RANK", "'-1'"}},
      {With(IndexedJob(), {{"JOB_COMPLETION_INDEX", "4"}}),
       {"JOB_COMPLETION_INDEX", "below 4", "LOCKSTEP_EXPECTED_HOSTS"}},
      {With(IndexedJob(), {{"JOBSET_NAME", "llm"}, {"JOB_INDEX", "1"}}),
       {"JOB_REPLICAS", "not set"}},
      {With(
           IndexedJob(),
           {{"JOBSET_NAME", "llm"}, {"JOB_INDEX", "1"}, {"JOB_REPLICAS", "3"}}),
       {"LOCKSTEP_EXPECTED_HOSTS", "multiple of 3", "'4'"}},
  };
  for (const auto& c : cases) {
    const absl::Status status = Detect(c.variables).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << c.names[0];
    for (const std::string& name : c.names) {
      EXPECT_THAT(std::string(status.message()), HasSubstr(name));
    }
  }
}

TEST(DetectClusterTest, ForcedMethodMustBeThere) {
  EXPECT_EQ(Detect(With(Slurm(), OpenMpi()), "slurm")->method, "slurm");
  EXPECT_FALSE(Detect(Slurm(), "none")->is_detected());
  const absl::Status missing =
      Detect({{"SLURM_JOB_ID", "7"}}, "slurm").status();
  EXPECT_EQ(missing.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(missing.message()),
              HasSubstr("SLURM_STEP_NUM_TASKS or SLURM_NTASKS, SLURM_STEP_ID, "
                        "SLURM_STEP_NODELIST"));
  const absl::Status unknown = Detect({}, "pbs").status();
  EXPECT_EQ(unknown.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(unknown.message()), HasSubstr("'pbs'"));
  for (const std::string& method : DetectionMethods()) {
    EXPECT_THAT(std::string(unknown.message()), HasSubstr(method));
  }
}

std::vector<std::string> Ignored(const Variables& variables,
                                 const std::string& method = "auto") {
  const auto cluster = Detect(variables, method);
  EXPECT_TRUE(cluster.ok()) << cluster.status();
  return IgnoredLaunchers(EnvironmentOf(variables), method, *cluster);
}

TEST(DetectClusterTest, WhoDoesNotCountIsSaidWithTheVariablesAndWhy) {
  EXPECT_THAT(Ignored(With(With(Slurm(), OpenMpi()), Torchrun())),
              ElementsAre(AllOf(HasSubstr("launcher ompi"),
                                HasSubstr("launcher torchrun counts before"),
                                HasSubstr("OMPI_COMM_WORLD_RANK")),
                          HasSubstr("launcher pmix"),
                          AllOf(HasSubstr("launcher slurm"),
                                HasSubstr("SLURM_STEP_NODELIST"))));
  EXPECT_THAT(Ignored(With(Slurm(), OpenMpi())),
              ElementsAre(AllOf(HasSubstr("launcher slurm"),
                                HasSubstr("launcher ompi counts before"))));
  EXPECT_THAT(Ignored(Slurm(), "none"),
              ElementsAre(AllOf(HasSubstr("launcher slurm"),
                                HasSubstr("detection is by 'none'"))));
  const Variables in_pod =
      With(With(IndexedJob(), Torchrun()), {{"LOCKSTEP_COORDINATOR", "a:1"}});
  EXPECT_THAT(Ignored(in_pod),
              ElementsAre(AllOf(HasSubstr("launcher kubernetes"),
                                HasSubstr("JOB_COMPLETION_INDEX"),
                                Not(HasSubstr("LOCKSTEP_")))));
}

TEST(DetectClusterTest, WhoHasPartInWhatIsSaidIsNotIgnored) {
  EXPECT_THAT(Ignored({}), IsEmpty());
  EXPECT_THAT(Ignored(Slurm()), IsEmpty());
  EXPECT_THAT(Ignored(OpenMpi()), IsEmpty());
  EXPECT_THAT(
      Ignored(With(Slurm(), {{"PMIX_RANK", "5"},
                             {"PMIX_NAMESPACE", "slurm.pmix.200505.0"}})),
      IsEmpty());
  EXPECT_THAT(Ignored(With(Slurm(), {{"PMI_SIZE", "10"}, {"PMI_RANK", "5"}})),
              IsEmpty());
}

}  // namespace
}  // namespace lockstep::internal
