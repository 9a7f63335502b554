#ifndef LOCKSTEP_RUNTIME_MESH_DEVICE_ASSIGNMENT_H_
#define LOCKSTEP_RUNTIME_MESH_DEVICE_ASSIGNMENT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/mesh/ids.h"

namespace lockstep {

// The place of one copy of an SPMD program.
struct LogicalId {
  int32_t replica = 0;
  int32_t partition = 0;
  friend bool operator==(LogicalId, LogicalId) = default;
};

// replicas x partitions -> device. The flattened id of (r, p) is
// r * partitions + p. A value type.
class DeviceAssignment {
 public:
  DeviceAssignment() = default;
  // INVALID_ARGUMENT: counts below 1; a number of devices other than
  // replicas * partitions; a device twice.
  static absl::StatusOr<DeviceAssignment> Create(
      int32_t replica_count, int32_t partition_count,
      std::vector<GlobalDeviceId> devices);
  // Devices 0 .. replicas * partitions - 1, in order.
  static DeviceAssignment Iota(int32_t replica_count, int32_t partition_count);

  int32_t replica_count() const { return replica_count_; }
  int32_t partition_count() const { return partition_count_; }
  int32_t device_count() const { return static_cast<int32_t>(devices_.size()); }
  // By flattened id.
  absl::Span<const GlobalDeviceId> devices() const { return devices_; }
  GlobalDeviceId device(LogicalId id) const {
    return devices_[FlattenedId(id)];
  }
  int32_t FlattenedId(LogicalId id) const {
    return id.replica * partition_count_ + id.partition;
  }
  LogicalId FromFlattenedId(int32_t id) const {
    return {id / partition_count_, id % partition_count_};
  }
  // NOT_FOUND when the device takes no part; names it.
  absl::StatusOr<LogicalId> Find(GlobalDeviceId device) const;

  // "[[0,1],[2,3]]": one list per replica.
  std::string ToString() const;
  friend bool operator==(const DeviceAssignment&,
                         const DeviceAssignment&) = default;

 private:
  int32_t replica_count_ = 0;
  int32_t partition_count_ = 0;
  std::vector<GlobalDeviceId> devices_;
};

}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_MESH_DEVICE_ASSIGNMENT_H_
