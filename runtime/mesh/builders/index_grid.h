#ifndef LOCKSTEP_RUNTIME_MESH_BUILDERS_INDEX_GRID_H_
#define LOCKSTEP_RUNTIME_MESH_BUILDERS_INDEX_GRID_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "runtime/mesh/device_grid.h"
#include "runtime/mesh/world.h"

namespace lockstep::internal {

int64_t ProductOf(absl::Span<const int64_t> sizes);

// A row-major grid of indices into a list, as it is reshaped and transposed on
// the way to a mesh. Sizes are at least 1. A value type.
class IndexGrid {
 public:
  // 0, 1, 2, ..
  static IndexGrid Iota(std::vector<int64_t> dims);
  // `indices` fill the grid.
  IndexGrid(std::vector<int64_t> dims, std::vector<int64_t> indices);

  absl::Span<const int64_t> dims() const { return dims_; }
  absl::Span<const int64_t> indices() const { return indices_; }
  // The same indices in a grid of as many.
  IndexGrid Reshaped(std::vector<int64_t> dims) const;
  // Dimension i of the result is dimension permutation[i].
  IndexGrid Transposed(absl::Span<const int64_t> permutation) const;
  // The devices at the indices.
  DeviceGrid Of(absl::Span<const Device> devices) const;

 private:
  std::vector<int64_t> dims_;
  std::vector<int64_t> indices_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_MESH_BUILDERS_INDEX_GRID_H_
