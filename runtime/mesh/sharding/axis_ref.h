#ifndef LOCKSTEP_RUNTIME_MESH_SHARDING_AXIS_REF_H_
#define LOCKSTEP_RUNTIME_MESH_SHARDING_AXIS_REF_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "runtime/mesh/abstract_mesh.h"

namespace lockstep::internal {

// A mesh axis, or a part of one (Shardy, "sub-axes"; row Y-4). The sub-axis
// "x":(p)s of an axis of size n is the middle of the axis as [p, s, n/(p*s)]; p
// is its pre-size. A whole axis behaves like "x":(1)n. A value type.
//
// All but ToString and == take refs that are valid on the mesh, which
// CheckAxisRef says.
class AxisRef {
 public:
  explicit AxisRef(std::string name);
  AxisRef(std::string name, int64_t pre_size, int64_t size);

  const std::string& name() const { return name_; }
  bool is_whole() const { return !sub_axis_.has_value(); }
  int64_t pre_size() const { return is_whole() ? 1 : sub_axis_->pre_size; }
  int64_t Size(const AbstractMesh& mesh) const;
  // The pre-size of what follows in the axis: pre_size() * Size().
  int64_t NextPreSize(const AbstractMesh& mesh) const;
  // The index in this ref of the index `axis_index` in the whole axis.
  int64_t IndexOf(int64_t axis_index, const AbstractMesh& mesh) const;

  // Whether `other` lies within this ref; true for an equal one.
  bool Contains(const AxisRef& other) const;
  // Whether `other` contains this ref and both have the same major end, or the
  // same minor end; true for an equal one.
  bool IsPrefixOf(const AxisRef& other) const;
  bool IsSuffixOf(const AxisRef& other, const AbstractMesh& mesh) const;
  bool Overlaps(const AxisRef& other) const;
  // Whether the axis can be split so that both are products of adjacent parts:
  // "x":(1)2 and "x":(1)3 cannot.
  bool CanCoexistWith(const AxisRef& other) const;

  // What both have in common; none if nothing, or if they cannot coexist.
  std::optional<AxisRef> Overlap(const AxisRef& other) const;
  // The largest prefix, or suffix, that does not overlap `other`; none if it
  // is empty or the refs overlap and cannot coexist.
  std::optional<AxisRef> PrefixWithout(const AxisRef& other) const;
  std::optional<AxisRef> SuffixWithout(const AxisRef& other,
                                       const AbstractMesh& mesh) const;
  // The ref that is a prefix of the other one.
  std::optional<AxisRef> CommonPrefix(const AxisRef& other) const;
  // One ref for this one followed by `other`; none unless both are sub-axes of
  // one axis and `other` begins where this one ends.
  std::optional<AxisRef> Merge(const AxisRef& other,
                               const AbstractMesh& mesh) const;

  // "\"x\"", "\"x\":(2)4".
  std::string ToString() const;
  friend bool operator==(const AxisRef&, const AxisRef&) = default;
  // Whether `a` comes first by the place of its axis in the mesh, then by
  // (pre-size, size).
  friend bool IsBefore(const AxisRef& a, const AxisRef& b,
                       const AbstractMesh& mesh);

 private:
  struct SubAxis {
    int64_t pre_size = 1;
    int64_t size = 1;
    friend bool operator==(const SubAxis&, const SubAxis&) = default;
  };
  // NextPreSize without a mesh: a whole axis ends behind all its sub-axes.
  int64_t End() const;

  std::string name_;
  std::optional<SubAxis> sub_axis_;
};

bool IsBefore(const AxisRef& a, const AxisRef& b, const AbstractMesh& mesh);

// INVALID_ARGUMENT: the mesh lacks the axis; a pre-size below 1; a size of at
// most 1, or of the whole axis; a product of both that does not divide the size
// of the axis.
absl::Status CheckAxisRef(const AxisRef& ref, const AbstractMesh& mesh);

// Whether `refs`, major to minor, is less than all of `other` and begins like
// it: it is shorter and equal up to its end, or its last ref is a proper prefix
// of the one in its place.
bool IsStrictPrefix(absl::Span<const AxisRef> refs,
                    absl::Span<const AxisRef> other);

// "\"x\", \"y\":(2)4".
std::string AxisRefsText(absl::Span<const AxisRef> refs);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_MESH_SHARDING_AXIS_REF_H_
