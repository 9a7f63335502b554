#ifndef LOCKSTEP_CLIENT_HOST_INITIALIZE_H_
#define LOCKSTEP_CLIENT_HOST_INITIALIZE_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "runtime/mesh/world.h"

namespace lockstep {

// How this process takes part in a cluster (host view). What is left out comes
// from the environment variable, then from the launcher that started the
// process (spec M-16), then from the default.
struct InitializeOptions {
  // host:port (LOCKSTEP_COORDINATOR). None: the launcher's; without a launcher
  // a cluster of one, in this process.
  std::string coordinator_address = {};
  // Where a coordinator that this process starts listens, host:port
  // (LOCKSTEP_COORDINATOR_BIND); none: at coordinator_address. Where a launcher
  // says the address, the port is that one's; 0 stands for it.
  std::string coordinator_bind_address = {};
  // Whether this process starts the coordinator, as a process of its own that
  // ends after the last host (LOCKSTEP_START_COORDINATOR): "never", "always",
  // or "auto": with a requested rank of 0, when nobody answers at an address of
  // this machine.
  std::string start_coordinator = {};
  // LOCKSTEP_EXPECTED_HOSTS; none: the launcher's count, else what the
  // coordinator was told.
  std::optional<int> expected_hosts = {};
  // The host id asked for, in [0, expected_hosts) (LOCKSTEP_RANK); none:
  // the launcher's rank, else any.
  std::optional<int> requested_rank = {};
  // Unique in the cluster (LOCKSTEP_HOST_NAME); none: the machine's name, with
  // ".r" and the requested rank when argument or variable say one; else with
  // the local rank when the launcher started several hosts on the machine.
  std::string host_name = {};
  // Devices that this process simulates (LOCKSTEP_CPU_DEVICES); 1. Of devices
  // that the platform finds: the first ones; all.
  std::optional<int> num_cpu_devices = {};
  // Ordinals of those devices that take part (LOCKSTEP_LOCAL_DEVICES, "0,2");
  // none: all; of GPUs, where a launcher started several hosts on the machine
  // and does not divide them itself, an equal block each, by local rank.
  std::optional<std::vector<int>> local_devices = {};
  // The network interface, or the address of one, by which other hosts reach
  // this one (LOCKSTEP_INTERFACE); none: the one that leads to the coordinator.
  std::string interface = {};
  // Domain of fast connections (LOCKSTEP_NETWORK_GROUP), on all hosts or none.
  std::string network_group = {};
  // "auto", "none", or a launcher that must be there: "torchrun", "ompi",
  // "pmix", "hydra", "slurm", "kubernetes" (LOCKSTEP_CLUSTER).
  std::string cluster_detection = {};
  // What runs programs (LOCKSTEP_BACKEND); the runtime's default.
  std::string backend = {};
  // The kind of the devices (LOCKSTEP_PLATFORM); the backend's.
  std::string platform = {};
  // How GPUs add floats (LOCKSTEP_REDUCTION_MODE), the same on all hosts:
  // "fast", or "ordered", with the bits that CPUs give, by way of the hosts.
  // fast.
  std::string reduction_mode = {};
  // Where compiled code is kept between processes, any number of them at a time
  // (LOCKSTEP_CACHE_DIR); none: nowhere.
  std::string cache_directory = {};
  // A folder of certificates and tokens, made by `lockstep credentials`
  // (LOCKSTEP_SECURITY_DIR); none: that of `lockstep up --secure`, for its
  // cluster; else plain text.
  std::string security_directory = {};
  // What the cluster asks of those who join (LOCKSTEP_JOIN_TOKEN), in the place
  // of the folder's.
  std::string join_token = {};
  // Plain text off loopback, on a network that you trust
  // (LOCKSTEP_INSECURE=1); it is refused otherwise.
  bool allow_insecure = false;
  // How long to wait for the coordinator and the other hosts
  // (LOCKSTEP_JOIN_DEADLINE_S, seconds); 300 s.
  std::optional<absl::Duration> join_deadline = {};
  // The signal that says that this host is to be taken away
  // (LOCKSTEP_PREEMPTION_SIGNAL, a name as USR1, a number or none), from the
  // first call of reached_preemption_sync_point on; 0: none. SIGTERM.
  std::optional<int> preemption_signal = {};
  // How long hosts may take to say how far they are, after a notice of this one
  // (LOCKSTEP_PREEMPTION_DEADLINE_S, seconds); the coordinator's, 30 s.
  std::optional<absl::Duration> preemption_deadline = {};
};

// Joins the cluster; waits until the expected hosts are there. Before any other
// call of this header. Errors (spec M-2, M-17):
//   FAILED_PRECONDITION  called twice without Shutdown between; called after a
//                        device was used; a launcher started several processes
//                        but no coordinator address is known, or rank 0 cannot
//                        be reached there; refused by the coordinator (a wrong
//                        token, a wrong certificate, another job's cluster);
//                        plain text off loopback without allow_insecure;
//                        a cache directory that cannot be written; a security
//                        directory that cannot be read, or everybody can read
//   INVALID_ARGUMENT     a rank outside [0, expected_hosts); a variable that
//                        does not parse; a device that is not there or stands
//                        twice; an unknown reduction mode or signal; an unknown
//                        detection method, or one whose variables are missing;
//                        a coordinator to start, but no address, or one whose
//                        port is not the launcher's
//   ALREADY_EXISTS       the name or the rank is taken
//   DEADLINE_EXCEEDED, UNAVAILABLE
//                        hosts, or the coordinator, did not come; the
//                        coordinator that this host must start cannot listen
//   NOT_FOUND            the `lockstep` program, to start the coordinator
absl::Status Initialize(const InitializeOptions& options = {});

// Waits for this host's launches, leaves the cluster, waits until all hosts
// have left or 30 s have passed (DEADLINE_EXCEEDED names them). Idempotent.
// A normal end of the process does the same. Afterwards everything but
// Initialize is FAILED_PRECONDITION. Within a callback of a program it does
// nothing, and is FAILED_PRECONDITION.
absl::Status Shutdown();

// All devices of all hosts, ascending by id; those of this host. When nothing
// was initialised, using devices makes what Initialize() would; empty when that
// fails, and the reason is logged.
std::vector<Device> devices();
std::vector<Device> local_devices();
int device_count();
int local_device_count();
int host_count();
// -1 when there is no cluster.
int host_id();

// Waits until all earlier launches of this host have finished, then for all
// hosts. Every host makes the same calls in the same order:
// FAILED_PRECONDITION, on all, when the names differ.
absl::Status SyncHosts(absl::string_view name,
                       absl::Duration deadline = absl::Seconds(300));
// The same, under JAX's name.
inline absl::Status sync_global_devices(absl::string_view name) {
  return SyncHosts(name);
}

}  // namespace lockstep

#endif  // LOCKSTEP_CLIENT_HOST_INITIALIZE_H_
