// The example transformer on two hosts of four devices, one process per host,
// in each of its layouts.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tests/multihost/host_programs.h"
#include "tests/multihost/lockstep_command.h"

namespace lockstep::internal {
namespace {

constexpr char kProgram[] = "client/examples/transformer";
constexpr int kHosts = 2;
constexpr int kDevicesPerHost = 4;

// Layouts add the same f32 numbers in other orders, which is 1e-7 of the loss
// in the first step. Descent lets it grow: 3e-7 were seen in 100 steps. A wrong
// split, sum or count is far above.
constexpr double kRelativeTolerance = 1e-5;

using Losses = std::vector<double>;

class TransformerTest : public ::testing::Test {
 protected:
  TransformerTest() : folder_(::testing::TempDir() + "/transformer.XXXXXX") {
    EXPECT_NE(mkdtemp(folder_.data()), nullptr);
  }
  ~TransformerTest() override { std::filesystem::remove_all(folder_); }

  // Of both hosts, which have the same ones.
  Losses Train(const std::string& layout, int steps,
               std::vector<std::string> flags = {}) const {
    const HostCoordinator coordinator(kHosts);
    flags.insert(flags.end(), {"--steps", absl::StrCat(steps)});
    std::vector<ChildProcess> hosts;
    for (size_t rank = 0; rank < kHosts; ++rank) {
      std::vector<std::string> of_host = flags;
      of_host.insert(of_host.end(), {"--loss-file", LossFile(rank)});
      hosts.push_back(StartHost(kProgram, "--layout=" + layout,
                                coordinator.address(), rank, kDevicesPerHost,
                                {}, "", of_host));
    }
    std::vector<Losses> losses;
    for (size_t rank = 0; rank < kHosts; ++rank) {
      const CommandResult result = Finish(hosts[rank]);
      EXPECT_TRUE(result.exit.is_success())
          << layout << ", " << HostName(rank) << ": " << result.exit.ToString()
          << "\n"
          << result.out;
      losses.push_back(ReadLosses(rank));
    }
    EXPECT_EQ(losses[0], losses[1]) << layout;
    return losses[0];
  }
  std::string Checkpoint() const { return folder_ + "/checkpoint"; }

 private:
  std::string LossFile(size_t rank) const {
    return absl::StrCat(folder_, "/losses_", rank);
  }
  Losses ReadLosses(size_t rank) const {
    std::ifstream file(LossFile(rank));
    Losses losses;
    for (double loss; file >> loss;) losses.push_back(loss);
    std::filesystem::remove(LossFile(rank));
    return losses;
  }

  std::string folder_;
};

void ExpectSameLosses(const Losses& losses, const Losses& expected,
                      const std::string& what) {
  ASSERT_EQ(losses.size(), expected.size()) << what;
  for (size_t i = 0; i < losses.size(); ++i) {
    EXPECT_NEAR(losses[i], expected[i], kRelativeTolerance * expected[i])
        << what << ", step " << i + 1;
  }
}

TEST_F(TransformerTest, EveryLayoutHasTheSameLosses) {
  constexpr int kSteps = 100;
  const Losses fsdp = Train("fsdp", kSteps);
  ASSERT_EQ(fsdp.size(), static_cast<size_t>(kSteps));
  EXPECT_LT(fsdp.back(), fsdp.front() / 10);
  ExpectSameLosses(Train("tensor", kSteps), fsdp, "tensor");
  ExpectSameLosses(Train("2d", kSteps), fsdp, "2d");
}

TEST_F(TransformerTest, ACheckpointOfOneLayoutGoesOnInAnother) {
  constexpr int kSaved = 10, kSteps = 20;
  const Losses whole = Train("fsdp", kSteps);
  ASSERT_EQ(whole.size(), static_cast<size_t>(kSteps));
  EXPECT_EQ(Train("fsdp", kSaved, {"--checkpoint", Checkpoint()}),
            Losses(whole.begin(), whole.begin() + kSaved));
  const Losses rest(whole.begin() + kSaved, whole.end());
  ExpectSameLosses(
      Train("tensor", kSteps, {"--checkpoint", Checkpoint(), "--resume"}), rest,
      "tensor");
}

}  // namespace
}  // namespace lockstep::internal
