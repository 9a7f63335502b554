#ifndef LOCKSTEP_TESTS_MULTIHOST_SCENARIO_PROGRAM_H_
#define LOCKSTEP_TESTS_MULTIHOST_SCENARIO_PROGRAM_H_

#include <functional>
#include <iostream>
#include <map>
#include <string>

#include "absl/status/status.h"
#include "client/lockstep.h"
#include "runtime/base/status.h"

namespace lockstep::internal {

// What a program of the host view can be asked to do (host_programs.h).
using ScenarioTable = std::map<std::string, std::function<void()>>;

struct ScenarioOptions {
  // Runs after the scenario.
  std::function<void()> before_shutdown = nullptr;
  // Whether the program succeeds when Shutdown does not.
  bool may_fail_to_leave = false;
};

// The main of such a program: joins the cluster by the environment, runs what
// the first argument names, and leaves. Errors of both go to standard output.
inline int RunScenario(int argc, char** argv, const ScenarioTable& scenarios,
                       const ScenarioOptions& options = {}) {
  const auto scenario = scenarios.find(argc > 1 ? argv[1] : "");
  if (scenario == scenarios.end()) {
    std::cerr << "which scenario?" << std::endl;
    return 2;
  }
  if (const absl::Status joined = Initialize(); !joined.ok()) {
    std::cout << StatusLine(joined) << std::endl;
    return 1;
  }
  scenario->second();
  if (options.before_shutdown) options.before_shutdown();
  const absl::Status left = Shutdown();
  if (left.ok()) return 0;
  std::cout << StatusLine(left) << std::endl;
  return options.may_fail_to_leave ? 0 : 1;
}

}  // namespace lockstep::internal

#endif  // LOCKSTEP_TESTS_MULTIHOST_SCENARIO_PROGRAM_H_
