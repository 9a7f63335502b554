#ifndef LOCKSTEP_CLIENT_HOST_LAUNCHER_EXAMPLE_VARIABLES_H_
#define LOCKSTEP_CLIENT_HOST_LAUNCHER_EXAMPLE_VARIABLES_H_

#include <map>
#include <optional>
#include <string>

#include "client/host/launcher/environment.h"

namespace lockstep::internal {

// For tests: what launchers set, by name.
using Variables = std::map<std::string, std::string>;

// `variables` with those of `changes`, and without those that are "" there.
inline Variables With(Variables variables, const Variables& changes) {
  for (const auto& [name, value] : changes) {
    variables.erase(name);
    if (!value.empty()) variables[name] = value;
  }
  return variables;
}

// `variables` outlive it.
inline Environment EnvironmentOf(const Variables& variables) {
  return [&variables](const std::string& name) -> std::optional<std::string> {
    const auto it = variables.find(name);
    if (it == variables.end()) return std::nullopt;
    return it->second;
  };
}

// Rank 5 of 10 on three machines.
inline const Variables& Slurm() {
  static const auto& variables = *new Variables{
      {"SLURM_JOB_ID", "200505"},     {"SLURM_STEP_ID", "0"},
      {"SLURM_STEP_NUM_TASKS", "10"}, {"SLURM_STEP_NODELIST", "gpu[01-03]"},
      {"SLURM_PROCID", "5"},          {"SLURM_LOCALID", "1"},
      {"SLURM_NODEID", "1"},          {"SLURM_STEP_TASKS_PER_NODE", "4(x2),2"}};
  return variables;
}

// Rank 3 of 4, the second of two on its machine, of an mpirun of Open MPI 4.
inline const Variables& OpenMpi() {
  static const auto& variables = *new Variables{
      {"OMPI_COMM_WORLD_SIZE", "4"},
      {"OMPI_COMM_WORLD_RANK", "3"},
      {"OMPI_COMM_WORLD_LOCAL_RANK", "1"},
      {"OMPI_COMM_WORLD_LOCAL_SIZE", "2"},
      {"PMIX_NAMESPACE", "1531576321"},
      {"PMIX_RANK", "3"},
      {"OMPI_MCA_orte_hnp_uri",
       "1531576320.0;tcp://10.96.0.1,10.148.0.1,10.108.0.1:34911"}};
  return variables;
}

// Rank 3 of 4, the second of two on its machine.
inline const Variables& Torchrun() {
  static const auto& variables =
      *new Variables{{"RANK", "3"},           {"WORLD_SIZE", "4"},
                     {"LOCAL_RANK", "1"},     {"LOCAL_WORLD_SIZE", "2"},
                     {"MASTER_ADDR", "gpu1"}, {"MASTER_PORT", "29500"}};
  return variables;
}

// The pod of index 3 of a job of 4.
inline const Variables& IndexedJob() {
  static const auto& variables =
      *new Variables{{"KUBERNETES_SERVICE_HOST", "10.0.0.1"},
                     {"JOB_COMPLETION_INDEX", "3"},
                     {"LOCKSTEP_EXPECTED_HOSTS", "4"},
                     {"HOSTNAME", "train-3"}};
  return variables;
}

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_HOST_LAUNCHER_EXAMPLE_VARIABLES_H_
