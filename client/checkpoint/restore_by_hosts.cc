#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "client/arrays/array_layout.h"
#include "client/checkpoint/restore_targets.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

// What has no sharding goes to a device of the first host, and is fetched.
absl::StatusOr<NamedSharding> ShardingOf(const Target& target,
                                         const CallHosts& hosts) {
  if (target.sharding.has_value()) return *target.sharding;
  ASSIGN_OR_RETURN(const Device device, hosts.FirstDevice());
  return SingleDeviceSharding(device);
}

CheckpointHosts::Target PartsOf(const std::string& path,
                                const ArrayLayout& layout) {
  CheckpointHosts::Target target;
  target.path = path;
  target.shard_shape = layout.shard_shape();
  for (int64_t position = 0; position < layout.mesh().size(); ++position) {
    target.devices.push_back(layout.mesh().devices()[position].id);
    target.boxes.push_back(layout.box(position));
  }
  return target;
}

}  // namespace

absl::StatusOr<Manifest> ReadManifestByHosts(
    const CallHosts::HostFolder& folder, const CallHosts& hosts,
    std::string* text) {
  const std::string file = absl::StrCat(folder.path, "/", kManifestName);
  ASSIGN_OR_RETURN(*text, folder.hosts->Read(folder.path, hosts.hosts()));
  ASSIGN_OR_RETURN(Manifest manifest, ParseManifest(*text, file));
  const absl::Status complete = CheckIsComplete(manifest);
  if (!complete.ok()) return Annotate(complete, file);
  return manifest;
}

absl::StatusOr<Literal> ReadBoxByHosts(const CallHosts::HostFolder& folder,
                                       const CallHosts& hosts,
                                       const std::string& manifest,
                                       const ManifestArray& array,
                                       const Box& box) {
  ASSIGN_OR_RETURN(const Device device, hosts.FirstDevice());
  ASSIGN_OR_RETURN(std::shared_ptr<const ArrayLayout> layout,
                   ArrayLayout::Create(SingleDeviceSharding(device),
                                       array.shape.element_type(), box.sizes));
  const CheckpointHosts::Target target = {
      array.path, layout->shard_shape(), {device.id}, {box}};
  ASSIGN_OR_RETURN(std::vector<std::shared_ptr<Shards>> shards,
                   folder.hosts->Restore(folder.path, manifest, {target}));
  return Array(std::move(layout), std::move(shards[0])).Fetch();
}

absl::StatusOr<std::vector<Array>> RestoreByHosts(
    const CallHosts::HostFolder& folder, const CallHosts& hosts,
    absl::Span<const Target> targets, const RestoreOptions& options) {
  std::string text;
  ASSIGN_OR_RETURN(const Manifest manifest,
                   ReadManifestByHosts(folder, hosts, &text));
  const absl::Status fits =
      CheckTargets(manifest, targets, options.allow_unused);
  if (!fits.ok()) {
    return Annotate(fits, absl::StrCat(folder.path, "/", kManifestName));
  }
  std::vector<std::shared_ptr<const ArrayLayout>> layouts;
  std::vector<CheckpointHosts::Target> parts;
  for (const Target& target : targets) {
    ASSIGN_OR_RETURN(const NamedSharding sharding, ShardingOf(target, hosts));
    auto layout = ArrayLayout::Create(sharding, target.shape.element_type(),
                                      target.shape.dims());
    if (!layout.ok()) {
      return Annotate(layout.status(),
                      absl::StrCat("array '", target.path, "'"));
    }
    layouts.push_back(*std::move(layout));
    parts.push_back(PartsOf(target.path, *layouts.back()));
  }
  ASSIGN_OR_RETURN(std::vector<std::shared_ptr<Shards>> shards,
                   folder.hosts->Restore(folder.path, text, parts));
  std::vector<Array> arrays;
  for (size_t i = 0; i < targets.size(); ++i) {
    arrays.emplace_back(std::move(layouts[i]), std::move(shards[i]));
    if (targets[i].sharding.has_value()) continue;
    ASSIGN_OR_RETURN(Literal value, arrays.back().Fetch());
    arrays.back() = Array(std::move(value));
  }
  return arrays;
}

}  // namespace lockstep::internal
