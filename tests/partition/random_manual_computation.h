#ifndef LOCKSTEP_TESTS_PARTITION_RANDOM_MANUAL_COMPUTATION_H_
#define LOCKSTEP_TESTS_PARTITION_RANDOM_MANUAL_COMPUTATION_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "runtime/ir/op.h"
#include "runtime/mesh/sharding/sharding_mesh.h"
#include "runtime/mesh/sharding/sharding_testing.h"

namespace lockstep::internal {

// A mesh of a module, and the next channel there.
struct ManualMesh {
  absl::string_view name;
  const ShardingMesh& mesh;
  int64_t next_channel = 1;
};

// Appends to `region` a manual computation over some axes of the mesh, whose
// result is `value`: its collectives gather shards, cut them, move them between
// dims, send them around and take the largest of equal ones. A value that has
// elements.
Value* AddManualComputation(RandomShardings& random, Value& value,
                            ManualMesh& mesh, Region& region);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_TESTS_PARTITION_RANDOM_MANUAL_COMPUTATION_H_
