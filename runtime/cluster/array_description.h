#ifndef LOCKSTEP_RUNTIME_CLUSTER_ARRAY_DESCRIPTION_H_
#define LOCKSTEP_RUNTIME_CLUSTER_ARRAY_DESCRIPTION_H_

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "runtime/cluster/command.h"
#include "runtime/mesh/abstract_mesh.h"
#include "runtime/mesh/ids.h"
#include "runtime/mesh/partition_spec.h"
#include "runtime/types/shape.h"

namespace lockstep::internal {

// A row of the mapped dimension on each device, or on `copies` in turn; none:
// every device has the whole value.
struct RowsDescription {
  std::optional<int64_t> dim;
  int64_t copies = 1;
  friend bool operator==(const RowsDescription&,
                         const RowsDescription&) = default;
};

// By a NamedSharding; the devices are those of the mesh, by position.
struct MeshDescription {
  std::vector<MeshAxis> axes;
  PartitionSpec spec;
  std::string memory_kind = "device";
  friend bool operator==(const MeshDescription&,
                         const MeshDescription&) = default;
};

// What an array on the devices of a cluster is and how its shards make it up:
// as much as another client needs to use it. A value type.
struct ArrayDescription {
  Shape shape = Shape(ElementType::kF32, {});
  Shape shard_shape = Shape(ElementType::kF32, {});  // of one device
  std::vector<GlobalDeviceId> devices;               // one shard each
  std::variant<RowsDescription, MeshDescription> layout;

  // Of all shards.
  int64_t byte_size() const;
  // "PartitionSpec('data', None) over ('data': 4, 'model': 2)", "rows of
  // dimension 0", "copies".
  std::string LayoutText() const;
  friend bool operator==(const ArrayDescription&,
                         const ArrayDescription&) = default;
};

// What a client asks for: that an array of its own has a name.
struct ArrayNaming {
  std::string name;
  ArrayHandle handle;
  ArrayDescription array;
  std::vector<Incarnation> lives;  // of the hosts that have a part of it
  bool replaces = false;           // what has the name now
};

// An array that clients of a cluster know by a name.
struct NamedArray {
  std::string name;
  ArrayDescription array;
  std::vector<Incarnation> lives;  // of the hosts that have a part of it
  std::string client;              // who gave it the name
  absl::Status status;  // OK, or which host has taken a part of it along
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_CLUSTER_ARRAY_DESCRIPTION_H_
