#ifndef LOCKSTEP_CLIENT_EXAMPLES_EXAMPLE_CLUSTER_H_
#define LOCKSTEP_CLIENT_EXAMPLES_EXAMPLE_CLUSTER_H_

#include <string>

#include "absl/status/statusor.h"
#include "client/lockstep.h"

namespace lockstep {

// Where an example of the global view runs, by its options.
struct ExampleClusterOptions {
  std::string coordinator;  // host:port; "": see OpenCluster
  int hosts = 0;            // above 0: an embedded cluster
  int devices_per_host = 4;
};

// The coordinator that is given; an embedded cluster, when hosts are given; the
// one of LOCKSTEP_COORDINATOR; the cluster of `lockstep up`.
// FAILED_PRECONDITION when there is none of them.
absl::StatusOr<Client> OpenCluster(const ExampleClusterOptions& options);

}  // namespace lockstep

#endif  // LOCKSTEP_CLIENT_EXAMPLES_EXAMPLE_CLUSTER_H_
