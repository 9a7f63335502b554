#ifndef LOCKSTEP_TESTS_MULTIHOST_SOAK_FIXTURE_H_
#define LOCKSTEP_TESTS_MULTIHOST_SOAK_FIXTURE_H_

#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "tests/multihost/fault_injector.h"
#include "tests/multihost/network_fixture.h"
#include "tests/multihost/soak_run.h"

namespace lockstep::internal {

enum class Place { kLoopback, kNamespaces };

inline std::string NameOf(const ::testing::TestParamInfo<Place>& info) {
  return info.param == Place::kLoopback ? "Loopback" : "Namespaces";
}

// Four hosts on one machine, or each on a machine of its own, and faults.
class SoakFixture : public NetworkFixture,
                    public ::testing::WithParamInterface<Place> {
 protected:
  static constexpr int kHosts = 4;
  static constexpr int kDevices = 8;
  // Errors come within 5 s; a loaded machine gets three times that.
  static constexpr absl::Duration kAnswer = absl::Seconds(15);

  void SetUp() override {
    ProcessCluster::Options options;
    if (GetParam() == Place::kNamespaces) {
      NetworkFixture::SetUp();
      if (IsSkipped()) return;
      TestNetwork::Options machines{.machines = {"coordinator"}};
      for (int i = 0; i < kHosts; ++i) {
        machines.machines.push_back(MachineOf(i));
      }
      network_.emplace(machines);
      options = On(*network_, kHosts);
    }
    options.hosts = kHosts;
    options.devices_per_host = kDevices / kHosts;
    Adapt(options);
    cluster_.emplace(options);
    faults_.emplace(&run_, &*cluster_, kHosts,
                    network_.has_value() ? &*network_ : nullptr, HasClient(),
                    [this](int host) { ExpectRefused(host); });
  }
  virtual void Adapt(ProcessCluster::Options&) {}
  // This process is a client of the global view.
  virtual bool HasClient() const { return false; }
  // See FaultInjector.
  virtual void ExpectRefused(int host) {
    EXPECT_TRUE(cluster_->worker(host)
                    .AwaitExit(absl::Now() + absl::Seconds(30))
                    .has_value())
        << "host " << host << " runs on, declared dead";
  }

  void Report(const std::string& what) {
    const std::string line = absl::StrCat(what, "; ", faults_->Counts(), "; ",
                                          faults_->replacements(),
                                          " replacements; seed ", run_.seed());
    RecordProperty("soak", line);
    std::cerr << line << "\n";
  }

  SoakRun run_;
  std::optional<TestNetwork> network_;
  std::optional<ProcessCluster> cluster_;
  std::optional<FaultInjector> faults_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_TESTS_MULTIHOST_SOAK_FIXTURE_H_
