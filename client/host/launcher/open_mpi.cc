// Open MPI's mpirun.
#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "client/host/launcher/contact_uri.h"
#include "client/host/launcher/launcher.h"
#include "client/host/launcher/launcher_variables.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

constexpr char kMethod[] = "ompi";
constexpr char kUri[] = "OMPI_MCA_orte_hnp_uri";
// JAX's divisor, so that both derive one port. Open MPI 4 has the number of its
// mpirun in the upper 16 bits of a job's, of which this leaves 12 below: ports
// are a multiple of 16 apart, 256 in all. The cluster id tells jobs apart.
constexpr int64_t kPortDivisor = 4096;

// The same on all hosts, and seldom that of another job (FNV-1a).
int PortOf(absl::string_view job) {
  uint32_t hash = 2166136261u;
  for (const char c : job) {
    hash = (hash ^ static_cast<uint8_t>(c)) * 16777619u;
  }
  return kFirstDerivedPort + static_cast<int>(hash % kDerivedPorts);
}

// Of several machines PMIx knows the address of rank 0. The contact is that of
// mpirun's own machine, which need not be the same, and Open MPI 5 says none;
// where there is no PMIx, it has to do. Neither matters on one machine.
absl::Status TakeAddress(const LauncherVariables& variables,
                         DetectedCluster& cluster) {
  const std::string uri = variables.Text(kUri);
  const std::string job = variables.Text("PMIX_NAMESPACE");
  if (!job.empty()) cluster.cluster_id = absl::StrCat(kMethod, " ", job);
  if (uri.empty() && cluster.is_one_machine() && !job.empty()) {
    cluster.coordinator_address = absl::StrCat("127.0.0.1:", PortOf(job));
    return absl::OkStatus();
  }
  cluster.needs_pmix = !job.empty() && !cluster.is_one_machine();
  if (uri.empty()) {
    cluster.address_error = absl::FailedPreconditionError(
        absl::StrCat("looked at ", kUri, ", which this mpirun does not set"));
    return absl::OkStatus();
  }
  const auto contact = ContactUri::Parse(uri);
  if (!contact.ok()) {
    return variables.Wrong(
        kUri, "a contact such as 1531576320.0;tcp://10.96.0.1:34911");
  }
  cluster.coordinator_address = absl::StrCat(
      contact->host, ":",
      kFirstDerivedPort + contact->job / kPortDivisor % kDerivedPorts);
  if (job.empty()) {
    cluster.cluster_id = absl::StrCat(kMethod, " ", contact->job);
  }
  return absl::OkStatus();
}

absl::StatusOr<DetectedCluster> Read(const Environment& environment) {
  const LauncherVariables variables(kMethod, environment);
  DetectedCluster cluster;
  cluster.method = kMethod;
  RETURN_IF_ERROR(variables.TakeRank("OMPI_COMM_WORLD_SIZE",
                                     "OMPI_COMM_WORLD_RANK", cluster.count,
                                     cluster.rank));
  RETURN_IF_ERROR(variables.TakeRank("OMPI_COMM_WORLD_LOCAL_SIZE",
                                     "OMPI_COMM_WORLD_LOCAL_RANK",
                                     cluster.local_count, cluster.local_rank));
  RETURN_IF_ERROR(TakeAddress(variables, cluster));
  return cluster;
}

}  // namespace

Launcher OpenMpiLauncher() {
  return {.method = kMethod,
          .variables = {{"OMPI_COMM_WORLD_SIZE"},
                        {"OMPI_COMM_WORLD_RANK"},
                        {"OMPI_COMM_WORLD_LOCAL_RANK"},
                        {"OMPI_COMM_WORLD_LOCAL_SIZE"}},
          .counts = {"OMPI_COMM_WORLD_SIZE"},
          .hint = "start the program with mpirun",
          .read = Read};
}

}  // namespace lockstep::internal
