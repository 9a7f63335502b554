#ifndef LOCKSTEP_RUNTIME_SHARDING_COMPATIBLE_AXES_H_
#define LOCKSTEP_RUNTIME_SHARDING_COMPATIBLE_AXES_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/functional/function_ref.h"
#include "runtime/mesh/abstract_mesh.h"
#include "runtime/mesh/sharding/axis_ref.h"
#include "runtime/sharding/sharding_projection.h"

namespace lockstep::internal {

// Which axes may shard a factor in all tensors, and how far a tensor can take
// them (Shardy, basic factor propagation). Pure functions.

// Along a factor: whose axes go to whom.
enum class PropagationDirection {
  kNone,
  kForward,   // those of the operands
  kBackward,  // those of the results
  kBoth,
};

// The longest list of axes that no tensor contradicts, from the operands and
// results with the factor: those of kForward add the operands, of kBackward the
// results, of kBoth all. "a" and "a", "b" make "a", "b"; "a", "b" and "a", "c"
// make "a"; "a":(1)2 and "a":(1)4 make "a":(1)4; but "a":(1)2, "b" and
// "a":(1)4, "b" make "a":(1)2. After a contradiction nothing is added any more.
std::vector<AxisRef> CompatibleMajorAxes(const ShardingProjection& projection,
                                         int factor,
                                         PropagationDirection direction);

// The factor that a list of axes is to shard.
struct FactorToShard {
  int index = 0;
  int64_t size = 1;
};

// The largest prefix of `axis` that the tensor, which has the factor, can have
// along it, were there no other factors; none if there is none. `axis` follows
// axes in the list that make `shards_before` shards. The prefix is without
// replicated and unreduced axes and is sharded already, or the dim is open, the
// factor has no overflow and, unless it is the minor-most, divides evenly.
std::optional<AxisRef> PrefixWithinFactor(const AxisRef& axis,
                                          const TensorFactorShardings& tensor,
                                          FactorToShard factor,
                                          int64_t shards_before,
                                          const AbstractMesh& mesh);

// The largest prefix of `axis` that can be used beside the axes and overflows
// of all factors of the tensor but this one; none if there is none.
std::optional<AxisRef> PrefixAcrossFactors(const AxisRef& axis,
                                           const TensorFactorShardings& tensor,
                                           int factor);

// What `prefix` leaves of an axis; `shards_before` is the number of shards that
// the axes in front of it make.
using AxisPrefix = absl::FunctionRef<std::optional<AxisRef>(
    const AxisRef& axis, int64_t shards_before)>;

// Whether lists may have parts of axes.
enum class SubAxes { kAllowed, kRefused };

// Cuts the list behind the first axis that `prefix` shortens, or before it if
// nothing is left of it, or a part of it that is refused. What is left of it is
// asked for again until it stays: of an axis of size 6 a tensor that has (3)2
// can take (1)3, but not the (1)2 to which another one shortens that.
void TruncateAxes(AxisPrefix prefix, SubAxes sub_axes, const AbstractMesh& mesh,
                  std::vector<AxisRef>& axes);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_SHARDING_COMPATIBLE_AXES_H_
