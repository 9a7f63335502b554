#ifndef LOCKSTEP_RUNTIME_INTERPRETER_REGION_REDUCTION_H_
#define LOCKSTEP_RUNTIME_INTERPRETER_REGION_REDUCTION_H_

#include <memory>

#include "absl/status/statusor.h"
#include "runtime/collectives/reduction.h"
#include "runtime/ir/op.h"

namespace lockstep::internal {

// The reduction that the body of a collective stands for: a native one for a
// body of one op, else one that runs the region. The region outlives it.
// UNIMPLEMENTED: a body that uses values from outside; one op on elements of
// less than a byte, or on floats of one.
absl::StatusOr<std::shared_ptr<const Reduction>> ReductionOf(
    const Region& body);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_INTERPRETER_REGION_REDUCTION_H_
