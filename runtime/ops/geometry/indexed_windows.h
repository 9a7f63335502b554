#ifndef LOCKSTEP_RUNTIME_OPS_GEOMETRY_INDEXED_WINDOWS_H_
#define LOCKSTEP_RUNTIME_OPS_GEOMETRY_INDEXED_WINDOWS_H_

#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "runtime/ir/op.h"
#include "runtime/types/literal.h"

namespace lockstep::internal {

// What a dim of the tensor that holds the windows runs along.
struct WindowsDim {
  bool is_window = false;    // inside a window, else along the indices
  int64_t operand_dim = -1;  // -1: none, but for the start of the window
  int64_t indices_dim = -1;  // unless is_window
};

// The geometry that gather and scatter share: a tensor of indices says where
// in the operand windows begin; another tensor (gather's result, scatter's
// updates) holds the windows, each at the position of its index.
struct IndexedWindows {
  // Dims of the windows' tensor that run inside a window: offset_dims,
  // update_window_dims.
  std::vector<int64_t> window_dims;
  // Dims of the operand in which a window has one element and the windows'
  // tensor has no dim: collapsed_slice_dims, inserted_window_dims.
  std::vector<int64_t> inserted_dims;
  // Dims of the operand that are walked together with dims of the indices.
  std::vector<int64_t> operand_batching_dims;
  std::vector<int64_t> indices_batching_dims;
  // Component k of an index is along this dim of the operand.
  std::vector<int64_t> index_map;
  // The dim of the indices along which the components of an index lie; their
  // rank when every element is an index.
  int64_t index_vector_dim = 0;

  // The dims of the operand that window_dims run along, in order.
  std::vector<int64_t> WindowOperandDims(int64_t operand_rank) const;
  // The dims of the windows' tensor that are no window_dims, in order: they
  // are the dims of the indices but for index_vector_dim.
  std::vector<int64_t> PositionDims(int64_t windows_rank) const;
  // Of dim `dim` of the windows' tensor.
  WindowsDim SourceOf(int64_t dim, int64_t operand_rank,
                      int64_t windows_rank) const;
  // The shape of the indices without index_vector_dim.
  Dims PositionSizes(const Shape& indices) const;
};

// From `dimension_numbers` and `scatter_dimension_numbers`.
absl::StatusOr<IndexedWindows> GatherWindowsOf(const Op& op);
absl::StatusOr<IndexedWindows> ScatterWindowsOf(const Op& op);

// The constraints that gather and scatter share, for an op with these
// operands. `windows_rank` is the rank of the windows' tensor.
absl::Status CheckIndexedWindows(const Op& op, const IndexedWindows& windows,
                                 const Shape& operand, const Shape& indices,
                                 int64_t windows_rank);

// Where the window of every index begins in the operand, index by index, one
// entry per dim of the operand. Not clamped; within +-2^62.
std::vector<int64_t> WindowStarts(const IndexedWindows& windows,
                                  int64_t operand_rank,
                                  const LiteralView& indices);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_OPS_GEOMETRY_INDEXED_WINDOWS_H_
