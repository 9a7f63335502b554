#ifndef LOCKSTEP_RUNTIME_SHARDING_FUNCTION_SHARDINGS_H_
#define LOCKSTEP_RUNTIME_SHARDING_FUNCTION_SHARDINGS_H_

#include <optional>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "runtime/ir/op.h"
#include "runtime/mesh/sharding/manual_shardings.h"
#include "runtime/mesh/sharding/tensor_sharding.h"
#include "runtime/sharding/value_shardings.h"

namespace lockstep::internal {

// All shardings of a function. A value type.
struct FunctionShardings {
  // Of arguments and of results of ops, also in regions.
  ValueShardings values;
  // As the function declares them, one for each value it returns; none: open.
  std::vector<std::optional<TensorSharding>> results;
  // One for each sdy.manual_computation of the function, by its address; the
  // attributes of the op are not read.
  absl::flat_hash_map<const Op*, ManualShardings> manual_computations;

  friend bool operator==(const FunctionShardings&,
                         const FunctionShardings&) = default;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_SHARDING_FUNCTION_SHARDINGS_H_
