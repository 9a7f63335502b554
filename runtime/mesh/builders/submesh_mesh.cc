#include "runtime/mesh/builders/submesh_mesh.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/mesh/builders/hardware_coords.h"
#include "runtime/mesh/builders/index_grid.h"
#include "runtime/mesh/python_text.h"

namespace lockstep {
namespace {

using internal::IndexGrid;
using internal::TupleText;

absl::Status CheckSizes(absl::Span<const int64_t> submesh,
                        absl::Span<const int64_t> bounds,
                        absl::Span<const int64_t> local_bounds) {
  if (submesh.size() != bounds.size() || local_bounds.size() != bounds.size()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "submesh ", TupleText(submesh), " needs a size for each of the bounds ",
        TupleText(bounds), " of the devices and ", TupleText(local_bounds),
        " of one host's devices"));
  }
  for (size_t i = 0; i < submesh.size(); ++i) {
    if (submesh[i] < 1) {
      return absl::InvalidArgumentError(
          absl::StrCat("submesh ", TupleText(submesh), " has a size below 1"));
    }
    if (bounds[i] % submesh[i] != 0) {
      return absl::FailedPreconditionError(absl::StrCat(
          "submesh ", TupleText(submesh), " does not divide the bounds ",
          TupleText(bounds), " of the devices in dimension ", i));
    }
  }
  for (size_t i = 0; i < bounds.size(); ++i) {
    if (bounds[i] % local_bounds[i] != 0) {
      return absl::FailedPreconditionError(
          absl::StrCat("the bounds ", TupleText(local_bounds),
                       " of one host's devices do not divide the bounds ",
                       TupleText(bounds), " of all devices in dimension ", i));
    }
  }
  return absl::OkStatus();
}

// The indices of `devices` at their coordinates.
absl::StatusOr<IndexGrid> PlaceDevices(absl::Span<const Device> devices,
                                       const WorldIndex& world,
                                       std::vector<int64_t> bounds) {
  const int64_t places = internal::ProductOf(bounds);
  std::vector<int64_t> indices(places, -1);
  for (size_t i = 0; i < devices.size(); ++i) {
    const std::vector<int64_t> coords = HardwareCoords(devices[i], world);
    int64_t place = 0;
    for (size_t dim = 0; dim < bounds.size(); ++dim) {
      if (coords.size() != bounds.size() || coords[dim] < 0 ||
          coords[dim] >= bounds[dim]) {
        return absl::InvalidArgumentError(absl::StrCat(
            "device ", devices[i].id.value(), " at ", TupleText(coords),
            " is not within the bounds ", TupleText(bounds)));
      }
      place = place * bounds[dim] + coords[dim];
    }
    if (indices[place] >= 0) {
      return absl::InvalidArgumentError(absl::StrCat(
          "devices ", devices[indices[place]].id.value(), " and ",
          devices[i].id.value(), " are both at ", TupleText(coords)));
    }
    indices[place] = static_cast<int64_t>(i);
  }
  if (static_cast<int64_t>(devices.size()) != places) {
    return absl::InvalidArgumentError(
        absl::StrCat("bounds ", TupleText(bounds), " need ", places,
                     " devices, found ", devices.size()));
  }
  return IndexGrid(std::move(bounds), std::move(indices));
}

// Which dimensions to swap so that the submesh is contiguous: {1, 2} (z before
// y), {0, 2} (z before x), or none.
std::optional<std::pair<int, int>> ContiguousSwap(absl::Span<const int64_t> m,
                                                  absl::Span<const int64_t> g) {
  if (g.size() != 4) return std::nullopt;
  const auto is_whole = [&](int i) { return m[i] == g[i] && g[i] > 1; };
  if ((is_whole(0) && m[1] == 1 && m[2] == 1) ||
      (m[0] == 1 && is_whole(1) && is_whole(2))) {
    return std::pair(1, 2);
  }
  if ((is_whole(1) && m[0] == 1 && m[2] == 1) ||
      (m[1] == 1 && is_whole(0) && is_whole(2))) {
    return std::pair(0, 2);
  }
  return std::nullopt;
}

// Each dimension cut into `parts.size()` parts, ordered part by part.
IndexGrid Interleaved(const IndexGrid& grid,
                      const std::vector<std::vector<int64_t>>& parts) {
  const size_t count = parts[0].size();
  std::vector<int64_t> dims;
  for (const std::vector<int64_t>& part : parts) {
    dims.insert(dims.end(), part.begin(), part.end());
  }
  std::vector<int64_t> permutation;
  for (size_t part = 0; part < count; ++part) {
    for (size_t dim = 0; dim < parts.size(); ++dim) {
      permutation.push_back(static_cast<int64_t>(dim * count + part));
    }
  }
  return grid.Reshaped(std::move(dims)).Transposed(permutation);
}

// (data hosts, data devices, model hosts, model devices) of each dimension.
absl::StatusOr<std::vector<std::vector<int64_t>>> HostTiles(
    absl::Span<const int64_t> m, absl::Span<const int64_t> g,
    absl::Span<const int64_t> l) {
  std::vector<std::vector<int64_t>> tiles;
  for (size_t i = 0; i < g.size(); ++i) {
    const int64_t data = g[i] / m[i];
    if (m[i] >= l[i] && m[i] % l[i] == 0) {
      tiles.push_back({data, 1, m[i] / l[i], l[i]});
    } else if (m[i] < l[i] && l[i] % m[i] == 0) {
      const int64_t devices = l[i] / m[i];
      tiles.push_back({data / devices, devices, 1, m[i]});
    } else {
      return absl::FailedPreconditionError(absl::StrCat(
          "submesh ", TupleText(m),
          " is neither a factor nor a multiple of the bounds ", TupleText(l),
          " of one host's devices in dimension ", i));
    }
  }
  return tiles;
}

}  // namespace

absl::StatusOr<Mesh> BuildSubmeshMesh(absl::Span<const int64_t> submesh,
                                      const World& world,
                                      const SubmeshOptions& options) {
  const std::vector<Device>& devices =
      options.devices.has_value() ? *options.devices : world.devices();
  const WorldIndex index(world);
  ASSIGN_OR_RETURN(std::vector<int64_t> g, HardwareBounds(devices, index));
  ASSIGN_OR_RETURN(
      const std::vector<int64_t> l,
      HardwareBounds(options.local_devices.has_value() ? *options.local_devices
                                                       : world.local(HostId(0)),
                     index));
  std::vector<int64_t> m(submesh.begin(), submesh.end());
  RETURN_IF_ERROR(CheckSizes(m, g, l));
  ASSIGN_OR_RETURN(IndexGrid grid, PlaceDevices(devices, index, g));

  bool tile_by_host = options.tile_by_host_if_needed;
  if (const auto swap = ContiguousSwap(m, g); swap.has_value()) {
    if (m[3] != g[3]) {
      return absl::FailedPreconditionError(absl::StrCat(
          "submesh ", TupleText(m), " has ", m[3], " cores of the ", g[3],
          " of a chip: one that spans whole planes or lines has all"));
    }
    std::vector<int64_t> permutation = {0, 1, 2, 3};
    std::swap(permutation[swap->first], permutation[swap->second]);
    grid = grid.Transposed(permutation);
    std::swap(g[swap->first], g[swap->second]);
    std::swap(m[swap->first], m[swap->second]);
    tile_by_host = false;
  }
  std::vector<std::vector<int64_t>> parts;
  if (tile_by_host) {
    ASSIGN_OR_RETURN(parts, HostTiles(m, g, l));
  } else {
    for (size_t i = 0; i < g.size(); ++i) parts.push_back({g[i] / m[i], m[i]});
  }
  const int64_t model = internal::ProductOf(m);
  const IndexGrid ordered = Interleaved(grid, parts);
  const int64_t data = internal::ProductOf(ordered.dims()) / model;
  return Mesh::Create(ordered.Reshaped({data, model}).Of(devices),
                      {"data", "model"});
}

}  // namespace lockstep
