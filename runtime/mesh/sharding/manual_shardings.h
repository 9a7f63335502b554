#ifndef LOCKSTEP_RUNTIME_MESH_SHARDING_MANUAL_SHARDINGS_H_
#define LOCKSTEP_RUNTIME_MESH_SHARDING_MANUAL_SHARDINGS_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "runtime/mesh/sharding/tensor_sharding.h"

namespace lockstep::internal {

// What a sdy.manual_computation says: its body works on shards along the manual
// axes, which it may use in collectives. Manual axes stand before the others in
// a dim. A value type.
struct ManualShardings {
  std::vector<TensorSharding> in;   // one per operand
  std::vector<TensorSharding> out;  // one per result
  std::vector<std::string> manual_axes;

  friend bool operator==(const ManualShardings&,
                         const ManualShardings&) = default;
};

bool IsManual(const AxisRef& axis, absl::Span<const std::string> manual_axes);

// The part of a sharding along manual axes: what its shards are in the body.
TensorSharding ManualPart(TensorSharding sharding,
                          absl::Span<const std::string> manual_axes);
// The rest of it: the sharding of a value of the body.
TensorSharding FreePart(TensorSharding sharding,
                        absl::Span<const std::string> manual_axes);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_MESH_SHARDING_MANUAL_SHARDINGS_H_
