#ifndef LOCKSTEP_CLIENT_CLI_COLLECTIVES_REPORT_H_
#define LOCKSTEP_CLIENT_CLI_COLLECTIVES_REPORT_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "client/bench/collective_bench.h"

namespace lockstep::internal {

// Where collectives were measured.
struct CollectivesCluster {
  std::string where = "this machine";  // or the coordinator's address
  int hosts = 0;
  int devices = 0;
  std::string platform;  // "cpu"
};

// What `lockstep bench collectives` prints for people, in the columns of
// nccl-tests: once, per collective, and per size.
std::string CollectivesTitle(const CollectivesCluster& cluster);
std::string CollectiveHeader(const CollectiveKind& kind);
std::string CollectiveRow(const CollectiveMeasurement& measured);
// Below the rows of a collective.
std::string CollectiveFooter(
    const std::vector<CollectiveMeasurement>& measured);

// DATA_LOSS names the first case with elements that are not what they must be.
absl::Status CheckElements(const std::vector<CollectiveMeasurement>& measured);

// One JSON object: "cluster", "hosts", "devices", "platform", and
// "collectives", which have op, size, count, type, redop, root, seconds, algbw
// and busbw (GB/s), wrong, iterations and launch_seconds; and "average_busbw",
// by op.
std::string CollectivesJson(const CollectivesCluster& cluster,
                            const std::vector<CollectiveMeasurement>& measured);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_CLI_COLLECTIVES_REPORT_H_
