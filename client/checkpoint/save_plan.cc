#include "client/checkpoint/save_plan.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "client/global_arrays/array_assembly.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

// Of an array that is not over a mesh.
absl::Status PlanValue(const CallHosts& hosts, const Array& value, size_t place,
                       SavePlan& plan) {
  const bool is_shared = hosts.has_others();
  if (value.shards() != nullptr && is_shared) {
    return absl::InvalidArgumentError(absl::StrCat(
        "expected an array of global shape, found rows of this host, ",
        value.sharding().ToString(), "; host_to_global_array makes one"));
  }
  ManifestArray& array = plan.manifest.arrays[place];
  array.shard_shape = array.shape;
  std::string text = FormText(array.shape);
  if (is_shared) {
    ASSIGN_OR_RETURN(const HostTensor tensor, value.Share());
    text = absl::StrCat("value ", DigestText(tensor.view));
  }
  plan.fields.push_back({absl::StrCat("array '", array.path, "'"), text});
  if (array.shape.element_count() == 0) return absl::OkStatus();
  if (!hosts.is_caller_first()) return absl::OkStatus();
  ShardSource source;
  source.array = place;
  source.starts.resize(array.shape.rank());
  source.is_in_memory = value.shards() == nullptr;
  source.read = [value](const ByteSink& sink) -> absl::Status {
    ASSIGN_OR_RETURN(const HostTensor tensor, value.Share());
    sink(tensor.view.byte_span());
    return absl::OkStatus();
  };
  plan.sources.push_back(std::move(source));
  return absl::OkStatus();
}

absl::Status PlanShards(const Array& value, size_t place,
                        std::map<HostId, int64_t>& bytes, SavePlan& plan) {
  ManifestArray& array = plan.manifest.arrays[place];
  const ArrayLayout& layout = *value.layout();
  array.shard_shape = layout.shard_shape();
  plan.fields.push_back(
      {absl::StrCat("array '", array.path, "'"),
       absl::StrCat(FormText(array.shape), " ", layout.sharding().ToString(),
                    " on devices ",
                    absl::StrJoin(layout.mesh().devices(), " ",
                                  [](std::string* out, const Device& device) {
                                    absl::StrAppend(out, device.id.value());
                                  }))});
  if (array.shape.element_count() == 0) return absl::OkStatus();
  const std::shared_ptr<Shards>& shards = value.shards();
  const std::vector<int64_t> positions = layout.PositionsOf(shards->devices());
  const std::vector<int64_t> writers = ChooseWriters(layout, bytes);
  for (size_t i = 0; i < positions.size(); ++i) {
    if (writers[layout.number(positions[i])] != positions[i]) continue;
    ShardSource source;
    source.array = place;
    source.starts = layout.box(positions[i]).starts;
    source.read = [shards, i](const ByteSink& sink) {
      return shards->Read({static_cast<int64_t>(i)}, sink);
    };
    plan.sources.push_back(std::move(source));
  }
  return absl::OkStatus();
}

absl::Status PlanArray(const CallHosts& hosts, const Array& value, size_t place,
                       std::map<HostId, int64_t>& bytes, SavePlan& plan) {
  RETURN_IF_ERROR(CheckIsOf(*hosts.view(), value));
  return value.layout() == nullptr ? PlanValue(hosts, value, place, plan)
                                   : PlanShards(value, place, bytes, plan);
}

}  // namespace

std::vector<int64_t> ChooseWriters(const ArrayLayout& layout,
                                   std::map<HostId, int64_t>& bytes) {
  std::vector<std::vector<int64_t>> holders(layout.shard_count());
  for (int64_t position = 0; position < layout.mesh().size(); ++position) {
    holders[layout.number(position)].push_back(position);
  }
  const absl::Span<const Device> devices = layout.mesh().devices();
  std::vector<int64_t> writers;
  for (const std::vector<int64_t>& positions : holders) {
    // The first of equals, by its place in the mesh: the same on all hosts.
    writers.push_back(*std::min_element(
        positions.begin(), positions.end(), [&](int64_t a, int64_t b) {
          return bytes[devices[a].host] < bytes[devices[b].host];
        }));
    bytes[devices[writers.back()].host] += layout.shard_shape().byte_size();
  }
  return writers;
}

CallHosts SavingHosts(std::shared_ptr<View> view, const Tree<Array>& arrays) {
  std::set<HostId> hosts;
  const World world = view->world();
  arrays.Transform([&](const Array& value, const std::string&) {
    if (value.layout() != nullptr) {
      const absl::Span<const HostId> of_mesh = value.layout()->mesh().hosts();
      hosts.insert(of_mesh.begin(), of_mesh.end());
    } else if (value.failure() != nullptr) {
      for (GlobalDeviceId id : value.failure()->devices) {
        const Device* const device = world.Find(id);
        if (device != nullptr) hosts.insert(device->host);
      }
    }
    return 0;
  });
  return CallHosts(std::move(view), std::move(hosts));
}

absl::Status CheckIsOf(const View& view, const Array& value) {
  RETURN_IF_ERROR(value.CheckUsable());
  if (value.shards() == nullptr || value.shards()->view() == &view) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      "the array lies on the devices of another cluster");
}

absl::StatusOr<std::map<std::string, Array>> ArraysByPath(
    const Tree<Array>& arrays) {
  std::map<std::string, Array> by_path;
  absl::Status status;
  arrays.Transform([&](const Array& value, const std::string& path) {
    if (!by_path.emplace(path, value).second) {
      status = absl::InvalidArgumentError(
          absl::StrCat("two leaves of the tree have the path '", path, "'"));
    }
    return 0;
  });
  RETURN_IF_ERROR(status);
  return by_path;
}

absl::StatusOr<SavePlan> PlanSave(const CallHosts& hosts,
                                  const Tree<Array>& arrays) {
  ASSIGN_OR_RETURN(const auto by_path, ArraysByPath(arrays));
  SavePlan plan;
  plan.manifest.block_bytes = kBlockBytes;
  plan.fields.push_back(
      {"arrays", absl::StrJoin(by_path, " ", [](std::string* out, auto& each) {
         absl::StrAppend(out, "'", each.first, "'");
       })});
  std::map<HostId, int64_t> bytes;  // that each host writes so far
  for (const auto& [path, value] : by_path) {
    const size_t place = plan.manifest.arrays.size();
    plan.manifest.arrays.push_back({path, value.shape(), {}, {}});
    const absl::Status status = PlanArray(hosts, value, place, bytes, plan);
    if (!status.ok()) {
      return Annotate(status, absl::StrCat("array '", path, "'"));
    }
  }
  // As manifests have them; a mesh may have its devices in any order.
  std::sort(plan.sources.begin(), plan.sources.end(),
            [](const ShardSource& a, const ShardSource& b) {
              return std::tie(a.array, a.starts) < std::tie(b.array, b.starts);
            });
  return plan;
}

absl::Status CopyToHost(SavePlan& plan) {
  for (ShardSource& source : plan.sources) {
    if (source.is_in_memory) continue;
    const ManifestArray& array = plan.manifest.arrays[source.array];
    if (const absl::Status status = CopyToMemory(array.shard_shape, source);
        !status.ok()) {
      return Annotate(status, absl::StrCat("array '", array.path, "'"));
    }
  }
  return absl::OkStatus();
}

}  // namespace lockstep::internal
