#include "runtime/passes/import/device_order.h"

#include <utility>

#include "absl/strings/string_view.h"
#include "runtime/base/check.h"

namespace lockstep::internal {
namespace {

constexpr absl::string_view kAttribute = "lockstep.device_ids";

}  // namespace

void SetDeviceOrder(std::vector<int64_t> device_ids, AttributeMap& attributes) {
  if (device_ids.empty()) {
    attributes.Remove(kAttribute);
  } else {
    attributes.Set(kAttribute, Attribute::I64Array(device_ids));
  }
}

std::optional<ShardingMesh> MeshInDeviceOrder(const AttributeMap& attributes,
                                              const ShardingMesh& mesh) {
  const Attribute* ids = attributes.Find(kAttribute);
  if (ids == nullptr) return std::nullopt;
  absl::StatusOr<std::vector<int64_t>> device_ids = IntegersOf(*ids);
  LOCKSTEP_CHECK(device_ids.ok());
  absl::StatusOr<ShardingMesh> ordered =
      ShardingMesh::Create(mesh.abstract(), *std::move(device_ids));
  LOCKSTEP_CHECK(ordered.ok());
  return *std::move(ordered);
}

}  // namespace lockstep::internal
