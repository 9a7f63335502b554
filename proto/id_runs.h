#ifndef LOCKSTEP_PROTO_ID_RUNS_H_
#define LOCKSTEP_PROTO_ID_RUNS_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "google/protobuf/repeated_field.h"
#include "runtime/mesh/ids.h"

namespace lockstep::internal {

// Lists of hosts and of devices on the wire: runs of consecutive ids, each as
// its first id and how many, so that "all ten thousand" are a few bytes in any
// message. In the order of the list.

using IdRuns = google::protobuf::RepeatedField<int32_t>;

void AppendHosts(absl::Span<const HostId> hosts, IdRuns* runs);
void AppendDevices(absl::Span<const GlobalDeviceId> devices, IdRuns* runs);
// What is not a list of at most 2^20 hosts or 2^24 devices ends where it stops
// being one.
std::vector<HostId> HostsOf(const IdRuns& runs);
std::vector<GlobalDeviceId> DevicesOf(const IdRuns& runs);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_PROTO_ID_RUNS_H_
