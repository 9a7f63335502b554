// Random programs on four hosts whose workers are killed, stopped for a moment
// or for good, and come back: no wait without end, no wrong value, no cluster
// that stays broken. LOCKSTEP_SOAK_S: for how many seconds (20);
// LOCKSTEP_SOAK_SEED: which run.
#include <signal.h>

#include <cstdlib>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "client/lockstep.h"
#include "gtest/gtest.h"
#include "tests/multihost/lockstep_command.h"
#include "tests/multihost/programs.h"
#include "tests/multihost/test_cluster.h"

namespace lockstep {
namespace {

constexpr int kHosts = 4;
constexpr int kDevices = 8;
// Errors come within 5 s; a loaded machine gets three times that.
constexpr absl::Duration kAnswer = absl::Seconds(15);

int64_t Variable(const char* name, int64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::atoll(text);
}

TestCluster::Options Options() {
  TestCluster::Options options;
  options.hosts = kHosts;
  options.devices_per_host = kDevices / kHosts;
  return options;
}

class Soak : public ::testing::Test {
 protected:
  Soak() : cluster_(Options()), random_(Variable("LOCKSTEP_SOAK_SEED", 1)) {
    Connect();
  }

  void Connect() {
    auto client = Client::Connect(cluster_.address());
    ASSERT_TRUE(client.ok()) << client.status();
    client_.emplace(*std::move(client));
  }

  int Pick(int count) {
    return std::uniform_int_distribution<int>(0, count - 1)(random_);
  }

  // A few steps of a random program. OK, or why they failed; a wrong value or a
  // late answer fails the test.
  absl::Status RunSteps() {
    const int kind = Pick(3);
    const int steps = 1 + Pick(5);
    auto step = client_->pmap(
        [kind](Tensor x) {
          switch (kind) {
            case 0:
              return psum(x, "i");
            case 1:
              return pmax(x, "i") + x;
            default:
              return x + x;
          }
        },
        {.axis_name = "i", .name = absl::StrCat("step", kind)});
    std::vector<float> expected;
    for (int i = 0; i < kDevices; ++i) {
      expected.push_back(static_cast<float>(Pick(3)));
    }
    const absl::Time start = absl::Now();
    absl::StatusOr<Array> x = Array(expected);
    for (int i = 0; i < steps && x.ok(); ++i) {
      x = step(*x);
      expected = Stepped(kind, expected);
    }
    absl::Status status = x.status();
    std::vector<float> found;
    if (status.ok()) status = x->Await(start + kAnswer);
    if (status.ok()) {
      auto values = x->ToVector<float>();
      status = values.status();
      if (values.ok()) found = *values;
    }
    EXPECT_LT(absl::Now() - start, kAnswer + absl::Seconds(1)) << status;
    EXPECT_FALSE(absl::IsDeadlineExceeded(status)) << status;
    if (status.ok()) {
      EXPECT_EQ(found, expected) << "kind " << kind;
    }
    return status;
  }

  static std::vector<float> Stepped(int kind, const std::vector<float>& x) {
    float sum = 0, largest = x[0];
    for (float value : x) {
      sum += value;
      largest = std::max(largest, value);
    }
    std::vector<float> y;
    for (float value : x) {
      y.push_back(kind == 0 ? sum : kind == 1 ? largest + value : 2 * value);
    }
    return y;
  }

  // The cluster is whole, so it works, at the latest after the next roster.
  void ExpectWorks() {
    absl::Status status;
    for (const absl::Time start = absl::Now();
         absl::Now() - start < absl::Seconds(20);) {
      status = RunSteps();
      if (status.ok()) return;
    }
    ADD_FAILURE() << "the cluster stays broken: " << status;
  }

  void AwaitState(int host, const std::string& state) {
    cluster_.AwaitStatus(absl::StrCat("host ", host, " ", state),
                         [&](const StatusReport& report) {
                           return report.hosts.size() == kHosts &&
                                  report.hosts[host].state == state;
                         });
  }

  void Disturb() {
    const int host = Pick(kHosts);
    switch (Pick(3)) {
      case 0:
        cluster_.worker(host).Signal(SIGSTOP);
        absl::SleepFor(absl::Milliseconds(Pick(1000)));
        cluster_.worker(host).Signal(SIGCONT);
        return ExpectWorks();
      case 1:
        cluster_.worker(host).Signal(SIGSTOP);
        for (int i = Pick(3); i > 0; --i) RunSteps().IgnoreError();
        AwaitState(host, "silent");
        cluster_.worker(host).Signal(SIGKILL);
        break;
      default:
        cluster_.worker(host).Signal(SIGKILL);
        for (int i = Pick(3); i > 0; --i) RunSteps().IgnoreError();
        AwaitState(host, "exited");
    }
    for (int i = Pick(2); i > 0; --i) EXPECT_FALSE(RunSteps().ok());
    cluster_.StartWorker(host);
    cluster_.AwaitJoined(host);
    AwaitState(host, "alive");
    if (Pick(3) == 0) Connect();
    ExpectWorks();
  }

  TestCluster cluster_;
  std::mt19937 random_;
  std::optional<Client> client_;
};

TEST_F(Soak, NothingHangsNothingIsWrongNothingStaysBroken) {
  const absl::Time end =
      absl::Now() + absl::Seconds(Variable("LOCKSTEP_SOAK_S", 20));
  int runs = 0, disturbances = 0;
  while (absl::Now() < end && !HasFailure()) {
    for (int i = Pick(20); i > 0; --i) {
      const absl::Status status = RunSteps();
      EXPECT_TRUE(status.ok()) << status;
      ++runs;
    }
    Disturb();
    ++disturbances;
  }
  RecordProperty("runs", runs);
  RecordProperty("disturbances", disturbances);
  std::cerr << runs << " programs, " << disturbances << " disturbances\n";
}

}  // namespace
}  // namespace lockstep
