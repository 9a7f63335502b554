#ifndef LOCKSTEP_RUNTIME_MESH_PARTITIONING_FSDP_SHARDING_RULE_H_
#define LOCKSTEP_RUNTIME_MESH_PARTITIONING_FSDP_SHARDING_RULE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/mesh/partition_spec.h"
#include "runtime/mesh/partitioning/sharding_rule.h"
#include "runtime/types/shape.h"

namespace lockstep {

struct FsdpOptions {
  // Over which arrays are sharded.
  std::string axis_name = "fsdp";
  // Its number of devices; none: not known, and what is chosen need not divide.
  std::optional<int64_t> axis_size = std::nullopt;
  // Arrays of fewer elements are not sharded.
  int64_t min_size = 1048576;
};

// S-11: shards each array of min_size elements or more in one dimension (fully
// sharded data parallelism). With axis_size: the largest of those that it
// divides. Without: of those longer than 1 the one that the largest power of
// two divides, if only 2^0; arrays without elements are not sharded then. The
// first of equal ones; if there is none, the array is not sharded.
// INVALID_ARGUMENT: an axis_size below 1.
class FsdpShardingRule : public ShardingRule {
 public:
  explicit FsdpShardingRule(FsdpOptions options = {});
  absl::StatusOr<std::vector<PartitionSpec>> Apply(
      absl::Span<const LeafShape> leaves) const override;

 private:
  // The dimension that is sharded.
  std::optional<int64_t> ChooseDim(const Shape& shape) const;

  FsdpOptions options_;
};

}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_MESH_PARTITIONING_FSDP_SHARDING_RULE_H_
