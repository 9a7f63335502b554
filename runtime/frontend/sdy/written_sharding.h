#ifndef LOCKSTEP_RUNTIME_FRONTEND_SDY_WRITTEN_SHARDING_H_
#define LOCKSTEP_RUNTIME_FRONTEND_SDY_WRITTEN_SHARDING_H_

#include "runtime/ir/op.h"
#include "runtime/mesh/sharding/tensor_sharding.h"

namespace lockstep::internal {

// What the program says of the sharding of a value, where the value is made: an
// argument of a function or a result of an op. Null: nothing, or the value is
// an argument of a region of an op. The module is verified.
const TensorSharding* WrittenSharding(const Value& value);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_FRONTEND_SDY_WRITTEN_SHARDING_H_
