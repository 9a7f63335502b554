#include "runtime/passes/import/single_device_values.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/ir/op.h"
#include "runtime/mesh/sharding/mesh_table.h"
#include "runtime/mesh/sharding/tensor_sharding.h"
#include "runtime/passes/import/annotation_site.h"
#include "runtime/passes/import/module_mesh.h"

namespace lockstep::internal {
namespace {

// How many devices a program has that says so.
absl::StatusOr<std::optional<int64_t>> DeviceCount(const Module& module) {
  int64_t count = 0;
  for (const auto& [name, mesh] : module.meshes().entries()) {
    if (!mesh.is_maximal()) count = std::max(count, mesh.device_count());
  }
  if (module.attributes().Find("mhlo.num_partitions") != nullptr) {
    ASSIGN_OR_RETURN(const int64_t partitions, module.PartitionCount());
    count = std::max(count, partitions);
  }
  return count == 0 ? std::nullopt : std::optional(count);
}

class SingleDeviceSpreader {
 public:
  SingleDeviceSpreader(const MeshTable& meshes, std::optional<int64_t> devices)
      : meshes_(meshes), devices_(devices) {}

  absl::Status Change(const AnnotationSite& site) const {
    std::vector<std::pair<std::string, Attribute>> changes;
    for (const AttributeMap::Entry& entry : site.attributes->entries()) {
      const auto* one = entry.second.As<Attribute::Sharding>();
      const auto* all = entry.second.As<Attribute::ShardingPerValue>();
      if (one == nullptr && all == nullptr) continue;
      std::vector<TensorSharding> shardings =
          one != nullptr ? std::vector<TensorSharding>{one->value}
                         : all->values;
      bool is_changed = false;
      for (size_t i = 0; i < shardings.size(); ++i) {
        ASSIGN_OR_RETURN(
            const bool is_spread,
            Spread(site, RankAt(site, entry.first, i), shardings[i]));
        is_changed |= is_spread;
      }
      if (!is_changed) continue;
      changes.emplace_back(
          entry.first,
          one != nullptr
              ? Attribute(Attribute::Sharding{std::move(shardings[0])})
              : Attribute(Attribute::ShardingPerValue{std::move(shardings)}));
    }
    for (auto& [name, value] : changes) {
      site.attributes->Set(name, std::move(value));
    }
    return absl::OkStatus();
  }

 private:
  // Of the value that the i-th sharding of an attribute is about.
  static int64_t RankAt(const AnnotationSite& site, absl::string_view attribute,
                        size_t i) {
    const bool is_operand = site.op != nullptr && attribute == "in_shardings";
    if (is_operand) {
      return RankOf(site.op->operand(static_cast<int>(i))->type());
    }
    // An op without results may have one, which is about no value.
    return i < site.types.size() ? RankOf(site.types[i]) : 0;
  }

  // Whether it was on a single device.
  absl::StatusOr<bool> Spread(const AnnotationSite& site, int64_t rank,
                              TensorSharding& sharding) const {
    ASSIGN_OR_RETURN(const ShardingMesh* mesh,
                     MeshOfSharding(sharding, meshes_));
    if (!mesh->is_maximal()) return false;
    const int64_t device = mesh->DeviceAt(0);
    if (devices_.has_value() && device >= *devices_) {
      return site.Error(
          absl::StrCat("expected one of the ", *devices_,
                       " devices of the program, found device ", device),
          absl::StatusCode::kInvalidArgument);
    }
    sharding = UnshardedOn(ShardingMesh(), rank, /*is_closed=*/true);
    return true;
  }

  const MeshTable& meshes_;
  const std::optional<int64_t> devices_;
};

}  // namespace

absl::Status SpreadSingleDeviceValues(Module& module) {
  ASSIGN_OR_RETURN(const std::optional<int64_t> devices, DeviceCount(module));
  const SingleDeviceSpreader spreader(module.meshes(), devices);
  return ForEachSite(module, [&](const AnnotationSite& site) {
    return spreader.Change(site);
  });
}

}  // namespace lockstep::internal
