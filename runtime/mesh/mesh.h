#ifndef LOCKSTEP_RUNTIME_MESH_MESH_H_
#define LOCKSTEP_RUNTIME_MESH_MESH_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "runtime/mesh/abstract_mesh.h"
#include "runtime/mesh/device_grid.h"
#include "runtime/mesh/ids.h"
#include "runtime/mesh/world.h"

namespace lockstep {

// "CpuDevice(id=3)"; on a torus "TpuDevice(id=3, process_index=0,
// coords=(1,1,0), core_on_chip=0)".
std::string ToString(const Device& device);
inline std::ostream& operator<<(std::ostream& os, const Device& device) {
  return os << ToString(device);
}

inline std::ostream& operator<<(std::ostream& os, const AbstractMesh& mesh) {
  return os << mesh.ToString();
}

// Indices [start, stop) on one axis of a mesh.
struct AxisRange {
  int64_t start = 0;
  int64_t stop = 0;
  friend bool operator==(const AxisRange&, const AxisRange&) = default;
};

// Devices in a grid with named axes. The *position* of a device is its
// row-major index in the grid, the last axis being the fastest. An immutable
// value type whose copies share their content; any thread may use it.
class Mesh {
 public:
  // The empty mesh: no axes, size 0.
  Mesh();
  // INVALID_ARGUMENT: other numbers of dimensions and of names, a name that is
  // empty or repeated, an empty dimension, devices that do not fill the grid, a
  // device twice.
  static absl::StatusOr<Mesh> Create(DeviceGrid grid,
                                     std::vector<std::string> axis_names);

  const AbstractMesh& abstract() const;
  absl::Span<const MeshAxis> axes() const { return abstract().axes(); }
  int64_t rank() const { return abstract().rank(); }
  bool empty() const { return abstract().empty(); }
  // Number of devices.
  int64_t size() const { return abstract().size(); }
  // By position.
  absl::Span<const Device> devices() const;
  std::optional<int64_t> PositionOf(GlobalDeviceId device) const;
  // In order of their first device.
  absl::Span<const HostId> hosts() const;
  // Ascending; none when the host has no device here.
  absl::Span<const int64_t> LocalPositions(HostId host) const;
  // B-4: the devices of `host` in the order of the mesh, not of the world.
  std::vector<Device> LocalDevices(HostId host) const;

  // FAILED_PRECONDITION when `host` has no device here; names the hosts that
  // do.
  absl::Status CheckHasDevices(HostId host) const;

  // B-5: per axis the indices from the first to the last that hold a device of
  // `host`. FAILED_PRECONDITION when it has none; INVALID_ARGUMENT when a
  // device within belongs to another host.
  absl::StatusOr<std::vector<AxisRange>> LocalHull(HostId host) const;
  // The mesh of the devices in that hull, with the same axis names.
  absl::StatusOr<Mesh> LocalMesh(HostId host) const;

  // "OrderedDict([('data', 4), ('model', 2)])".
  std::string ShapeToString() const { return abstract().ShapeToString(); }
  // "Mesh('data': 4, 'model': 2)".
  std::string ToString() const;
  friend std::ostream& operator<<(std::ostream& os, const Mesh& value) {
    return os << value.ToString();
  }
  // The same axes and, at every position, the same device.
  friend bool operator==(const Mesh& a, const Mesh& b);

 private:
  struct Content;
  explicit Mesh(std::shared_ptr<const Content> content);
  Mesh Part(absl::Span<const AxisRange> ranges) const;

  std::shared_ptr<const Content> content_;
};

namespace internal {

// The positions of the box `ranges` in a row-major grid of `dims`, ascending.
std::vector<int64_t> PositionsInBox(absl::Span<const int64_t> dims,
                                    absl::Span<const AxisRange> ranges);

}  // namespace internal

}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_MESH_MESH_H_
