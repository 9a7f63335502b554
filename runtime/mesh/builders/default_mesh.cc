#include "runtime/mesh/builders/default_mesh.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "runtime/base/status.h"
#include "runtime/mesh/builders/cpu_mesh.h"
#include "runtime/mesh/builders/gpu_mesh.h"
#include "runtime/mesh/builders/granule_mesh.h"
#include "runtime/mesh/builders/hardware_coords.h"
#include "runtime/mesh/builders/hybrid_mesh.h"
#include "runtime/mesh/builders/submesh_mesh.h"
#include "runtime/mesh/python_text.h"

namespace lockstep {
namespace {

using Submesh = std::vector<int64_t>;

// TPU v2 and v3: two cores per chip, and no z.
std::optional<Submesh> TwoCoreSubmesh(int64_t num_partitions) {
  switch (num_partitions) {
    case 1:
      return Submesh{1, 1, 1, 1};
    case 2:
      return Submesh{1, 1, 1, 2};
    case 4:
      return Submesh{2, 1, 1, 2};
    case 8:
      return Submesh{2, 2, 1, 2};
    case 16:
      return Submesh{4, 2, 1, 2};
    default:
      return std::nullopt;
  }
}

// TPU v4: one core per chip; a long direction is preferred.
std::optional<Submesh> OneCoreSubmesh(int64_t num_partitions,
                                      absl::Span<const int64_t> bounds) {
  switch (num_partitions) {
    case 1:
      return Submesh{1, 1, 1, 1};
    case 2:
      return Submesh{1, 2, 1, 1};
    case 4:
      return bounds[0] >= 4 ? Submesh{4, 1, 1, 1} : Submesh{2, 2, 1, 1};
    case 8:
      return bounds[2] >= 8 ? Submesh{1, 1, 8, 1} : Submesh{4, 2, 1, 1};
    case 16:
      if (bounds[2] >= 16) return Submesh{1, 1, 16, 1};
      if (bounds[0] >= 8) return Submesh{8, 2, 1, 1};
      return bounds[0] >= 4 ? Submesh{4, 4, 1, 1} : Submesh{2, 2, 4, 1};
    default:
      return std::nullopt;
  }
}

std::optional<Submesh> TpuSubmesh(const Device& last, int64_t num_partitions,
                                  absl::Span<const int64_t> bounds) {
  if (bounds.size() != 4) return std::nullopt;
  if (last.kind == "TPU v2" || last.kind == "TPU v3") {
    return TwoCoreSubmesh(num_partitions);
  }
  if ((last.kind == "TPU v4" || last.kind == "TPU v4 lite") && bounds[3] == 1) {
    return OneCoreSubmesh(num_partitions, bounds);
  }
  return std::nullopt;
}

absl::StatusOr<World> DevicesOf(const World& world,
                                const std::string& backend) {
  std::vector<Device> devices;
  for (const Device& device : world.devices()) {
    if (backend.empty() || device.platform == backend) {
      devices.push_back(device);
    }
  }
  if (devices.empty()) {
    return absl::InvalidArgumentError(
        backend.empty()
            ? "the world has no devices"
            : absl::StrCat("the world has no devices of platform ", backend));
  }
  return World(std::move(devices));
}

}  // namespace

absl::StatusOr<Mesh> BuildDefaultMesh(int64_t num_partitions,
                                      const World& world,
                                      const DefaultMeshOptions& options) {
  ASSIGN_OR_RETURN(const World used, DevicesOf(world, options.backend));
  if (options.ici.has_value() && options.dcn.has_value()) {
    ASSIGN_OR_RETURN(
        DeviceGrid grid,
        BuildHybridMesh(*options.ici, *options.dcn, used.devices()));
    return Mesh::Create(std::move(grid), {"replica", "data", "model"});
  }
  if (options.submesh.has_value()) {
    return BuildSubmeshMesh(*options.submesh, used);
  }
  const Device& last = used.devices().back();
  if (last.platform == "cpu") return BuildCpuMesh(used);
  const PlatformKind kind = PlatformKindOf(last);
  if (kind == PlatformKind::kGpu) return BuildGpuMesh(num_partitions, used);
  const std::vector<int64_t> bounds = HardwareBounds(last, used);
  if (kind == PlatformKind::kTpu) {
    const auto submesh = TpuSubmesh(last, num_partitions, bounds);
    if (submesh.has_value()) return BuildSubmeshMesh(*submesh, used);
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "there is no default mesh for platform ", last.platform, ", device kind ",
      last.kind, ", ", num_partitions, " partitions and bounds ",
      internal::TupleText(bounds), "; a submesh may be given explicitly"));
}

}  // namespace lockstep
