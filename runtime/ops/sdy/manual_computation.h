#ifndef LOCKSTEP_RUNTIME_OPS_SDY_MANUAL_COMPUTATION_H_
#define LOCKSTEP_RUNTIME_OPS_SDY_MANUAL_COMPUTATION_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/ir/op.h"
#include "runtime/mesh/sharding/tensor_sharding.h"

namespace lockstep::internal {

// What sdy.manual_computation says: its body works on shards along the manual
// axes, which it may use in collectives.
struct ManualComputation {
  std::vector<TensorSharding> in_shardings;   // one for each operand
  std::vector<TensorSharding> out_shardings;  // one for each result
  std::vector<std::string> manual_axes;
};

// INVALID_ARGUMENT, with the op's location: an attribute is missing or of
// another kind.
absl::StatusOr<ManualComputation> ManualComputationOf(const Op& op);

// The part of a sharding along manual axes: what its shards are in the body.
TensorSharding ManualPart(const TensorSharding& sharding,
                          const std::vector<std::string>& manual_axes);
// The rest of it: the sharding of a value of the body.
TensorSharding FreePart(const TensorSharding& sharding,
                        const std::vector<std::string>& manual_axes);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_OPS_SDY_MANUAL_COMPUTATION_H_
