#ifndef LOCKSTEP_RUNTIME_PASSES_PARTITION_MADE_AGAIN_H_
#define LOCKSTEP_RUNTIME_PASSES_PARTITION_MADE_AGAIN_H_

#include "runtime/ir/op.h"
#include "runtime/mesh/sharding/tensor_sharding.h"

namespace lockstep::internal {

// Whether a change of sharding of the value costs less, or nothing, where the
// op that made it runs again with operands at other shardings: a broadcast,
// which has more elements than its operand, and a few ops that compute it from
// constants and iotas alone, which each device has. `from` is the sharding of
// the value. Not where all that is to be done is that each device keeps a part
// of what it has, nor where there are partial results.
bool IsBetterMadeAgain(const Value* value, const TensorSharding& from,
                       const TensorSharding& to);

// Whether every dim has the axes that it had, and perhaps more: each device
// keeps a part of what it has.
bool OnlyAddsAxes(const TensorSharding& from, const TensorSharding& to);

// The sharding of an operand with which such an op makes its result at `to`.
TensorSharding OperandToMakeAgain(const Op& op, int operand,
                                  const TensorSharding& to);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_PASSES_PARTITION_MADE_AGAIN_H_
