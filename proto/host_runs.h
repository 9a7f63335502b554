#ifndef LOCKSTEP_PROTO_HOST_RUNS_H_
#define LOCKSTEP_PROTO_HOST_RUNS_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "google/protobuf/repeated_field.h"
#include "runtime/mesh/ids.h"

namespace lockstep {

// Lists of hosts on the wire: runs of consecutive ids, each as its first id and
// how many, so that "all ten thousand" are a few bytes in any message. In the
// order of the list.

using HostRuns = google::protobuf::RepeatedField<int32_t>;

void AppendHosts(absl::Span<const HostId> hosts, HostRuns* runs);
// What is not a list of at most 2^20 hosts ends where it stops being one.
std::vector<HostId> HostsOf(const HostRuns& runs);

}  // namespace lockstep

#endif  // LOCKSTEP_PROTO_HOST_RUNS_H_
