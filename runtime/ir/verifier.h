#ifndef LOCKSTEP_RUNTIME_IR_VERIFIER_H_
#define LOCKSTEP_RUNTIME_IR_VERIFIER_H_

#include "absl/status/status.h"
#include "runtime/ir/module.h"

namespace lockstep::internal {

// Checks every op by its definition, terminators against the results of what
// encloses them, calls against callees (no recursion), uses against
// definitions. The first error, with its location: INVALID_ARGUMENT, or
// UNIMPLEMENTED for an op that is not registered.
absl::Status Verify(const Module& module);

// Regions deeper than this are refused, so that recursion over them is safe.
inline constexpr int kMaxRegionDepth = 256;

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_IR_VERIFIER_H_
