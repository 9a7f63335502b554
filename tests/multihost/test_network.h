#ifndef LOCKSTEP_TESTS_MULTIHOST_TEST_NETWORK_H_
#define LOCKSTEP_TESTS_MULTIHOST_TEST_NETWORK_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "client/process/child_process.h"

namespace lockstep::internal {

// Machines that are network namespaces, joined by a bridge, or by a router
// between two bridges. The test's own process is one of them, "test", in a
// namespace of its own. The destructor removes all but that.
//
// Names carry the test's process id; what a killed test left behind is removed
// by the next one.
class TestNetwork {
 public:
  // Moves the calling thread, which must be the only one, into a namespace of
  // its own. Once, before anything else. Says why when there can be none here.
  static std::optional<std::string> Enter();

  struct Options {
    // On the near bridge, beside "test".
    std::vector<std::string> machines = {};
    // On the far bridge: another subnet, behind a router.
    std::vector<std::string> far_machines = {};
    // What every packet takes through the router, each way.
    absl::Duration delay = absl::ZeroDuration();
  };
  explicit TestNetwork(const Options& options);
  ~TestNetwork();
  TestNetwork(const TestNetwork&) = delete;
  TestNetwork& operator=(const TestNetwork&) = delete;

  // "10.77.0.2"
  std::string Address(const std::string& machine) const;
  // What stands before a command line that runs on the machine.
  std::vector<std::string> On(const std::string& machine) const;

  // What `from` sends to `to` is lost; a Cut of each way cuts the link.
  void Cut(const std::string& from, const std::string& to);
  // What `from` sends to `to` by TCP is answered with resets.
  void Reset(const std::string& from, const std::string& to);
  // One of `n` packets that reach the machine is lost.
  void LoseOneOf(int n, const std::string& machine);
  // Ends all of these.
  void Heal();
  // Ends those of what reaches the machine.
  void Heal(const std::string& machine);
  // The machine's own interface.
  void SetLink(const std::string& machine, bool is_up);

 private:
  struct Machine {
    std::string name;
    std::string address;
    bool is_far = false;
  };

  std::string Namespace(const std::string& machine) const;
  const Machine& Find(const std::string& machine) const;
  void AddBridge(const std::string& bridge, const std::string& gateway);
  void AddMachine(const std::string& name, bool is_far);
  void AddGateway(const Machine& machine);
  void StartDelay(absl::Duration delay);
  void AddRule(const std::string& machine, const std::string& rule);

  const Options options_;
  std::vector<Machine> machines_;
  std::optional<ChildProcess> delay_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_TESTS_MULTIHOST_TEST_NETWORK_H_
