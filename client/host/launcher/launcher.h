#ifndef LOCKSTEP_CLIENT_HOST_LAUNCHER_LAUNCHER_H_
#define LOCKSTEP_CLIENT_HOST_LAUNCHER_LAUNCHER_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "client/host/launcher/detected_cluster.h"
#include "client/host/launcher/environment.h"

namespace lockstep::internal {

// A kind of launcher: by which variables it is known, and how they are read.
struct Launcher {
  std::string method;  // "slurm"
  // It is there when one variable of each line is set.
  std::vector<std::vector<std::string>> variables;
  // Of these the first that is set says how many processes there are; a number
  // above 1 says that the launcher is there, whatever is missing.
  std::vector<std::string> counts;
  // Of these it sets one in each process that it starts, also where `variables`
  // are incomplete; none: whatever it sets, it sets there.
  std::vector<std::string> started = {};
  // What somebody does whose variables are incomplete.
  std::string hint;
  // Reads them, all `variables` being there. INVALID_ARGUMENT names the
  // variable and its value.
  absl::StatusOr<DetectedCluster> (*read)(const Environment& environment);

  bool HasStarted(const Environment& environment) const;
  // The lines of which no variable is set, as "A or B".
  std::vector<std::string> Missing(const Environment& environment) const;
  // The variables of `variables` that are set, but for those of lockstep.
  std::vector<std::string> Set(const Environment& environment) const;
  bool IsThere(const Environment& environment) const {
    return Missing(environment).empty();
  }
};

Launcher TorchrunLauncher();
Launcher OpenMpiLauncher();
Launcher PmixLauncher();
Launcher SlurmLauncher();
Launcher KubernetesLauncher();
// MPICH and what is made of it: says no address.
Launcher HydraLauncher();

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_HOST_LAUNCHER_LAUNCHER_H_
