#ifndef LOCKSTEP_RUNTIME_MESH_BUILDERS_BUILDERS_TESTING_H_
#define LOCKSTEP_RUNTIME_MESH_BUILDERS_BUILDERS_TESTING_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "runtime/mesh/device_grid.h"
#include "runtime/mesh/mesh.h"
#include "runtime/mesh/simulated_world.h"
#include "runtime/mesh/world.h"

namespace lockstep::internal {

// Rows along the last dimension: "[0 1][2 3]".
inline std::string RowsText(absl::Span<const int64_t> ids, int64_t row_size) {
  std::string text;
  for (size_t i = 0; i < ids.size(); i += row_size) {
    absl::StrAppend(&text, "[", absl::StrJoin(ids.subspan(i, row_size), " "),
                    "]");
  }
  return text;
}

inline std::string RowsText(absl::Span<const Device> devices,
                            int64_t row_size) {
  std::vector<int64_t> ids;
  for (const Device& device : devices) ids.push_back(device.id.value());
  return RowsText(ids, row_size);
}

inline std::string RowsText(const Mesh& mesh) {
  return RowsText(mesh.devices(), mesh.axes().back().size);
}

inline std::string RowsText(const DeviceGrid& grid) {
  return RowsText(grid.devices, grid.dims.back());
}

// The message of a status that must have `code`.
inline std::string MessageOf(const absl::Status& status,
                             absl::StatusCode code) {
  EXPECT_EQ(status.code(), code) << status;
  return std::string(status.message());
}

// 4x4 chips of two cores, hosts of 2x2 chips.
inline World V3World() {
  return *TorusWorld({.chips = {4, 4, 1},
                      .cores_per_chip = 2,
                      .host_chips = {2, 2, 1},
                      .kind = "TPU v3"});
}

// Chips of one core, hosts of 2x2x1 of them.
inline World V4World(int32_t x, int32_t y, int32_t z) {
  return *TorusWorld({.chips = {x, y, z}, .host_chips = {2, 2, 1}});
}

inline World GpuWorld(int32_t hosts, int32_t devices_per_host,
                      int32_t slices = 0) {
  return *FlatWorld({.hosts = hosts,
                     .devices_per_host = devices_per_host,
                     .slices = slices,
                     .platform = "gpu",
                     .kind = "NVIDIA H100"});
}

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_MESH_BUILDERS_BUILDERS_TESTING_H_
