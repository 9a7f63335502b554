#ifndef LOCKSTEP_RUNTIME_SHARDING_SHARDING_GROUPS_H_
#define LOCKSTEP_RUNTIME_SHARDING_SHARDING_GROUPS_H_

#include <vector>

#include "absl/status/statusor.h"
#include "runtime/sharding/function_values.h"
#include "runtime/sharding/value_shardings.h"

namespace lockstep::internal {

// Groups that have a value in common are one. The values of each, and the
// groups by their first value, are in program order. INVALID_ARGUMENT: a value
// of another function, values of different dims, and values of which one stands
// in another sdy.manual_computation than the others, or in none.
absl::StatusOr<std::vector<ShardingGroup>> MergedGroups(
    const std::vector<ShardingGroup>& groups, const FunctionValues& values);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_SHARDING_SHARDING_GROUPS_H_
