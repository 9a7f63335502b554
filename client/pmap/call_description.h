#ifndef LOCKSTEP_CLIENT_PMAP_CALL_DESCRIPTION_H_
#define LOCKSTEP_CLIENT_PMAP_CALL_DESCRIPTION_H_

#include <vector>

#include "absl/status/statusor.h"
#include "client/pmap/argument_tree.h"
#include "client/pmap/pmap_call.h"
#include "client/tracer/source_location.h"
#include "runtime/cluster/call.h"

namespace lockstep::internal {

// What hosts compare when they call a mapped function together: its name, place
// in the source, axis, devices, donations, and the arguments without their
// mapped dimensions, whose sizes may differ between hosts.
CallDescription DescribeCall(const PmapOptions& options,
                             const SourceLocation& place,
                             const std::vector<ArgumentLeafValue>& leaves);

// The same with the values of the arguments that are not mapped, which must be
// equal on all hosts (spec M-20): a digest of the bits of each. Waits for the
// values; their errors.
absl::StatusOr<CallDescription> WithReplicatedValues(
    CallDescription description, const PmapOptions& options,
    const std::vector<ArgumentLeafValue>& leaves);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_PMAP_CALL_DESCRIPTION_H_
