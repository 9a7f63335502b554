#include "runtime/passes/import/gspmd_attributes.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "absl/types/span.h"
#include "runtime/base/status.h"
#include "runtime/ir/printer.h"
#include "runtime/ir/shardings.h"
#include "runtime/mesh/sharding/gspmd_import.h"
#include "runtime/mesh/sharding/gspmd_sharding.h"
#include "runtime/mesh/sharding/tile_assignment.h"
#include "runtime/passes/import/annotation_site.h"

namespace lockstep::internal {
namespace {

using Kind = GspmdSharding::Kind;
using ManualAxes = std::optional<std::vector<std::string>>;

// Of the attribute of the site. One that splits nothing may stand for all.
absl::StatusOr<std::vector<GspmdSharding>> ParseShardings(
    const AnnotationSite& site, const Attribute& attribute) {
  const auto* text = attribute.As<Attribute::String>();
  if (text == nullptr) {
    return site.Error(absl::StrCat("mhlo.sharding: expected a string, found ",
                                   Print(attribute)));
  }
  absl::StatusOr<std::vector<GspmdSharding>> shardings =
      GspmdSharding::ParseTuple(text->value);
  if (!shardings.ok()) {
    return site.Error(
        absl::StrCat("mhlo.sharding: ", shardings.status().message()),
        shardings.status().code());
  }
  const size_t count = site.sharding_count();
  if (shardings->size() == 1 && shardings->front().kind() != Kind::kTiled) {
    shardings->resize(count, shardings->front());
  }
  if (shardings->size() == count) return shardings;
  return site.Error(absl::StrCat("mhlo.sharding: expected ", count,
                                 " shardings, one for each result, found ",
                                 shardings->size()));
}

// The dims of backend_config = "unspecified_dims=[0,1]".
absl::StatusOr<std::vector<int64_t>> UnspecifiedDims(
    const AnnotationSite& site) {
  std::vector<int64_t> dims;
  const Attribute* config = site.attributes->Find("backend_config");
  const auto* text = config == nullptr || site.op == nullptr
                         ? nullptr
                         : config->As<Attribute::String>();
  if (text == nullptr || !absl::StrContains(text->value, "unspecified_dims")) {
    return dims;
  }
  absl::string_view list = text->value;
  bool is_list = absl::ConsumePrefix(&list, "unspecified_dims=[") &&
                 absl::ConsumeSuffix(&list, "]");
  for (const absl::string_view dim : absl::StrSplit(list, ',')) {
    is_list = is_list && absl::SimpleAtoi(dim, &dims.emplace_back());
  }
  if (is_list) return dims;
  return site.Error(absl::StrCat(
      "backend_config: expected unspecified_dims=[..], found ", text->value));
}

// All attributes of a module.
class Importer {
 public:
  Importer(Module& module, ShapeChanges& changes)
      : module_(module), changes_(changes) {}

  absl::Status Run() {
    ASSIGN_OR_RETURN(partitions_, module_.PartitionCount());
    AddPartitions();
    RETURN_IF_ERROR(ForEachSite(module_, [&](AnnotationSite site) {
      return Collect(std::move(site));
    }));
    if (sites_.empty()) return absl::OkStatus();
    RETURN_IF_ERROR(Convert());
    for (const Site& site : sites_) Apply(site);
    return absl::OkStatus();
  }

 private:
  struct Site : AnnotationSite {
    size_t begin;  // of its values, among all of them
  };

  // The devices of programs that split nothing: {manual} is along their axes.
  void AddPartitions() {
    if (partitions_ == 1) return;
    const int64_t count = partitions_;
    values_.push_back({.sharding = GspmdSharding::Tiled(
                           *TileAssignment::FromIota({1, count}, {count}, {0}),
                           {GspmdSubgroup::kReplicated}),
                       .rank = 1,
                       .unspecified_dims = {}});
  }

  absl::Status Collect(AnnotationSite site) {
    const Attribute* found = site.attributes->Find(kGspmdAttributeName);
    if (found == nullptr) return absl::OkStatus();
    if (site.attributes->Find(kShardingAttributeName) != nullptr) {
      site.attributes->Remove(kGspmdAttributeName);
      return absl::OkStatus();
    }
    ASSIGN_OR_RETURN(std::vector<GspmdSharding> shardings,
                     ParseShardings(site, *found));
    ASSIGN_OR_RETURN(const std::vector<int64_t> unspecified,
                     UnspecifiedDims(site));
    const size_t begin = values_.size();
    for (size_t i = 0; i < shardings.size(); ++i) {
      RETURN_IF_ERROR(CheckDevices(site, shardings[i]));
      const bool is_tensor = i < site.types.size() && site.types[i].is_tensor();
      values_.push_back({std::move(shardings[i]),
                         is_tensor ? site.types[i].shape().rank() : 0,
                         unspecified});
    }
    sites_.push_back({std::move(site), begin});
    return absl::OkStatus();
  }

  absl::Status CheckDevices(const AnnotationSite& site,
                            const GspmdSharding& sharding) const {
    if (partitions_ == 1 || sharding.kind() != Kind::kTiled ||
        sharding.tiles().device_count() == partitions_) {
      return absl::OkStatus();
    }
    return site.Error(absl::StrCat("mhlo.sharding: ", sharding.ToString(),
                                   " has ", sharding.tiles().device_count(),
                                   " devices, but mhlo.num_partitions is ",
                                   partitions_));
  }

  absl::Status Convert() {
    const GspmdImportOptions options = {.mesh_name =
                                            module_.meshes().FreeName()};
    absl::StatusOr<ImportedShardings> imported =
        lockstep::internal::ImportGspmd(values_, options);
    if (!imported.ok()) return Located(imported.status());
    imported_ = *std::move(imported);
    if (module_.meshes().empty()) {
      module_.attributes().Set(kGspmdPropagation, Attribute::Unit());
    }
    return Annotate(module_.meshes().Add(options.mesh_name, imported_.mesh),
                    kGspmdAttributeName);
  }

  // The error of all values, at the first site with which those up to it have
  // one: more values do not help.
  absl::Status Located(const absl::Status& of_all) const {
    const auto holds = [&](const Site& site) {
      const size_t count = site.begin + site.sharding_count();
      const auto values = absl::MakeConstSpan(values_).first(count);
      return lockstep::internal::ImportGspmd(values).ok();
    };
    const auto site = std::partition_point(sites_.begin(), sites_.end(), holds);
    if (site == sites_.end()) return of_all;
    return site->Error(absl::StrCat("mhlo.sharding: ", of_all.message()),
                       of_all.code());
  }

  void Apply(const Site& site) {
    site.attributes->Remove(kGspmdAttributeName);
    if (site.op != nullptr && AddChange(site)) return;
    std::vector<TensorSharding> shardings;
    bool is_manual = true;
    for (size_t i = 0; i < site.sharding_count(); ++i) {
      shardings.push_back(imported_.shardings[site.begin + i]);
      is_manual &= values_[site.begin + i].sharding.kind() == Kind::kManual;
    }
    if (!is_manual) site.SetShardings(std::move(shardings));
  }

  // Whether the op makes or joins shards.
  bool AddChange(const Site& site) {
    const absl::string_view target = CustomCallTarget(*site.op);
    ManualAxes axes = ManualAxesOf(site.begin);
    if (target == kFullToShard) {
      changes_[site.op] = {true, {}, std::move(axes)};
      return true;
    }
    if (target == kShardToFull) {
      const auto& operands = site.op->operands();
      changes_[site.op] = {false,
                           {imported_.shardings[site.begin]},
                           operands.empty()
                               ? std::nullopt
                               : manual_axes_[operands[0]->defining_op()]};
      return true;
    }
    if (!axes->empty()) manual_axes_[site.op] = std::move(axes);
    return false;
  }

  ManualAxes ManualAxesOf(size_t value) const {
    std::vector<std::string> names;
    for (const AxisRef& axis : imported_.manual_axes[value]) {
      names.push_back(axis.name());
    }
    return names;
  }

  Module& module_;
  ShapeChanges& changes_;
  int32_t partitions_ = 1;
  std::vector<Site> sites_;
  std::vector<GspmdValue> values_;
  ImportedShardings imported_;
  // Of ops in manual regions.
  absl::flat_hash_map<const Op*, ManualAxes> manual_axes_;
};

}  // namespace

absl::Status ImportGspmdAttributes(Module& module, ShapeChanges& changes) {
  return Importer(module, changes).Run();
}

absl::Status DropGspmdAttributes(Module& module) {
  return ForEachSite(module, [](const AnnotationSite& site) {
    site.attributes->Remove(kGspmdAttributeName);
    return absl::OkStatus();
  });
}

}  // namespace lockstep::internal
