#ifndef LOCKSTEP_RUNTIME_PASSES_PARTITION_SCATTER_REDUCED_H_
#define LOCKSTEP_RUNTIME_PASSES_PARTITION_SCATTER_REDUCED_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "runtime/ir/op.h"
#include "runtime/mesh/sharding/tensor_sharding.h"
#include "runtime/passes/partition/shard_builder.h"

namespace lockstep::internal {

// Devices along `axes` have parts of a sum of the shards of `sharding`.
struct PartialTensor {
  Value* local;
  TensorSharding sharding;
  std::vector<AxisRef> axes;
};

// Sums along those of the axes that dims get next on the way to `to`, where
// they divide the dims of `shape`: a reduce_scatter, which moves half as much
// as an all_reduce, of which a device would drop what others add for it.
// `combiner` is "stablehlo.add". The axes left are still to be summed.
absl::Status ScatterReduced(PartialTensor& partial, const TensorSharding& to,
                            absl::Span<const int64_t> shape,
                            absl::string_view combiner, ShardBuilder& builder);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_PASSES_PARTITION_SCATTER_REDUCED_H_
