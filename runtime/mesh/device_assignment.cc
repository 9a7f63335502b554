#include "runtime/mesh/device_assignment.h"

#include <algorithm>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/check.h"

namespace lockstep {

absl::StatusOr<DeviceAssignment> DeviceAssignment::Create(
    int32_t replica_count, int32_t partition_count,
    std::vector<GlobalDeviceId> devices) {
  if (replica_count < 1 || partition_count < 1) {
    return absl::InvalidArgumentError(absl::StrCat(
        "expected at least 1 replica and 1 partition, found ", replica_count,
        " replicas and ", partition_count, " partitions"));
  }
  const int64_t expected = int64_t{replica_count} * partition_count;
  if (static_cast<int64_t>(devices.size()) != expected) {
    return absl::InvalidArgumentError(absl::StrCat(
        replica_count, " replicas of ", partition_count, " partitions need ",
        expected, " devices, found ", devices.size()));
  }
  absl::flat_hash_set<GlobalDeviceId> seen;
  for (GlobalDeviceId device : devices) {
    if (!seen.insert(device).second) {
      return absl::InvalidArgumentError(absl::StrCat(
          "device ", device.value(), " occurs twice in a device assignment"));
    }
  }
  DeviceAssignment assignment;
  assignment.replica_count_ = replica_count;
  assignment.partition_count_ = partition_count;
  assignment.devices_ = std::move(devices);
  return assignment;
}

DeviceAssignment DeviceAssignment::Iota(int32_t replica_count,
                                        int32_t partition_count) {
  std::vector<GlobalDeviceId> devices;
  for (int64_t i = 0; i < int64_t{replica_count} * partition_count; ++i) {
    devices.emplace_back(static_cast<int32_t>(i));
  }
  absl::StatusOr<DeviceAssignment> assignment =
      Create(replica_count, partition_count, std::move(devices));
  LOCKSTEP_CHECK(assignment.ok());
  return *std::move(assignment);
}

absl::StatusOr<LogicalId> DeviceAssignment::Find(GlobalDeviceId device) const {
  const auto it = std::find(devices_.begin(), devices_.end(), device);
  if (it == devices_.end()) {
    return absl::NotFoundError(absl::StrCat("device ", device.value(),
                                            " is not in the device assignment ",
                                            ToString()));
  }
  return FromFlattenedId(static_cast<int32_t>(it - devices_.begin()));
}

std::string DeviceAssignment::ToString() const {
  std::string text = "[";
  for (int32_t r = 0; r < replica_count_; ++r) {
    absl::StrAppend(&text, r == 0 ? "[" : ",[");
    for (int32_t p = 0; p < partition_count_; ++p) {
      absl::StrAppend(&text, p == 0 ? "" : ",", device({r, p}).value());
    }
    absl::StrAppend(&text, "]");
  }
  return absl::StrCat(text, "]");
}

}  // namespace lockstep
