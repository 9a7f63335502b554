#include "runtime/mesh/mesh.h"

#include <algorithm>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/base/check.h"
#include "runtime/base/status.h"
#include "runtime/mesh/python_text.h"

namespace lockstep {

std::string ToString(const Device& device) {
  std::string name = device.platform;
  if (!name.empty()) name[0] = absl::ascii_toupper(name[0]);
  std::string torus;
  if (device.coords.has_value()) {
    torus = absl::StrCat(", process_index=", device.host.value(), ", coords=(",
                         absl::StrJoin(*device.coords, ","),
                         "), core_on_chip=", device.core);
  }
  return absl::StrCat(name, "Device(id=", device.id.value(), torus, ")");
}

namespace internal {

std::vector<int64_t> PositionsInBox(absl::Span<const int64_t> dims,
                                    absl::Span<const AxisRange> ranges) {
  std::vector<int64_t> positions = {0};
  for (size_t axis = 0; axis < dims.size(); ++axis) {
    std::vector<int64_t> next;
    next.reserve(positions.size() * (ranges[axis].stop - ranges[axis].start));
    for (int64_t position : positions) {
      for (int64_t i = ranges[axis].start; i < ranges[axis].stop; ++i) {
        next.push_back(position * dims[axis] + i);
      }
    }
    positions = std::move(next);
  }
  return positions;
}

}  // namespace internal

struct Mesh::Content {
  AbstractMesh abstract;
  std::vector<Device> devices;
  absl::flat_hash_map<GlobalDeviceId, int64_t> positions;
  std::vector<HostId> hosts;
  absl::flat_hash_map<HostId, std::vector<int64_t>> positions_of_hosts;
};

Mesh::Mesh() : Mesh(std::make_shared<const Content>()) {}

Mesh::Mesh(std::shared_ptr<const Content> content)
    : content_(std::move(content)) {}

absl::StatusOr<Mesh> Mesh::Create(DeviceGrid grid,
                                  std::vector<std::string> axis_names) {
  if (grid.dims.size() != axis_names.size()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the grid of devices has ", grid.dims.size(), " dimensions, ",
        internal::TupleText(grid.dims), ", but there are ", axis_names.size(),
        " axis names, ", internal::QuotedNames(axis_names)));
  }
  std::vector<MeshAxis> axes;
  for (size_t i = 0; i < axis_names.size(); ++i) {
    axes.push_back({std::move(axis_names[i]), grid.dims[i]});
  }
  auto content = std::make_shared<Content>();
  ASSIGN_OR_RETURN(content->abstract, AbstractMesh::Create(std::move(axes)));
  if (content->abstract.size() != static_cast<int64_t>(grid.devices.size())) {
    return absl::InvalidArgumentError(absl::StrCat(
        "a mesh of ", internal::TupleText(grid.dims), " takes ",
        content->abstract.size(), " devices, found ", grid.devices.size()));
  }
  content->devices = std::move(grid.devices);
  content->positions.reserve(content->devices.size());
  for (size_t i = 0; i < content->devices.size(); ++i) {
    const Device& device = content->devices[i];
    if (!content->positions.emplace(device.id, i).second) {
      return absl::InvalidArgumentError(absl::StrCat(
          "device ", device.id.value(), " occurs twice in a mesh of ",
          internal::AxesText(content->abstract.axes())));
    }
    std::vector<int64_t>& local = content->positions_of_hosts[device.host];
    if (local.empty()) content->hosts.push_back(device.host);
    local.push_back(static_cast<int64_t>(i));
  }
  return Mesh(std::move(content));
}

const AbstractMesh& Mesh::abstract() const { return content_->abstract; }

absl::Span<const Device> Mesh::devices() const { return content_->devices; }

absl::Span<const HostId> Mesh::hosts() const { return content_->hosts; }

std::optional<int64_t> Mesh::PositionOf(GlobalDeviceId device) const {
  const auto it = content_->positions.find(device);
  if (it == content_->positions.end()) return std::nullopt;
  return it->second;
}

absl::Span<const int64_t> Mesh::LocalPositions(HostId host) const {
  const auto it = content_->positions_of_hosts.find(host);
  if (it == content_->positions_of_hosts.end()) return {};
  return it->second;
}

std::vector<Device> Mesh::LocalDevices(HostId host) const {
  std::vector<Device> local;
  for (int64_t position : LocalPositions(host)) {
    local.push_back(devices()[position]);
  }
  return local;
}

absl::Status Mesh::CheckHasDevices(HostId host) const {
  if (!LocalPositions(host).empty()) return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrCat(
      "host ", host.value(), " has no device in ", ToString(),
      ", which has devices of hosts ",
      absl::StrJoin(hosts(), ", ", [](std::string* out, HostId other) {
        absl::StrAppend(out, other.value());
      })));
}

absl::StatusOr<std::vector<AxisRange>> Mesh::LocalHull(HostId host) const {
  RETURN_IF_ERROR(CheckHasDevices(host));
  const absl::Span<const int64_t> local = LocalPositions(host);
  const std::vector<int64_t> dims = abstract().axis_sizes();
  std::vector<AxisRange> hull(dims.size());
  int64_t hull_size = 1;
  int64_t stride = 1;
  for (size_t axis = dims.size(); axis-- > 0;) {
    AxisRange& range = hull[axis];
    range = {dims[axis], 0};
    for (int64_t position : local) {
      const int64_t index = position / stride % dims[axis];
      range.start = std::min(range.start, index);
      range.stop = std::max(range.stop, index + 1);
    }
    stride *= dims[axis];
    hull_size *= range.stop - range.start;
  }
  if (hull_size == static_cast<int64_t>(local.size())) return hull;
  for (int64_t position : internal::PositionsInBox(dims, hull)) {
    const Device& device = devices()[position];
    if (device.host == host) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        "the devices of host ", host.value(), " are not a box of ", ToString(),
        ": within their hull ",
        absl::StrJoin(hull, " x ",
                      [](std::string* out, const AxisRange& range) {
                        absl::StrAppend(out, "[", range.start, ", ", range.stop,
                                        ")");
                      }),
        " is device ", device.id.value(), " of host ", device.host.value()));
  }
  LOCKSTEP_CHECK(false);  // the hull has more devices than the host
}

absl::StatusOr<Mesh> Mesh::LocalMesh(HostId host) const {
  ASSIGN_OR_RETURN(const std::vector<AxisRange> hull, LocalHull(host));
  return Part(hull);
}

Mesh Mesh::Part(absl::Span<const AxisRange> ranges) const {
  DeviceGrid grid;
  for (const AxisRange& range : ranges) {
    grid.dims.push_back(range.stop - range.start);
  }
  const std::vector<int64_t> dims = abstract().axis_sizes();
  for (int64_t position : internal::PositionsInBox(dims, ranges)) {
    grid.devices.push_back(devices()[position]);
  }
  absl::StatusOr<Mesh> part = Create(std::move(grid), abstract().axis_names());
  LOCKSTEP_CHECK(part.ok());
  return *std::move(part);
}

std::string Mesh::ToString() const {
  return absl::StrCat("Mesh(", internal::AxesText(axes()), ")");
}

bool operator==(const Mesh& a, const Mesh& b) {
  if (a.content_ == b.content_) return true;
  return a.abstract() == b.abstract() &&
         std::equal(a.devices().begin(), a.devices().end(), b.devices().begin(),
                    b.devices().end(), [](const Device& x, const Device& y) {
                      return x.id == y.id;
                    });
}

}  // namespace lockstep
