#ifndef LOCKSTEP_TESTS_MULTIHOST_FAULT_INJECTOR_H_
#define LOCKSTEP_TESTS_MULTIHOST_FAULT_INJECTOR_H_

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/synchronization/notification.h"
#include "absl/time/time.h"
#include "tests/multihost/process_cluster.h"
#include "tests/multihost/soak_run.h"
#include "tests/multihost/test_network.h"

namespace lockstep::internal {

// Something that is wrong with a host of a cluster, or with a link, for a
// while.
struct Fault {
  enum class Kind {
    kKilled,
    kStopped,
    kCoordinatorStopped,  // never for long: the cluster's life is its own
    kCutBetweenHosts,
    kResetBetweenHosts,
    kCutFromCoordinator,
    kLinkDown,
    kCutFromClient,  // this process
  };
  Kind kind = Kind::kKilled;
  int host = 0;    // -1: none
  int other = -1;  // the other end, when that is a host
  // Which ways are cut: from `host`, to `host`.
  bool is_cut_there = false;
  bool is_cut_back = false;
  // Ends by itself after so long, perhaps before anybody notices.
  absl::Duration lasts = absl::InfiniteDuration();
  absl::Time since;
  absl::Time until = absl::InfiniteFuture();  // it was mended

  // Lasts until it is mended, and the coordinator names the host or the pair.
  bool is_noticed() const;
  // The host itself cannot hear from the coordinator, or cannot run.
  bool isolates_host() const;
  // "host 2 cut from host 3 both ways"
  std::string ToString() const;
};

// Makes random faults in a cluster, and mends them as an operator does: links
// are healed, and hosts that were declared dead are started again. Names of
// machines are those of NetworkFixture. Not thread-safe; short faults end on
// threads of their own.
class FaultInjector {
 public:
  // `network`: null when there is nothing to cut. All outlive this.
  // `has_client`: this process is a client, which may be cut off from hosts.
  // `expect_refused`: a host runs, and reaches the coordinator, which has
  // declared it dead; waits until it knows.
  FaultInjector(SoakRun* run, ProcessCluster* cluster, int hosts,
                TestNetwork* network, bool has_client,
                std::function<void(int host)> expect_refused);
  ~FaultInjector();
  FaultInjector(const FaultInjector&) = delete;
  FaultInjector& operator=(const FaultInjector&) = delete;

  // One more fault, of a host that has none.
  void Begin();
  // All that there were, those that are not mended last.
  const std::vector<Fault>& faults() const { return faults_; }
  // Waits until the coordinator reports all that it must.
  void AwaitNoticed();
  // Ends all faults; waits until every host is there and reaches the others,
  // and fails the test when that does not come. Who is declared dead is started
  // again, some of those that still run after they have heard of it.
  void Mend();

  // "7 killed, 3 cut between hosts, ..."
  std::string Counts() const;
  int replacements() const { return replacements_; }

 private:
  // Ends a short fault in time, unless it is cancelled.
  struct Timer {
    absl::Notification cancel;
    std::thread thread;
  };

  Fault Choose();
  absl::Duration ChooseLength(Fault::Kind kind);
  bool IsTaken(int host) const;
  void Apply(const Fault& fault);
  void EndFault(const Fault& fault);
  void EndActive();
  bool IsNoticed(const Fault& fault, const StatusReport& report) const;
  // It runs, was killed, or ended by itself.
  void ExpectNoCrash(int host);
  // Starts those again that are dead; whether there were any.
  bool ReplaceTheDead(const StatusReport& report);

  SoakRun& run_;
  ProcessCluster& cluster_;
  const int hosts_;
  TestNetwork* const network_;
  const std::vector<Fault::Kind> kinds_;
  const std::function<void(int host)> expect_refused_;
  std::vector<Fault> faults_;
  size_t mended_ = 0;  // of faults_
  std::vector<std::unique_ptr<Timer>> timers_;
  std::map<Fault::Kind, int> counts_;
  int replacements_ = 0;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_TESTS_MULTIHOST_FAULT_INJECTOR_H_
