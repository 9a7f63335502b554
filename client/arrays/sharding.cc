#include "client/arrays/sharding.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace lockstep {

std::string PmapSharding::ToString() const {
  const std::string dim = placement.dim.has_value()
                              ? absl::StrCat(*placement.dim)
                              : std::string("None");
  const std::string copies =
      placement.copies == 1 ? "" : absl::StrCat(", copies=", placement.copies);
  return absl::StrCat("PmapSharding(dim=", dim, copies, ", device_ids=[",
                      absl::StrJoin(devices, ", ",
                                    [](std::string* out, GlobalDeviceId id) {
                                      absl::StrAppend(out, id.value());
                                    }),
                      "])");
}

NamedSharding SingleDeviceSharding(const Device& device) {
  // A grid of one device is always a mesh.
  return *NamedSharding::Create(*Mesh::Create({{1}, {device}}, {"device"}),
                                PartitionSpec());
}

std::vector<GlobalDeviceId> Sharding::devices() const {
  if (const PmapSharding* rows = pmap()) return rows->devices;
  std::vector<GlobalDeviceId> ids;
  if (named() == nullptr) return ids;
  for (const Device& device : named()->mesh().devices()) {
    ids.push_back(device.id);
  }
  return ids;
}

std::string Sharding::ToString() const {
  if (named() != nullptr) return named()->ToString();
  return pmap() != nullptr ? pmap()->ToString() : "HostMemory()";
}

}  // namespace lockstep
