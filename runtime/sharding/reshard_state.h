#ifndef LOCKSTEP_RUNTIME_SHARDING_RESHARD_STATE_H_
#define LOCKSTEP_RUNTIME_SHARDING_RESHARD_STATE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "runtime/mesh/abstract_mesh.h"
#include "runtime/mesh/sharding/axis_ref.h"
#include "runtime/mesh/sharding/tensor_sharding.h"

namespace lockstep::internal {

using AxisList = std::vector<AxisRef>;  // major to minor

int64_t ShardsAlong(const AxisList& axes, const AbstractMesh& mesh);

// Appends `axis`, as one with the last of `axes` if they are parts of one axis
// that follow each other.
void AppendMerged(const AxisRef& axis, const AbstractMesh& mesh,
                  AxisList& axes);

// Whether one size divides the other.
bool SizesDivide(const AxisRef& a, const AxisRef& b, const AbstractMesh& mesh);

// A prefix of an axis, or all of it, and what it leaves.
struct AxisParts {
  std::optional<AxisRef> taken;
  std::optional<AxisRef> rest;
};

// As much of the axis as fits into a capacity, a number of shards, which is
// divided by it: nothing if that is 1, or neither divides the other.
AxisParts TakeWithin(const AxisRef& axis, const AbstractMesh& mesh,
                     int64_t& capacity);

// Whether there are no axes in any of the lists.
bool AreEmpty(const std::vector<AxisList>& lists);

// What is left to do of a reshard. The axes of a dim are `settled` followed by
// `in`, those of its target `settled` followed by `out`: both are empty at the
// end. A ref of an `in` and one of an `out` are equal or do not overlap. A
// value type; the mesh outlives it.
struct ReshardState {
  struct Place {
    int64_t dim = 0;
    size_t index = 0;
    friend bool operator==(const Place&, const Place&) = default;
  };

  // The dims are valid on the mesh, without axes of size 1; those of one can
  // coexist with those of the other.
  ReshardState(const AbstractMesh& mesh, absl::Span<const int64_t> shape,
               const std::vector<DimSharding>& from,
               const std::vector<DimSharding>& to);

  int64_t rank() const { return static_cast<int64_t>(in.size()); }
  bool IsDone() const;
  // The present sharding, closed.
  std::vector<DimSharding> Dims() const;
  // The place of the axis in `out`: where it goes, if anywhere.
  std::optional<Place> TargetOf(const AxisRef& axis) const;
  // Whether a dim has the axis in `in`.
  bool IsIn(const AxisRef& axis) const;
  // Moves what `in` and `out` of the dim have in common at their beginnings to
  // `settled`.
  void Settle(int64_t dim);
  // The axes of `available` that fit into the capacity, which leave it. One
  // that fits in part is split there, and in `out`.
  AxisList TakeAxes(AxisList& available, int64_t& capacity);

  const AbstractMesh* mesh;
  std::vector<int64_t> shape;
  std::vector<AxisList> settled;
  std::vector<AxisList> in;
  std::vector<AxisList> out;

 private:
  void SplitTarget(const AxisRef& axis, const AxisRef& prefix,
                   const AxisRef& rest);
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_SHARDING_RESHARD_STATE_H_
