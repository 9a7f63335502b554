#ifndef LOCKSTEP_RUNTIME_SHARDING_RESHARD_PLAN_H_
#define LOCKSTEP_RUNTIME_SHARDING_RESHARD_PLAN_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/mesh/sharding/axis_ref.h"
#include "runtime/mesh/sharding/mesh_table.h"
#include "runtime/mesh/sharding/tensor_sharding.h"

namespace lockstep::internal {

// A change of sharding as a sequence of collectives (Shardy, reshard to
// collectives; row Y-21). Value types and a pure function.

// One collective. Lists of axes are major to minor, and parts of an axis that
// follow each other are written as one.
struct ReshardStep {
  enum class Kind {
    kSlice,    // all_slice: appends axes to dims, without communication
    kPermute,  // collective_permute: dims keep their numbers of shards
    kMove,     // all_to_all: appends the last axes of a dim to another one
    kGather,   // all_gather: removes the last axes of dims
  };
  struct Move {
    std::vector<AxisRef> axes;
    int64_t source_dim = 0;
    int64_t target_dim = 0;
    friend bool operator==(const Move&, const Move&) = default;
  };

  Kind kind = Kind::kSlice;
  std::vector<std::vector<AxisRef>> dim_axes;  // kSlice, kGather: by dim
  std::vector<Move> moves;                     // kMove
  // The sharding after it: closed, with the unreduced axes of both ends.
  TensorSharding result;

  friend bool operator==(const ReshardStep&, const ReshardStep&) = default;
};

struct ReshardPlan {
  // No collectives can do it: the meshes differ in more than the order of their
  // devices, or one is a single device.
  bool is_transfer = false;
  // None: nothing is to be done, or it is a transfer.
  std::vector<ReshardStep> steps;

  friend bool operator==(const ReshardPlan&, const ReshardPlan&) = default;
};

// The last result is `to`, or, if it is without axes, the same on the mesh of
// `from`; a sharding on an empty mesh is taken on that of the other. Axes of
// size 1 split nothing: neither steps nor results have them. `shape` is the
// global one; where there is a choice, a dim gets no more shards than divide
// it.
//
// Both are valid on their meshes (VerifySharding). INVALID_ARGUMENT: a mesh is
// not declared; on meshes of several devices other ranks than `shape` has; the
// ends of a plan that is no transfer differ in unreduced axes or in how these
// are reduced.
absl::StatusOr<ReshardPlan> PlanReshard(const TensorSharding& from,
                                        const TensorSharding& to,
                                        const MeshTable& meshes,
                                        absl::Span<const int64_t> shape);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_SHARDING_RESHARD_PLAN_H_
