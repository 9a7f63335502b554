#ifndef LOCKSTEP_RUNTIME_CONFORMANCE_LITERAL_RUN_H_
#define LOCKSTEP_RUNTIME_CONFORMANCE_LITERAL_RUN_H_

#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/collectives/clique_provider.h"
#include "runtime/devices/platform.h"
#include "runtime/executable/executable.h"
#include "runtime/types/literal.h"

namespace lockstep::internal {

// [device][argument or result]
using DeviceLiterals = std::vector<std::vector<Literal>>;

// Runs executables[i] on the i-th device of `platform`, all at once, a thread
// each: one launch without a cluster. `provider` is for devices of one process,
// of host 0. The first error of any device. FAILED_PRECONDITION: there are
// fewer devices.
absl::StatusOr<DeviceLiterals> RunOnLiterals(
    const Platform& platform, CliqueProvider& provider,
    absl::Span<const Executable* const> executables,
    const DeviceLiterals& arguments);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_CONFORMANCE_LITERAL_RUN_H_
