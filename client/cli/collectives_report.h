#ifndef LOCKSTEP_CLIENT_CLI_COLLECTIVES_REPORT_H_
#define LOCKSTEP_CLIENT_CLI_COLLECTIVES_REPORT_H_

#include <string>
#include <vector>

#include "client/bench/collective_bench.h"

namespace lockstep::internal {

// Where collectives were measured.
struct CollectivesCluster {
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

// One JSON object: "hosts", "devices", "platform", and "collectives", which
// have op, size, count, type, redop, root, seconds, algbw and busbw (GB/s),
// wrong, iterations and launch_seconds; and "average_busbw", by op.
std::string CollectivesJson(const CollectivesCluster& cluster,
                            const std::vector<CollectiveMeasurement>& measured);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_CLI_COLLECTIVES_REPORT_H_
