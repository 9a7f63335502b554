#ifndef LOCKSTEP_RUNTIME_SHARDING_AXIS_LIST_H_
#define LOCKSTEP_RUNTIME_SHARDING_AXIS_LIST_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "runtime/mesh/abstract_mesh.h"
#include "runtime/mesh/sharding/axis_ref.h"

namespace lockstep::internal {

// Lists of axes, as a dim, a factor or a set of unreduced axes has them. No two
// of one list overlap, and all are valid on the mesh. Pure functions.

// Into how many shards they split.
int64_t ShardCount(absl::Span<const AxisRef> axes, const AbstractMesh& mesh);

// Appends `more` at the minor end. Sub-axes that follow each other where the
// lists meet become one.
void AppendAxes(absl::Span<const AxisRef> more, const AbstractMesh& mesh,
                std::vector<AxisRef>& axes);

// Whether no sharding can have one of `axes` and one of `others`: they overlap,
// or no split of the axis has both.
bool AnyConflict(absl::Span<const AxisRef> axes,
                 absl::Span<const AxisRef> others);

// The largest prefix of `axis` that a sharding can have beside `others`; none
// if there is none.
std::optional<AxisRef> PrefixWithout(absl::Span<const AxisRef> others,
                                     std::optional<AxisRef> axis);
// Leaves the largest prefix of `axes` that a sharding can have beside `others`.
// Whether that is less than there was.
bool TruncateBefore(absl::Span<const AxisRef> others,
                    std::vector<AxisRef>& axes);

// The largest prefix by which `size` is divided evenly, where the last axis may
// be the major part of one: "x" of size 4 and "y" of size 2 before a size of 2
// make "x":(1)2.
std::vector<AxisRef> DividingPrefix(absl::Span<const AxisRef> axes,
                                    int64_t size, const AbstractMesh& mesh);

// Of two lists the longest that both begin with: for "x", "y":(1)2 and "x", "y"
// it is the first.
std::vector<AxisRef> CommonPrefix(absl::Span<const AxisRef> axes,
                                  absl::Span<const AxisRef> others);

// `axes` but for the parts that are in `others`. An axis keeps what it shares
// with one beside which no split of the axis has it.
std::vector<AxisRef> AxesWithout(absl::Span<const AxisRef> axes,
                                 absl::Span<const AxisRef> others,
                                 const AbstractMesh& mesh);

// In mesh order, with sub-axes that follow each other as one.
std::vector<AxisRef> SortedAndMerged(std::vector<AxisRef> axes,
                                     const AbstractMesh& mesh);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_SHARDING_AXIS_LIST_H_
