#ifndef LOCKSTEP_CLIENT_TRACER_COLLECTIVES_H_
#define LOCKSTEP_CLIENT_TRACER_COLLECTIVES_H_

#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "client/tracer/source_location.h"
#include "client/tracer/tensor.h"
#include "runtime/mesh/replica_groups.h"

// Communication between the copies of a mapped function, over all devices of
// all hosts. The names, shapes and element types are JAX's. Reductions have one
// fixed order, so results are the same bits on every host and for every
// distribution of the devices over hosts.
//
// Every copy must reach the same collectives in the same order. Errors are
// found when the function is traced: NOT_FOUND for an axis that is not bound,
// INVALID_ARGUMENT for groups or dimensions that do not fit.

namespace lockstep {

// One axis name or several. Several act as one axis, the first being the major
// one; none leaves every member on its own.
class AxisNames {
 public:
  AxisNames(const char* name) : names_({name}) {}  // NOLINT: implicit
  AxisNames(std::string name) : names_({std::move(name)}) {}  // NOLINT
  AxisNames(std::vector<std::string> names)                   // NOLINT
      : names_(std::move(names)) {}
  AxisNames(std::initializer_list<const char*> names)
      : names_(names.begin(), names.end()) {}
  const std::vector<std::string>& names() const { return names_; }

 private:
  std::vector<std::string> names_;
};

// `axis_index_groups`: lists of indices along the axes that together hold every
// index once; each list communicates on its own, in its order. Empty: all.
struct ReduceOptions {
  ReplicaGroups axis_index_groups = {};
};

// The sum over the group; bool is counted in s32.
Tensor psum(const Operand& x, const AxisNames& axes,
            const ReduceOptions& options = {});
// psum divided by the size of the member's group; integers give f32 (64 bits:
// f64).
Tensor pmean(const Operand& x, const AxisNames& axes,
             const ReduceOptions& options = {});
Tensor pmax(const Operand& x, const AxisNames& axes,
            const ReduceOptions& options = {});
Tensor pmin(const Operand& x, const AxisNames& axes,
            const ReduceOptions& options = {});

struct GatherOptions {
  int64_t dim = 0;
  // Joins along `dim` instead of making a new dimension.
  bool tiled = false;
  ReplicaGroups axis_index_groups = {};
};

// The members' values stacked (tiled: concatenated) at `dim`, in group order.
Tensor all_gather(const Operand& x, const AxisNames& axes,
                  const GatherOptions& options = {});
// Chunk k of the sum along `dim` for the member at position k. Untiled: the
// size of `dim` is the group's and the dimension goes away.
Tensor psum_scatter(const Operand& x, const AxisNames& axes,
                    const GatherOptions& options = {});

struct AllToAllOptions {
  bool tiled = false;
  ReplicaGroups axis_index_groups = {};
};

// Cuts `split_dim` into one chunk per member; chunk k goes to position k. What
// arrives is stacked at `concat_dim` of the result (tiled: concatenated), in
// order of the senders.
Tensor all_to_all(const Operand& x, const AxisNames& axes, int64_t split_dim,
                  int64_t concat_dim, const AllToAllOptions& options = {});
// all_to_all(dim, dim): swaps `dim` with the axis.
Tensor pswapaxes(const Operand& x, const AxisNames& axes, int64_t dim,
                 const ReduceOptions& options = {});

// For each pair (source, destination) of positions the destination gets the
// source's value; who is no destination gets zeros. Negative positions count
// from the end.
Tensor ppermute(const Operand& x, const AxisNames& axes,
                const std::vector<std::pair<int64_t, int64_t>>& pairs,
                const ReduceOptions& options = {});

// Every member gets the value of the one at position `source` (negative: from
// the end), bit for bit.
Tensor pbroadcast(const Operand& x, const AxisNames& axes, int64_t source,
                  const ReduceOptions& options = {});
// The member at position k gets the value of the one at `sources[k]`, which has
// every position once.
Tensor pshuffle(const Operand& x, const AxisNames& axes,
                const std::vector<int64_t>& sources,
                const ReduceOptions& options = {});
// The position, s32, of the member with the largest (smallest) element; the
// first of several. A NaN counts as the largest (smallest).
Tensor pargmax(const Operand& x, const AxisNames& axes,
               const ReduceOptions& options = {});
Tensor pargmin(const Operand& x, const AxisNames& axes,
               const ReduceOptions& options = {});

// Rows of the members' operands become rows of their outputs. K is the length
// of the last four, of one integer type, and each member has K / (the group's
// size) slices for each: slice i has the `send_sizes[i]` rows of `operand` from
// `input_offsets[i]` on, and is written from row `output_offsets[i]` on in the
// result of the member at position i / (slices for each), which knows its size
// as `recv_sizes` at (the sender's position) * (slices for each) + (the rest of
// i / (slices for each)). The result is `output` but for these rows; the
// tensors agree in all dimensions but the first. The values are checked when
// the program runs: rows that are not there, sizes on which two members differ
// and slices that overlap in a result are INVALID_ARGUMENT, the same on all
// members of the group.
Tensor ragged_all_to_all(const Operand& operand, const Operand& output,
                         const Operand& input_offsets,
                         const Operand& send_sizes,
                         const Operand& output_offsets,
                         const Operand& recv_sizes, const AxisNames& axes,
                         const ReduceOptions& options = {});

// The member's index along the axes (with groups: its position in its group),
// s32.
Tensor axis_index(const AxisNames& axes, const ReduceOptions& options = {},
                  SourceLocation location = SourceLocation::current());
// The number of members of a group, known while tracing. 1 after an error.
int64_t axis_size(const AxisNames& axes, const ReduceOptions& options = {},
                  SourceLocation location = SourceLocation::current());

}  // namespace lockstep

#endif  // LOCKSTEP_CLIENT_TRACER_COLLECTIVES_H_
