#ifndef LOCKSTEP_TESTS_PARTITION_PLANNED_BYTES_H_
#define LOCKSTEP_TESTS_PARTITION_PLANNED_BYTES_H_

#include <cstdint>
#include <optional>

#include "runtime/ir/module.h"

namespace lockstep::internal {

// The bytes that `devices` partitions of the module send to each other,
// together, when each is a host: what EstimateCost says of its collectives,
// after the passes that backends run. Nullopt where a run decides it: with
// collectives in loops, branches or other functions.
//
// Transports carry more in two cases, which are added. All operands of an
// all_reduce of few bytes go to all members at once, which is one message less
// to wait for. Partial sums of f16 and bf16 travel as f32 (Reduction).
std::optional<int64_t> PlannedBytes(const Module& module, int64_t devices);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_TESTS_PARTITION_PLANNED_BYTES_H_
