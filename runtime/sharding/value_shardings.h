#ifndef LOCKSTEP_RUNTIME_SHARDING_VALUE_SHARDINGS_H_
#define LOCKSTEP_RUNTIME_SHARDING_VALUE_SHARDINGS_H_

#include <vector>

#include "absl/container/flat_hash_map.h"
#include "runtime/ir/op.h"
#include "runtime/mesh/sharding/tensor_sharding.h"

namespace lockstep::internal {

// Shardings of values of a function, beside it. A value type; the values must
// live while they are looked up.
class ValueShardings {
 public:
  // Null for a value without one, which is fully open. Until the next Set.
  const TensorSharding* Find(const Value* value) const;
  void Set(const Value* value, TensorSharding sharding);

  friend bool operator==(const ValueShardings&,
                         const ValueShardings&) = default;

 private:
  absl::flat_hash_map<const Value*, TensorSharding> shardings_;
};

// Values that share one sharding (Shardy, sharding groups).
using ShardingGroup = std::vector<const Value*>;

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_SHARDING_VALUE_SHARDINGS_H_
