#ifndef LOCKSTEP_TESTS_MULTIHOST_NETWORK_FIXTURE_H_
#define LOCKSTEP_TESTS_MULTIHOST_NETWORK_FIXTURE_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "runtime/types/npy.h"
#include "tests/multihost/lockstep_command.h"
#include "tests/multihost/process_cluster.h"
#include "tests/multihost/programs.h"
#include "tests/multihost/test_network.h"

namespace lockstep::internal {

// Tests with a cluster on machines "coordinator", "host0", "host1", ...; this
// process is the client. Skipped, with the reason, where there can be no
// namespaces.
class NetworkFixture : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (!has_entered_) why_not_ = TestNetwork::Enter();
    has_entered_ = true;
  }
  void SetUp() override {
    if (why_not_.has_value()) GTEST_SKIP() << *why_not_;
  }

  static std::string MachineOf(int rank) {
    return rank == ProcessCluster::kCoordinator ? "coordinator"
                                                : absl::StrCat("host", rank);
  }

  // One worker on each of the first `hosts` machines.
  static ProcessCluster::Options On(const TestNetwork& network, int hosts) {
    ProcessCluster::Options options;
    options.hosts = hosts;
    options.listen_address = absl::StrCat(network.Address("coordinator"), ":0");
    options.where = [&network](int rank) {
      return network.On(MachineOf(rank));
    };
    return options;
  }

  std::vector<std::string> RunArguments(const ProcessCluster& cluster,
                                        const std::string& program,
                                        int replicas) {
    return {"run",           scratch_.Write("program.mlir", program),
            "--input",       scratch_.WriteNpy("x.npy", Ramp(replicas)),
            "--output-dir",  scratch_.path() + "/out",
            "--coordinator", cluster.address()};
  }

  CommandResult RunSum(const ProcessCluster& cluster, int replicas) {
    return RunLockstep(RunArguments(cluster, SumProgram(replicas), replicas));
  }

  void ExpectSumWorks(const ProcessCluster& cluster, int replicas) {
    const CommandResult result = RunSum(cluster, replicas);
    ASSERT_EQ(result.exit, ExitStatus()) << result.err;
    auto sum = ReadNpyFile(scratch_.path() + "/out/0.npy");
    ASSERT_TRUE(sum.ok()) << sum.status();
    std::vector<float> expected(replicas, replicas * (replicas - 1) / 2.0f);
    EXPECT_EQ(sum->data<float>(), absl::MakeConstSpan(expected));
  }

  // In every host, in the middle of a collective, until something happens.
  ChildProcess StartEndless(ProcessCluster& cluster, int replicas) {
    ChildProcess run = StartLockstep(
        "lockstep run",
        RunArguments(cluster, EndlessProgram(replicas), replicas), true);
    cluster.AwaitAllInCollective();
    return run;
  }

  ScratchDirectory scratch_;

 private:
  static inline bool has_entered_ = false;
  static inline std::optional<std::string> why_not_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_TESTS_MULTIHOST_NETWORK_FIXTURE_H_
