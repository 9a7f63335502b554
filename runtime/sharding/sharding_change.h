#ifndef LOCKSTEP_RUNTIME_SHARDING_SHARDING_CHANGE_H_
#define LOCKSTEP_RUNTIME_SHARDING_SHARDING_CHANGE_H_

#include <functional>
#include <optional>
#include <vector>

#include "runtime/ir/op.h"
#include "runtime/mesh/sharding/tensor_sharding.h"

namespace lockstep::internal {

// A step of propagation that changed a sharding. Borrows the function. A value
// type.
struct ShardingChange {
  // Through which op; null: between values that are one where the program runs,
  // those of a group, or a value and the result that it is returned as.
  const Op* op = nullptr;
  // The values that have the sharding; none: it is that of a result of the
  // function.
  std::vector<const Value*> values;
  int result = -1;  // then
  std::optional<TensorSharding> before;
  TensorSharding after;
  // What it may come from: another sharding there, and a value that has it.
  struct Source {
    const Value* value = nullptr;  // null: a result of the function
    int result = -1;               // then
    TensorSharding sharding;
  };
  std::vector<Source> sources;
};

using ShardingChangeObserver = std::function<void(const ShardingChange&)>;

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_SHARDING_SHARDING_CHANGE_H_
