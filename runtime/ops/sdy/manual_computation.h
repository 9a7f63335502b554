#ifndef LOCKSTEP_RUNTIME_OPS_SDY_MANUAL_COMPUTATION_H_
#define LOCKSTEP_RUNTIME_OPS_SDY_MANUAL_COMPUTATION_H_

#include "absl/status/statusor.h"
#include "runtime/ir/op.h"
#include "runtime/mesh/sharding/manual_shardings.h"

namespace lockstep::internal {

// Of a sdy.manual_computation. INVALID_ARGUMENT, with the op's location: an
// attribute is missing or of another kind.
absl::StatusOr<ManualShardings> ManualShardingsOf(const Op& op);

// The sharding of an argument of the body of a verified one: that of the
// operand along the axes that are not manual.
TensorSharding BodyArgumentSharding(const Op& op, int argument);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_OPS_SDY_MANUAL_COMPUTATION_H_
