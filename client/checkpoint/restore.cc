#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "client/checkpoint/call_hosts.h"
#include "client/checkpoint/checkpoint.h"
#include "client/checkpoint/restore_targets.h"
#include "client/global_arrays/array_assembly.h"
#include "client/trees/tree_map.h"
#include "client/trees/tree_prefix.h"
#include "runtime/base/status.h"
#include "runtime/checkpoint/manifest.h"
#include "runtime/checkpoint/shard_reader.h"

namespace lockstep::internal {
namespace {

constexpr char kCall[] = "restore";
// Of all calls of this file; what they say is compared by agreement.
constexpr uint64_t kRestoreDigest = 6;

// What was read of it.
struct Parts {
  ArrayParts of_devices;  // without a sharding: nothing
  Array value;
};

// Those of the meshes, also where the shardings do not fit.
CallHosts RestoringHosts(std::shared_ptr<View> view,
                         const Tree<NamedSharding>& shardings) {
  std::set<HostId> hosts;
  shardings.Transform([&](const NamedSharding& each, const std::string&) {
    const absl::Span<const HostId> of_mesh = each.mesh().hosts();
    hosts.insert(of_mesh.begin(), of_mesh.end());
    return 0;
  });
  return CallHosts(std::move(view), std::move(hosts));
}

absl::StatusOr<Array> ReadWhole(ShardReader& reader,
                                const ManifestArray& array) {
  Box whole;
  whole.starts.resize(array.shape.rank());
  whole.sizes.assign(array.shape.dims().begin(), array.shape.dims().end());
  ASSIGN_OR_RETURN(std::vector<Literal> values, reader.Read(array, {whole}));
  return Array(std::move(values[0]));
}

// What the addressable devices have, each part once.
absl::StatusOr<ArrayParts> ReadParts(const View& view, ShardReader& reader,
                                     const ManifestArray& array,
                                     const NamedSharding& sharding) {
  auto layout = ArrayLayout::Create(sharding, array.shape.element_type(),
                                    array.shape.dims());
  if (!layout.ok()) {
    return Annotate(layout.status(), absl::StrCat("array '", array.path, "'"));
  }
  ArrayParts parts;
  parts.layout = *std::move(layout);
  const std::vector<int64_t> positions =
      parts.layout->PositionsOf(AddressableDevices(view, sharding.mesh()));
  std::map<int64_t, size_t> by_number;
  std::vector<Box> boxes;
  for (int64_t position : positions) {
    if (by_number.emplace(parts.layout->number(position), boxes.size())
            .second) {
      boxes.push_back(parts.layout->box(position));
    }
  }
  ASSIGN_OR_RETURN(std::vector<Literal> values, reader.Read(array, boxes));
  std::vector<HostTensor> tensors;
  for (Literal& value : values) {
    tensors.push_back(
        HostTensor::Of(std::make_shared<const Literal>(std::move(value))));
  }
  for (int64_t position : positions) {
    parts.tensors.push_back(
        tensors[by_number.at(parts.layout->number(position))]);
  }
  return parts;
}

// One call, as one host makes it.
class Restoring {
 public:
  Restoring(std::string folder, const RestoreOptions& options, CallHosts hosts)
      : folder_(std::move(folder)),
        options_(options),
        hosts_(std::move(hosts)) {}

  // Into memory.
  absl::Status Read(absl::Span<const Target> targets) {
    std::string text;
    ASSIGN_OR_RETURN(const Manifest manifest, ReadManifest(folder_, &text));
    const absl::Status checked =
        CheckTargets(manifest, targets, options_.allow_unused);
    if (!checked.ok()) {
      return Annotate(checked, absl::StrCat(folder_, "/", kManifestName));
    }
    AddFields(text, targets);
    ShardReader reader(folder_, manifest);
    for (const Target& target : targets) {
      const ManifestArray& array = *manifest.Find(target.path);
      Parts& parts = parts_.emplace_back();
      if (!target.sharding.has_value()) {
        ASSIGN_OR_RETURN(parts.value, ReadWhole(reader, array));
        continue;
      }
      ASSIGN_OR_RETURN(parts.of_devices, ReadParts(*hosts_.view(), reader,
                                                   array, *target.sharding));
    }
    return absl::OkStatus();
  }

  // All hosts have read the same; `error`: this one has not.
  absl::Status Agree(const absl::Status& error) {
    return hosts_.Agree(kCall, kRestoreDigest, options_.sequence,
                        std::move(fields_), error);
  }

  // What was read of the target at `place`, on the devices.
  absl::StatusOr<Array> Put(const Target& target, size_t place) {
    Parts& parts = parts_[place];
    if (!target.sharding.has_value()) return std::move(parts.value);
    return AssembleArray(hosts_.view(), kCall, *target.sharding,
                         std::move(parts.of_devices), {.check_equal = false});
  }

 private:
  void AddFields(const std::string& manifest,
                 absl::Span<const Target> targets) {
    const auto size = static_cast<int64_t>(manifest.size());
    fields_.push_back(
        {"checkpoint",
         DigestText(LiteralView(
             Shape(ElementType::kU8, {size}),
             reinterpret_cast<const std::byte*>(manifest.data())))});
    for (const Target& target : targets) {
      std::string place = "in host memory";
      if (target.sharding.has_value()) {
        place = absl::StrCat(
            target.sharding->ToString(), " on devices ",
            absl::StrJoin(target.sharding->mesh().devices(), " ",
                          [](std::string* out, const Device& device) {
                            absl::StrAppend(out, device.id.value());
                          }));
      }
      fields_.push_back({absl::StrCat("array '", target.path, "'"), place});
    }
  }

  const std::string folder_;
  const RestoreOptions& options_;
  const CallHosts hosts_;
  std::vector<AgreementRecord::Field> fields_;
  std::vector<Parts> parts_;
};

Tree<Array> InTree(const Tree<ArrayForm>& forms, std::vector<Array> arrays) {
  size_t next = 0;
  return forms.Transform([&](const ArrayForm&, const std::string&) {
    return std::move(arrays[next++]);
  });
}

// Of arrays none of whose devices, nor the call, is of this host.
absl::StatusOr<Array> Elsewhere(const std::shared_ptr<View>& view,
                                const Target& target) {
  ArrayParts parts;
  ASSIGN_OR_RETURN(
      parts.layout,
      ArrayLayout::Create(*target.sharding, target.shape.element_type(),
                          target.shape.dims()));
  return AssembleArray(view, kCall, *target.sharding, std::move(parts),
                       {.check_equal = false});
}

}  // namespace

absl::StatusOr<Tree<Array>> RestoreTree(const std::string& folder,
                                        const Tree<ArrayForm>& forms,
                                        const Tree<NamedSharding>& shardings,
                                        const RestoreOptions& options) {
  ASSIGN_OR_RETURN(const std::shared_ptr<View> view,
                   ViewOf({.view = options.view}, kCall));
  const absl::StatusOr<std::vector<Target>> targets =
      TargetsOf(forms, shardings);
  const CallHosts hosts = RestoringHosts(view, shardings);
  const auto of_hosts = hosts.FindHostFolder(folder);
  if (!of_hosts.ok()) return Annotate(of_hosts.status(), kCall);
  if (of_hosts->has_value()) {
    if (!targets.ok()) return Annotate(targets.status(), kCall);
    auto arrays = RestoreByHosts(**of_hosts, hosts, *targets, options);
    if (!arrays.ok()) return Annotate(arrays.status(), kCall);
    return InTree(forms, *std::move(arrays));
  }
  const bool takes_part = hosts.has_caller();
  const bool reads =
      takes_part ||
      (targets.ok() &&
       std::any_of(targets->begin(), targets->end(), [](const Target& target) {
         return !target.sharding.has_value();
       }));
  Restoring restoring(folder, options, hosts);
  absl::Status status = targets.status();
  if (status.ok() && reads) status = restoring.Read(*targets);
  if (takes_part && hosts.has_others() && options.check_equal) {
    const absl::Status agreed = restoring.Agree(status);
    if (status.ok()) status = agreed;
  }
  if (!status.ok()) return Annotate(status, kCall);
  std::vector<Array> arrays;
  for (size_t i = 0; i < targets->size(); ++i) {
    const Target& target = (*targets)[i];
    absl::StatusOr<Array> array =
        reads ? restoring.Put(target, i) : Elsewhere(view, target);
    if (!array.ok()) {
      return Annotate(array.status(),
                      absl::StrCat("array '", target.path, "'"));
    }
    arrays.push_back(*std::move(array));
  }
  return InTree(forms, std::move(arrays));
}

}  // namespace lockstep::internal
