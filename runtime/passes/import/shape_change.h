#ifndef LOCKSTEP_RUNTIME_PASSES_IMPORT_SHAPE_CHANGE_H_
#define LOCKSTEP_RUNTIME_PASSES_IMPORT_SHAPE_CHANGE_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "runtime/ir/op.h"
#include "runtime/mesh/sharding/tensor_sharding.h"

namespace lockstep::internal {

// What a custom call says that makes shards of whole values, or whole values of
// shards. A value type.
struct ShapeChange {
  bool is_to_shards = false;
  // Of the whole values. Empty: those that the operands have (@Sharding).
  std::vector<TensorSharding> shardings;
  // Of the region of the shards, perhaps with those of regions around it. None:
  // what is at the other end says it.
  std::optional<std::vector<std::string>> manual_axes;
};

using ShapeChanges = absl::flat_hash_map<const Op*, ShapeChange>;

inline constexpr absl::string_view kFullToShard = "SPMDFullToShardShape";
inline constexpr absl::string_view kShardToFull = "SPMDShardToFullShape";
inline constexpr absl::string_view kGlobalToLocal =
    "xla.sdy.GlobalToLocalShape";
inline constexpr absl::string_view kLocalToGlobal =
    "xla.sdy.LocalToGlobalShape";

// Of a custom call; empty for other ops.
absl::string_view CustomCallTarget(const Op& op);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_PASSES_IMPORT_SHAPE_CHANGE_H_
