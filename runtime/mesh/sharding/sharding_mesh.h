#ifndef LOCKSTEP_RUNTIME_MESH_SHARDING_SHARDING_MESH_H_
#define LOCKSTEP_RUNTIME_MESH_SHARDING_SHARDING_MESH_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/mesh/abstract_mesh.h"

namespace lockstep::internal {

// The mesh of a module's shardings (Shardy, sdy.mesh): an AbstractMesh and the
// order of its devices. Unlike those of a Mesh, which are devices of a world,
// they are logical ids, 0 .. n-1 of a program: its partitions. A value type.
//
// Without axes it is either empty, a placeholder for the mesh of whatever it
// meets, or maximal: a single device.
class ShardingMesh {
 public:
  // The empty mesh.
  ShardingMesh() = default;
  // `device_ids` are in row-major order over the axes; none: ascending.
  // INVALID_ARGUMENT: not as many as the axes make, or not a permutation of 0
  // .. n-1; without axes more than one, or a negative one.
  static absl::StatusOr<ShardingMesh> Create(
      AbstractMesh axes, std::vector<int64_t> device_ids = {});

  const AbstractMesh& abstract() const { return axes_; }
  absl::Span<const MeshAxis> axes() const { return axes_.axes(); }
  // Empty when the devices are in ascending order.
  absl::Span<const int64_t> device_ids() const { return device_ids_; }
  bool is_empty() const { return axes_.empty() && device_ids_.empty(); }
  bool is_maximal() const { return axes_.empty() && !device_ids_.empty(); }
  // 0 for the empty mesh.
  int64_t device_count() const { return is_maximal() ? 1 : axes_.size(); }
  // The device at a row-major position below device_count().
  int64_t DeviceAt(int64_t position) const {
    return device_ids_.empty() ? position : device_ids_[position];
  }

  // As in sdy.mesh: "<[\"a\"=3, \"b\"=2], device_ids=[0, 2, 4, 1, 3, 5]>".
  std::string ToString() const;
  friend bool operator==(const ShardingMesh&, const ShardingMesh&) = default;

 private:
  AbstractMesh axes_;
  std::vector<int64_t> device_ids_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_MESH_SHARDING_SHARDING_MESH_H_
