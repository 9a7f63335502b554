#ifndef LOCKSTEP_TESTS_MULTIHOST_HOST_PROGRAMS_H_
#define LOCKSTEP_TESTS_MULTIHOST_HOST_PROGRAMS_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "client/process/child_process.h"
#include "tests/multihost/test_network.h"

namespace lockstep::internal {

// Programs of the host view, one process per host: each joins the cluster by
// its environment and runs the scenario that its argument names.
//
// On loopback; or, with LOCKSTEP_TEST_NETWORK=namespaces, coordinator and hosts
// each on a machine of its own, host 1 in another subnet. Where there can be no
// namespaces, all tests are skipped then, with the reason.

using Variables = std::vector<std::pair<std::string, std::string>>;

// "host0", "host1", ..: the name of the host of a rank.
std::string HostName(size_t rank);

// A coordinator for `hosts` hosts, one at a time.
class HostCoordinator {
 public:
  explicit HostCoordinator(size_t hosts, std::vector<std::string> flags = {});
  ~HostCoordinator();
  // "": it did not start, which has failed the test.
  const std::string& address() const { return address_; }
  void Signal(int signal) { process_.Signal(signal); }
  // Fails the test when it does not end by itself, or not with success.
  void AwaitEnd();

 private:
  std::unique_ptr<TestNetwork> network_;  // null: loopback
  ChildProcess process_;
  std::string address_;
};

// Where the latest coordinator is. `flags`: arguments behind the scenario.
ChildProcess StartHost(const std::string& program, const std::string& scenario,
                       const std::string& address, size_t rank, int devices,
                       const Variables& more = {},
                       const std::string& stderr_path = "",
                       const std::vector<std::string>& flags = {});

// What a program printed on standard output.
using Lines = std::vector<std::string>;

// Runs one host per entry of `devices` to its end; what each printed, by rank.
// Fails the test when a host fails.
std::vector<Lines> RunHosts(const std::string& program,
                            const std::string& scenario,
                            const std::vector<int>& devices,
                            const Variables& more = {});

}  // namespace lockstep::internal

#endif  // LOCKSTEP_TESTS_MULTIHOST_HOST_PROGRAMS_H_
