#ifndef LOCKSTEP_CLIENT_ARRAYS_SHARDING_H_
#define LOCKSTEP_CLIENT_ARRAYS_SHARDING_H_

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "runtime/mesh/ids.h"
#include "runtime/mesh/named_sharding.h"
#include "runtime/mesh/world.h"

namespace lockstep {

// How rows of an array lie on devices.
struct RowPlacement {
  // The mapped dimension, which has one row per device; none: every device has
  // the whole value.
  std::optional<int64_t> dim;
  // Devices per row: a row lies on so many devices in turn (more than 1 with
  // nested maps).
  int64_t copies = 1;
  friend bool operator==(const RowPlacement&, const RowPlacement&) = default;
};

// Rows on devices, as mapped functions take and give them: a shard is a row,
// without the mapped dimension.
struct PmapSharding {
  RowPlacement placement;
  std::vector<GlobalDeviceId> devices;  // of the rows, in order

  // "PmapSharding(dim=0, device_ids=[0, 1])".
  std::string ToString() const;
  friend bool operator==(const PmapSharding&, const PmapSharding&) = default;
};

// The whole value on one device.
NamedSharding SingleDeviceSharding(const Device& device);

// How an array lies on devices: over a mesh, by rows, or not at all, being a
// value in host memory. A value type.
class Sharding {
 public:
  Sharding() = default;                                        // in host memory
  Sharding(NamedSharding named) : value_(std::move(named)) {}  // NOLINT
  Sharding(PmapSharding rows) : value_(std::move(rows)) {}     // NOLINT

  bool is_on_devices() const { return value_.index() != 0; }
  // Null when it is another kind.
  const NamedSharding* named() const {
    return std::get_if<NamedSharding>(&value_);
  }
  const PmapSharding* pmap() const {
    return std::get_if<PmapSharding>(&value_);
  }
  // Those of all hosts, in the order of the mesh, or of the rows.
  std::vector<GlobalDeviceId> devices() const;

  // As the kind prints; "HostMemory()".
  std::string ToString() const;
  friend bool operator==(const Sharding&, const Sharding&) = default;
  friend std::ostream& operator<<(std::ostream& os, const Sharding& sharding) {
    return os << sharding.ToString();
  }

 private:
  std::variant<std::monostate, NamedSharding, PmapSharding> value_;
};

}  // namespace lockstep

#endif  // LOCKSTEP_CLIENT_ARRAYS_SHARDING_H_
