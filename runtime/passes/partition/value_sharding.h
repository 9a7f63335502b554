#ifndef LOCKSTEP_RUNTIME_PASSES_PARTITION_VALUE_SHARDING_H_
#define LOCKSTEP_RUNTIME_PASSES_PARTITION_VALUE_SHARDING_H_

#include <string>

#include "runtime/ir/op.h"
#include "runtime/mesh/sharding/tensor_sharding.h"

namespace lockstep::internal {

// The sharding of a value behind PropagateShardings: closed, without replicated
// axes; without axes where nothing says more. An argument of a region has that
// of what it stands for: of the result of a while, of the operand of a manual
// computation without manual axes.
TensorSharding ShardingOfValue(const Value* value, const std::string& mesh);

// Whether both split all dims in the same way and have the same partial
// results.
bool IsSameSplit(const TensorSharding& a, const TensorSharding& b);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_PASSES_PARTITION_VALUE_SHARDING_H_
