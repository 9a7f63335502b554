#ifndef LOCKSTEP_RUNTIME_MESH_SHARDING_TILE_ASSIGNMENT_H_
#define LOCKSTEP_RUNTIME_MESH_SHARDING_TILE_ASSIGNMENT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace lockstep::internal {

// A grid of tiles with a device for each (GSPMD, tile assignment; row Y-2): all
// devices 0 .. n-1 once. Either a list, or the iota form: the ids ascending in
// a grid, whose dimensions are then permuted. An immutable value type; the same
// assignment in both forms is not equal.
class TileAssignment {
 public:
  // More than any cluster has: a text of few characters must not ask for all
  // memory.
  static constexpr int64_t kMaxDevices = int64_t{1} << 24;

  // iota(n).reshape(reshape_dims).transpose(transpose_perm).reshape(dims), kept
  // with as few dimensions as say the same. INVALID_ARGUMENT: a dimension below
  // 1, products that differ or are above kMaxDevices, no permutation.
  static absl::StatusOr<TileAssignment> FromIota(
      std::vector<int64_t> dims, absl::Span<const int64_t> reshape_dims,
      absl::Span<const int64_t> transpose_perm);
  // INVALID_ARGUMENT: a dimension below 1; devices that are not those from 0 to
  // the product of the dimensions.
  static absl::StatusOr<TileAssignment> FromDevices(
      std::vector<int64_t> dims, std::vector<int64_t> devices);

  absl::Span<const int64_t> dims() const { return dims_; }
  int64_t device_count() const;
  bool is_iota() const { return devices_.empty(); }
  // Of the iota form.
  absl::Span<const int64_t> reshape_dims() const { return reshape_dims_; }
  absl::Span<const int64_t> transpose_perm() const { return transpose_perm_; }
  // The device of each tile, row-major.
  std::vector<int64_t> Devices() const;
  // The same in iota form; none if the list has no such form.
  std::optional<TileAssignment> AsIota() const;

  // "[4,2]<=[8]", "[2,4]<=[4,2]T(1,0)", "[2,2]0,3,1,2".
  std::string ToString() const;
  friend bool operator==(const TileAssignment&,
                         const TileAssignment&) = default;

 private:
  TileAssignment() = default;

  std::vector<int64_t> dims_;
  std::vector<int64_t> reshape_dims_;
  std::vector<int64_t> transpose_perm_;
  std::vector<int64_t> devices_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_MESH_SHARDING_TILE_ASSIGNMENT_H_
