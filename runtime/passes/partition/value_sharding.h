#ifndef LOCKSTEP_RUNTIME_PASSES_PARTITION_VALUE_SHARDING_H_
#define LOCKSTEP_RUNTIME_PASSES_PARTITION_VALUE_SHARDING_H_

#include <cstdint>
#include <string>

#include "absl/types/span.h"
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

// Whether all shards of a tensor of `dims` have the same size.
bool DividesDims(const TensorSharding& sharding, absl::Span<const int64_t> dims,
                 const AbstractMesh& mesh);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_PASSES_PARTITION_VALUE_SHARDING_H_
